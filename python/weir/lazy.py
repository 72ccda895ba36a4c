"""What the .pth file of an environment imports: a finder that comes last, so an installed TensorFlow is found first."""
import sys


class LastFinder:
    """Stands for weir.hook.Finder, which it loads when somebody asks for tensorflow."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != 'tensorflow' and not name.startswith('tensorflow.'):
            return None
        from . import hook
        return hook.Finder().find_spec(name, path, target)


if LastFinder not in sys.meta_path:
    sys.meta_path.append(LastFinder)
