"""Every row of the name tables leads to something."""
import importlib
import unittest

from weir.tf import _names


class NamesTest(unittest.TestCase):
    def test_all_public_names_are_there(self):
        lost = []
        for space, table in _names.spaces().items():
            for name in table:
                try:
                    _names.find(space, name)
                except (AttributeError, ImportError) as error:
                    lost.append('%s.%s: %s' % (space, name, error))
        self.assertEqual(lost, [])

    def test_all_aliases_are_there(self):
        _names.spaces()
        for path, modules in _names.ALIASES.items():
            for module in modules.split():
                importlib.import_module('weir.tf.' + module)
            self.assertTrue(_names.has_module(path), path)


if __name__ == '__main__':
    unittest.main()
