"""Functions that take more than the arguments they show."""


def shows(pattern):
    """A decorator: help and inspect show the arguments of `pattern`; what old programs pass beside them is taken too."""
    def decorate(function):
        function.__wrapped__ = pattern
        return function
    return decorate
