"""`tf`: the public API, for modules that are written over it as a program is. Names load when they are used."""
from ._names import module

tf = module('')
