"""Names of devices: /job:ps/replica:0/task:1/device:CPU:0, any part of which may be absent."""
import re

_PARTS = re.compile(r'(?:^|/)(job|replica|task|device|cpu|gpu)(?:(?<=[pP][uU])(?=/|$)|:([^/]*))', re.IGNORECASE)


class DeviceSpec:
    """A device's name in parts."""
    __slots__ = ('job', 'replica', 'task', 'device_type', 'device_index')

    def __init__(self, job=None, replica=None, task=None, device_type=None, device_index=None):
        self.job, self.replica, self.task = job, replica, task
        self.device_type = device_type.upper() if device_type in ('cpu', 'gpu') else device_type
        self.device_index = device_index

    @classmethod
    def from_string(cls, spec):
        return cls().parse_from_string(spec)

    def parse_from_string(self, spec):
        if _PARTS.sub('', spec or '').strip('/'):
            unknown = _PARTS.sub('', spec).strip('/').partition(':')[0]
            raise ValueError("Unknown attribute: '%s' in '%s'" % (unknown, spec))
        found = _PARTS.findall(spec or '')
        if sum(key.lower() in ('device', 'cpu', 'gpu') for key, _ in found) > 1:
            raise ValueError('Cannot specify multiple device types: %s' % spec)
        self.__init__()
        for key, value in found:
            self._take(key.lower(), value)
        return self

    def _take(self, key, value):
        if key == 'job':
            self.job = value
        elif key in ('replica', 'task'):
            setattr(self, key, int(value))
        else:
            kind, _, index = value.partition(':') if key == 'device' else (key, ':', value)
            self.device_type = None if kind == '*' else kind.upper() if kind.lower() in ('cpu', 'gpu') else kind
            self.device_index = int(index) if index and index != '*' else None

    def merge_from(self, dev):
        """Takes the parts that `dev` names."""
        for part in ('job', 'replica', 'task', 'device_type', 'device_index'):
            value = getattr(dev, part)
            if value is not None:
                setattr(self, part, value)

    def make_merged_spec(self, dev):
        merged = DeviceSpec(self.job, self.replica, self.task, self.device_type, self.device_index)
        merged.merge_from(dev)
        return merged

    def replace(self, **kwargs):
        return self.make_merged_spec(DeviceSpec(**kwargs))

    def to_string(self):
        out = '' if self.job is None else '/job:' + self.job
        out += '' if self.replica is None else '/replica:%d' % self.replica
        out += '' if self.task is None else '/task:%d' % self.task
        if self.device_type is not None:
            out += '/device:%s:%s' % (self.device_type, '*' if self.device_index is None else self.device_index)
        return out

    def __eq__(self, other):
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self):
        return hash(self.to_string())


def canonical(device):
    """The full form of a name, or of a spec, or of None."""
    if not device:
        return ''
    return (device if isinstance(device, DeviceSpec) else DeviceSpec.from_string(device)).to_string()


canonical_name = canonical


def check_valid(spec):
    """ValueError when a name is none."""
    DeviceSpec.from_string(spec)


def merge_device(spec):
    """A device function that puts what `spec` names beneath what the node names already."""
    base = spec if isinstance(spec, DeviceSpec) else DeviceSpec.from_string(spec or '')

    def place(op):
        return base.make_merged_spec(DeviceSpec.from_string(op.device or '')).to_string()
    return place


class Stack:
    """What `with device(...)` blocks ask for, outermost first: names and functions; None ends what is outside."""

    def __init__(self, entries=()):
        self.entries = tuple(entries)
        self.plain = None if any(callable(entry) for entry in self.entries) else self._merged()

    def _merged(self):
        spec = DeviceSpec()
        for entry in self.entries:
            spec.merge_from(DeviceSpec.from_string(entry))
        return spec.to_string()

    def push(self, entry):
        if entry is None:
            return Stack()
        if isinstance(entry, DeviceSpec):
            entry = entry.to_string()
        return Stack(self.entries + (entry,))

    def place(self, op):
        """Applies functions and names to a node that is in the graph, innermost first."""
        for entry in reversed(self.entries):
            place = entry if callable(entry) else merge_device(entry)
            device = place(op)
            device = canonical(device)
            if device != op.device:
                op._set_device(device)


DeviceSpecV1 = DeviceSpec
