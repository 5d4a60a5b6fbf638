"""`python -m infra.local`."""

import sys

from infra.local.cli import main

sys.exit(main(sys.argv[1:]))
