"""tf.contrib.image: projective transforms of images."""
from ..public import tf


def _rows(transforms, name):
    """Transforms as a matrix of eight columns."""
    made = tf.convert_to_tensor(transforms, dtype=tf.float32, name=name)
    if made.get_shape().ndims is None:
        raise TypeError('transforms rank must be statically known')
    if made.get_shape().ndims not in (1, 2):
        raise TypeError('Transforms should have rank 1 or 2.')
    return made[None] if made.get_shape().ndims == 1 else made


def transform(images, transforms, interpolation='NEAREST', output_shape=None, name=None):
    with tf.name_scope(name, 'transform'):
        images = tf.convert_to_tensor(images, name='images')
        rank = images.get_shape().ndims
        if rank is None:
            raise TypeError('images rank must be statically known')
        if rank not in (2, 3, 4):
            raise TypeError('Images should have rank between 2 and 4.')
        batch = images[None, :, :, None] if rank == 2 else images[None] if rank == 3 else images
        if output_shape is None:
            output_shape = tf.shape(batch)[1:3]
        made = tf.raw_ops.ImageProjectiveTransformV2(
            images=batch, transforms=_rows(transforms, 'transforms'), interpolation=interpolation.upper(),
            output_shape=tf.convert_to_tensor(output_shape, dtype=tf.int32))
        return made[0, :, :, 0] if rank == 2 else made[0] if rank == 3 else made


def _sizes(images):
    """Height and width as numbers of type float32."""
    shape, rank = tf.to_float(tf.shape(images)), images.get_shape().ndims
    if rank is None:
        raise TypeError('images rank must be statically known')
    at = 1 if rank == 4 else 0
    return shape[at], shape[at + 1]


def angles_to_projective_transforms(angles, image_height, image_width, name=None):
    with tf.name_scope(name, 'angles_to_projective_transforms'):
        angles = tf.convert_to_tensor(angles, dtype=tf.float32, name='angles')
        if angles.get_shape().ndims not in (0, 1):
            raise TypeError('Angles should have rank 0 or 1.')
        angles = angles[None] if angles.get_shape().ndims == 0 else angles
        cos, sin, high, wide = tf.cos(angles), tf.sin(angles), image_height - 1, image_width - 1
        left = (wide - (cos * wide - sin * high)) / 2.
        top = (high - (sin * wide + cos * high)) / 2.
        none = tf.zeros_like(angles)
        return tf.stack([cos, -sin, left, sin, cos, top, none, none], 1)


def rotate(images, angles, interpolation='NEAREST', name=None):
    with tf.name_scope(name, 'rotate'):
        images = tf.convert_to_tensor(images, name='images')
        high, wide = _sizes(images)
        return transform(images, angles_to_projective_transforms(angles, high, wide), interpolation)


def translations_to_projective_transforms(translations, name=None):
    with tf.name_scope(name, 'translations_to_projective_transforms'):
        moves = tf.convert_to_tensor(translations, dtype=tf.float32, name='translations')
        if moves.get_shape().ndims not in (1, 2):
            raise TypeError('Translations should have rank 1 or 2.')
        moves = moves[None] if moves.get_shape().ndims == 1 else moves
        one, none = tf.ones_like(moves[:, 0]), tf.zeros_like(moves[:, 0])
        return tf.stack([one, none, -moves[:, 0], none, one, -moves[:, 1], none, none], 1)


def translate(images, translations, interpolation='NEAREST', name=None):
    with tf.name_scope(name, 'translate'):
        return transform(images, translations_to_projective_transforms(translations), interpolation)


def flat_transforms_to_matrices(transforms, name=None):
    with tf.name_scope(name, 'flat_transforms_to_matrices'):
        rows = tf.reshape(tf.convert_to_tensor(transforms, name='transforms'), [-1, 8])
        return tf.reshape(tf.concat([rows, tf.ones_like(rows[:, :1])], 1), [-1, 3, 3])


def matrices_to_flat_transforms(transform_matrices, name=None):
    with tf.name_scope(name, 'matrices_to_flat_transforms'):
        flat = tf.reshape(tf.convert_to_tensor(transform_matrices, name='matrices'), [-1, 9])
        return (flat / flat[:, 8:9])[:, :8]


def compose_transforms(*transforms):
    """The transform that applies them one after the other."""
    if not transforms:
        raise ValueError('transforms cannot be empty')
    whole = flat_transforms_to_matrices(transforms[0])
    for more in transforms[1:]:
        whole = tf.matmul(whole, flat_transforms_to_matrices(more))
    return matrices_to_flat_transforms(whole)
