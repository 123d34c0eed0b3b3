"""Local servers for developers: `python -m tests.servers up | down | status`."""

import sys

import click

from tests.servers.java import CannotStart
from tests.servers.launch import SERVERS, UNTIL_STOPPED, running, stop, url_of


def main(verb: str) -> int:
    """Start, stop or list the servers that run until they are stopped."""
    if verb == "up":
        for name in SERVERS:
            click.echo(f"export BIBFOLD_{name.upper()}_URL={url_of(name, UNTIL_STOPPED)}")
    elif verb == "down":
        click.echo(f"stopped: {', '.join(stop(UNTIL_STOPPED)) or 'nothing ran'}")
    elif verb == "status":
        for name, server in running(UNTIL_STOPPED).items():
            click.echo(f"{name}: {server['url']}, log {server['log']}")
    else:
        click.echo("usage: python -m tests.servers up | down | status", err=True)
        return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:2] or [""]))
    except CannotStart as error:
        sys.exit(f"{error}")
