"""tf.contrib.training.HParams: named settings that can be parsed from text."""
import json
import re

_PARAM = re.compile(r'(?P<name>[a-zA-Z][\w\.]*)(\[\s*(?P<index>\d+)\s*\])?\s*=\s*((?P<list>\[[^\]]*\])|(?P<value>[^,\[]*))($|,\s*)')


_BOOLEANS = {'true': True, 'True': True, '1': True, 'false': False, 'False': False, '0': False}


def _parsed(name, kind, text, values, whole=None):
    """A text as a value of a hyperparameter's type."""
    try:
        if kind is bool:
            return _BOOLEANS[text]
        return None if kind is type(None) else kind(text)
    except (KeyError, ValueError):
        raise ValueError("Could not parse hparam '%s' of type '%s' with value '%s' in %s" % (
            name, kind.__name__, text if whole is None else whole, values)) from None


def parse_values(values, type_map, ignore_unknown=False):
    """{name: value or {index: value}} of text like 'a=1,b=[2,3],c[0]=4'."""
    out, at = {}, 0
    while at < len(values):
        match = _PARAM.match(values, at)
        if not match:
            raise ValueError('Malformed hyperparameter value: %s' % values[at:])
        at = match.end()
        name, index = match.group('name'), match.group('index')
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError('Unknown hyperparameter type for %s' % name)
        kind = type_map[name]
        if name in out and (index is None or not isinstance(out[name], dict) or int(index) in out[name]):
            raise ValueError("Multiple assignments to variable '%s' in %s" % (name, values))
        if match.group('list') is not None:
            if index is not None:
                raise ValueError('Assignment of a list to a list index.')
            inner = match.group('list').strip('[] ')
            out[name] = [_parsed(name, kind, item, values, inner) for item in re.split(r'[ ,]+', inner) if item]
        elif index is not None:
            out.setdefault(name, {})[int(index)] = _parsed(name, kind, match.group('value'), values)
        else:
            out[name] = _parsed(name, kind, match.group('value'), values)
    return out


class HParams:
    """Attributes with a type each."""
    _HAS_DYNAMIC_ATTRIBUTES = True

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        self._hparam_types, self._model_structure = {}, model_structure
        if hparam_def is not None:
            assert hasattr(hparam_def, 'hparam'), 'hparam_def is no HParamDef'
            for name, value in hparam_def.hparam.items():
                self.add_hparam(name, value)
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        if getattr(self, name, None) is not None:
            raise ValueError('Hyperparameter name is reserved: %s' % name)
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError('Multi-valued hyperparameters cannot be empty: %s' % name)
            self._hparam_types[name] = type(value[0]), True
        else:
            self._hparam_types[name] = type(value), False
        setattr(self, name, value)

    def _cast(self, name, kind, value):
        if value is None or kind is type(None) or isinstance(value, kind):
            return value
        if kind is bool or isinstance(value, bool) or kind in (int, float) and isinstance(value, str) or \
                kind is int and isinstance(value, float) and value != int(value):
            raise ValueError('Could not cast hparam \'%s\' of type \'%s\' from value %r' % (name, kind, value))
        return kind(value)

    def set_hparam(self, name, value):
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError('Must not pass a list for single-valued parameter: %s' % name)
            setattr(self, name, [self._cast(name, kind, item) for item in value])
        else:
            if is_list:
                raise ValueError('Must pass a list for multi-valued parameter: %s.' % name)
            setattr(self, name, self._cast(name, kind, value))

    def del_hparam(self, name):
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values):
        kinds = {name: kind for name, (kind, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, kinds))

    def override_from_dict(self, values_dict):
        for name, value in values_dict.items():
            if isinstance(value, dict) and name in self._hparam_types and self._hparam_types[name][1]:
                items = list(getattr(self, name))
                for at, item in value.items():
                    items[at] = item
                value = items
            self.set_hparam(name, value)
        return self

    set_from_map = override_from_dict

    def set_model_structure(self, model_structure):
        self._model_structure = model_structure

    def get_model_structure(self):
        return self._model_structure

    def to_json(self, indent=None, separators=None, sort_keys=False):
        values = {key: value for key, value in self.values().items() if not callable(value)}
        return json.dumps(values, indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json):
        return self.override_from_dict(json.loads(values_json))

    def values(self):
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key, default=None):
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key, default):
        kind, is_list = self._hparam_types[key]
        said = "Hparam '%s' of type '%s' is incompatible with default=%s" % (key, 'list<%s>' % kind if is_list else kind, default)
        if isinstance(default, list) != is_list:
            raise ValueError(said)
        try:
            for item in default if is_list else [default]:
                if kind is int and isinstance(item, float):
                    raise ValueError("Could not cast hparam '%s' of type '%s' from value %r" % (key, kind, item))
                self._cast(key, kind, item)
        except ValueError as error:
            raise ValueError('%s. %s' % (said, error)) from None

    def to_proto(self, export_scope=None):
        """The settings as a message has them: `hparam` maps names to values."""
        return HParamDef(self.values())

    def __contains__(self, key):
        return key in self._hparam_types

    @staticmethod
    def from_proto(hparam_def, import_scope=None):
        return HParams(hparam_def=hparam_def)

    def __str__(self):
        return ','.join('%s=%s' % item for item in sorted(self.values().items()))

    def __repr__(self):
        return 'HParams(%s)' % sorted(self.values().items())


class HParamDef:
    """Names and values of settings."""

    def __init__(self, values):
        self.hparam = dict(values)
