"""tf.config: settings of the process and its devices. Sessions have their own; these are kept and given back."""
import collections

PhysicalDevice = collections.namedtuple('PhysicalDevice', ['name', 'device_type'])
LogicalDevice = collections.namedtuple('LogicalDevice', ['name', 'device_type'])
VirtualDeviceConfiguration = collections.namedtuple('VirtualDeviceConfiguration', ['memory_limit'])
VirtualDeviceConfiguration.__new__.__defaults__ = (None,)
_kept = {'inter': 0, 'intra': 0, 'soft': False, 'log': False, 'jit': False, 'options': {}, 'policy': 'silent', 'visible': None,
         'growth': {}, 'virtual': {}}


def _devices():
    from .python_util import list_local_devices
    return [PhysicalDevice(device.name.replace('/device:', '/physical_device:'), device.device_type) for device in list_local_devices()]


def list_physical_devices(device_type=None):
    return [device for device in _devices() if device_type in (None, device.device_type)]


def list_logical_devices(device_type=None):
    return [LogicalDevice(device.name.replace('/physical_device:', '/device:'), device.device_type)
            for device in list_physical_devices(device_type)]


def experimental_list_devices():
    return [device.name for device in list_logical_devices()]


def get_visible_devices(device_type=None):
    found = _devices() if _kept['visible'] is None else _kept['visible']
    return [device for device in found if device_type in (None, device.device_type)]


def set_visible_devices(devices, device_type=None):
    devices = list(devices) if isinstance(devices, (list, tuple)) and not hasattr(devices, '_fields') else [devices] if devices else []
    rest = [device for device in get_visible_devices() if device_type is not None and device.device_type != device_type]
    _kept['visible'] = rest + devices


def get_memory_growth(device):
    return _kept['growth'].get(device.name, False)


def set_memory_growth(device, enable):
    _kept['growth'][device.name] = enable


def get_virtual_device_configuration(device):
    return _kept['virtual'].get(device.name)


def set_virtual_device_configuration(device, virtual_devices):
    _kept['virtual'][device.name] = virtual_devices


def get_device_policy():
    return _kept['policy']


def set_device_policy(device_policy):
    _kept['policy'] = device_policy or 'silent'


def get_synchronous_execution():
    return True


def set_synchronous_execution(enable):
    if not enable:
        raise ValueError('weir has no asynchronous eager execution')


def get_soft_device_placement():
    return _kept['soft']


def set_soft_device_placement(enabled):
    _kept['soft'] = enabled


def get_log_device_placement():
    return _kept['log']


def set_log_device_placement(enabled):
    _kept['log'] = enabled


def get_jit():
    return _kept['jit']


def set_jit(enabled):
    _kept['jit'] = enabled


def get_experimental_options():
    return dict(_kept['options'])


def set_experimental_options(options):
    _kept['options'].update(options)


def get_inter_op_parallelism_threads():
    return _kept['inter']


def set_inter_op_parallelism_threads(num_threads):
    _kept['inter'] = num_threads


def get_intra_op_parallelism_threads():
    return _kept['intra']


def set_intra_op_parallelism_threads(num_threads):
    _kept['intra'] = num_threads
