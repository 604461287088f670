"""`python -m erp`."""

import sys

from erp.runtime import memory

if __name__ == "__main__":
    with memory.starting():
        from erp.cli import main
    sys.exit(main())
