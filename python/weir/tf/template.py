"""make_template: a function whose variables are made by its first call and shared by the others."""
import functools

from .variable_scope import variable_scope


def make_template(name_, func_, create_scope_now_=False, unique_name_=None, custom_getter_=None, **kwargs):
    func = functools.partial(func_, **kwargs) if kwargs else func_
    return Template(name_, func, create_scope_now_, unique_name_, custom_getter_)


class Template:
    """Calls the function within a variable scope of its own."""

    def __init__(self, name, func, create_scope_now=False, unique_name=None, custom_getter=None):
        if not name:
            raise ValueError('name cannot be None.')
        self._func, self._name, self._unique_name, self._custom_getter = func, name, unique_name, custom_getter
        self._scope, self._called = None, False
        if create_scope_now:
            self._make_scope()

    def _make_scope(self):
        with variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter) as scope:
            self._scope = scope

    def __call__(self, *args, **kwargs):
        if self._scope is None:
            with variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter) as scope:
                self._scope = scope
                return self._first(args, kwargs)
        with variable_scope(self._scope, reuse=self._called or None):
            return self._func(*args, **kwargs) if self._called else self._first(args, kwargs)

    def _first(self, args, kwargs):
        found = self._func(*args, **kwargs)
        self._called = True
        return found

    name = property(lambda self: self._name)
    func = property(lambda self: self._func)
    variable_scope = var_scope = property(lambda self: self._scope)
    variable_scope_name = property(lambda self: self._scope.name if self._scope is not None else None)
    variables = global_variables = property(lambda self: self._scope.global_variables() if self._scope is not None else [])
    trainable_variables = trainable_weights = property(
        lambda self: self._scope.trainable_variables() if self._scope is not None else [])
    local_variables = property(lambda self: self._scope.local_variables() if self._scope is not None else [])
