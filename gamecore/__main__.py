"""``python -m gamecore``: the ``gamecore`` command."""

import sys

from gamecore.cli import main

if __name__ == "__main__":
    sys.exit(main())
