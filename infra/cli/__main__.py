import sys

from infra.cli.root import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
