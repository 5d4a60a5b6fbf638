"""Run a command with the stand-in provider: `python -m tests.terraform.offline terraform -chdir=terraform test`."""

import os
import subprocess
import sys

from tests.terraform.offline import google_stand_in

if __name__ == "__main__":
    with google_stand_in() as environment:
        sys.exit(subprocess.run(sys.argv[1:], env=os.environ | environment, check=False).returncode)
