"""Writes docs/cli.md and docs/settings.md from the code; a test fails when they are out of date."""

from collections.abc import Iterator
from pathlib import Path

import click

from bibfold.cli import root
from bibfold.settings import PREFIX, SETTINGS

HERE = Path(__file__).parent


def cli_page() -> str:
    """The help of every command."""
    return "\n".join(_cli_lines())


def _cli_lines() -> Iterator[str]:
    yield "# The commands\n"
    yield "Generated from the commands' own help by `make docs`.\n"
    with root.make_context("bibfold", [], resilient_parsing=True, terminal_width=110, max_content_width=110) as context:
        yield f"```\n{root.get_help(context)}\n```\n"
        yield from _commands(root, context, "bibfold")


def _commands(group: click.Group, context: click.Context, words: str) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            continue
        with click.Context(command, parent=context, info_name=name) as below:
            yield f"## {words} {name}\n\n```\n{command.get_help(below)}\n```\n"
            if isinstance(command, click.Group):
                yield from _commands(command, below, f"{words} {name}")


def settings_page() -> str:
    """Every setting with its values, its default, its variable and its meaning."""
    rows = [
        f"| `{setting.name}` | {setting.allowed} | `{_default(setting.default)}` | `{PREFIX}{setting.name.upper()}` "
        f"| {'yes' if setting.kept else 'no'} | {setting.help} |"
        for setting in SETTINGS
    ]
    return "\n".join(
        [
            "# The settings\n",
            "Generated from the code by `make docs`. A setting is taken from the first of these that has it:",
            "the command's flags, the environment, the file named by `--config`, the catalogue, the default. A",
            "catalogue keeps the settings that it was created with; a flag overrides them for one run.\n",
            "| setting | values | default | variable | kept | meaning |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _default(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    return "unset" if value in (None, "") else str(value)


PAGES = {"cli.md": cli_page, "settings.md": settings_page}

if __name__ == "__main__":
    for file, page in PAGES.items():
        (HERE / file).write_text(page(), encoding="utf-8")
