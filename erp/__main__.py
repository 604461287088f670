"""`python -m erp`."""

import sys

from erp.cli import main

if __name__ == "__main__":
    sys.exit(main())
