"""`python -m erp`."""

import sys
from importlib.util import find_spec

from erp.runtime import memory


def main() -> int:
    """Load the command line, and run it."""
    with memory.starting():
        if find_spec("pysqlite3"):
            sys.modules["sqlite3"] = None  # type: ignore[assignment]  # Peewee would load this one too
        with memory.without("asyncio", "http.cookiejar"):
            import falcon  # noqa: F401
        with memory.hidden("psycopg", "psycopg2", "psycopg2cffi", "pymysql", "MySQLdb"):
            import peewee  # noqa: F401
        from erp.cli import main
    return main()


if __name__ == "__main__":
    sys.exit(main())
