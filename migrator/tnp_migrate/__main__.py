"""The command, as `python -m tnp_migrate`."""

from tnp_migrate.cli import main

if __name__ == "__main__":
    main(prog_name="tnp-migrate")
