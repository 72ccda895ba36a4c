"""tf.contrib.tensorboard.plugins.projector: which embeddings TensorBoard shows."""
import os


class EmbeddingInfo:
    def __init__(self):
        self.tensor_name, self.metadata_path, self.tensor_path, self.bookmarks_path = '', '', '', ''
        self.tensor_shape, self.sprite = [], SpriteMetadata()


class SpriteMetadata:
    def __init__(self):
        self.image_path, self.single_image_dim = '', []


class _Embeddings(list):
    def add(self):
        self.append(EmbeddingInfo())
        return self[-1]


class ProjectorConfig:
    """The embeddings of a log folder."""

    def __init__(self):
        self.model_checkpoint_path, self.model_checkpoint_dir, self.embeddings = '', '', _Embeddings()

    def text(self):
        """The configuration as protobuf's text form."""
        lines = []
        if self.model_checkpoint_path:
            lines.append('model_checkpoint_path: "%s"' % self.model_checkpoint_path)
        for item in self.embeddings:
            lines.append('embeddings {')
            for word in ('tensor_name', 'metadata_path', 'bookmarks_path'):
                if getattr(item, word):
                    lines.append('  %s: "%s"' % (word, getattr(item, word)))
            lines += ['  tensor_shape: %d' % size for size in item.tensor_shape]
            if item.sprite.image_path:
                lines += ['  sprite {', '    image_path: "%s"' % item.sprite.image_path]
                lines += ['    single_image_dim: %d' % size for size in item.sprite.single_image_dim] + ['  }']
            if item.tensor_path:
                lines.append('  tensor_path: "%s"' % item.tensor_path)
            lines.append('}')
        if self.model_checkpoint_dir:
            lines.append('model_checkpoint_dir: "%s"' % self.model_checkpoint_dir)
        return '\n'.join(lines) + '\n' if lines else ''


def visualize_embeddings(summary_writer, config):
    """Writes projector_config.pbtxt where the summaries are."""
    folder = summary_writer.get_logdir() if hasattr(summary_writer, 'get_logdir') else summary_writer
    if folder is None:
        raise ValueError('Summary writer must have a logdir')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'projector_config.pbtxt'), 'w') as file:
        file.write(config.text())
