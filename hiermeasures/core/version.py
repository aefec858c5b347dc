"""The version of the package, for what may not import its root, which names all that lies above."""

import sys

VERSION: str = sys.modules["hiermeasures"].__version__
