"""``python -m centrode``: the command, where its script is not on the path."""

from centrode.cli.main import main

if __name__ == "__main__":
    main()
