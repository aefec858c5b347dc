"""`python -m hiermeasures`."""

import sys

from hiermeasures.cli import main

if __name__ == "__main__":
    sys.exit(main())
