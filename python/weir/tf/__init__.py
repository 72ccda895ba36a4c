"""The API of TensorFlow 1.15, a family a module. `tensorflow` itself is _names.module(''), which finds names when they are
first used."""
