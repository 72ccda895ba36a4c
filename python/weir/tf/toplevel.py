"""What stands directly under tf and belongs to no family."""

__version__ = VERSION = '1.15.5'
__git_version__ = GIT_VERSION = 'weir'
__compiler_version__ = COMPILER_VERSION = 'weir'
CXX11_ABI_FLAG = MONOLITHIC_BUILD = 0
GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_CONSUMER, GRAPH_DEF_VERSION_MIN_PRODUCER = 134, 0, 0


def disable_v2_behavior():
    """This is TensorFlow 1.x: there is nothing to disable."""


disable_eager_execution = disable_v2_tensorshape = disable_control_flow_v2 = enable_v2_tensorshape = disable_tensor_equality = \
    disable_v2_behavior


def executing_eagerly():
    return False


def enable_eager_execution(config=None, device_policy=None, execution_mode=None):
    raise NotImplementedError('weir runs graphs only: eager execution is not supported')
