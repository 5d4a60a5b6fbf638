"""What the bot can do and how to say it."""

from __future__ import annotations

import difflib

from shared.application.app import App
from shared.application.commands.call import LINKED, CommandCall, answer
from shared.application.commands.table import COMMANDS
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import text
from shared.application.policy import Policy
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line
from shared.locales import say

_ALIKE = 0.6
"""Of `difflib`: from here on a name is taken for a misspelt one (its own default)."""


async def show_help(app: App, call: CommandCall) -> Answer:
    """All commands with a line each, or how the named one is used; what a link into the private chat asks for."""
    if call.args.startswith(LINKED) and call.state.chat_id == call.user_id:
        from shared.application.commands.privacy.export import export_linked

        return await export_linked(app.gateway, app.schedule, call)
    wanted = call.args.split()[0].lstrip("/").lower() if call.args and call.message.kind == "command" else ""
    command = COMMANDS.get(wanted) or COMMANDS.get(f"gryad{wanted}")
    if wanted and command is not None:
        return answer(call, f"usage_{command.name}")
    return Answer.of(text(_overview(app.policy, call.language)))


def _overview(policy: Policy, language: Language) -> str:
    lines = [say(language, "help", name=policy.bot_names[0], username=policy.bot_username)]
    for who in (False, True):
        shown = [command for command in COMMANDS.values() if (command.who == "admins") is who]
        lines += ["", say(language, "help_admins" if who else "help_everybody")]
        lines += [f"/{command.name} - {say(language, f'about_{command.name}')}" for command in shown]
    return "\n".join(lines)


async def unknown(app: App, call: CommandCall) -> Answer:
    """Answer a name that is no command's with the one that was probably meant, and the help."""
    del app
    name = call.update.command.name if call.update.command else ""
    own = {each.removeprefix("gryad"): each for each in COMMANDS}  # what all of them share makes none alike
    close = difflib.get_close_matches(name.removeprefix("gryad"), own, n=1, cutoff=_ALIKE)
    if close:
        return answer(call, "unknown_command_like", command=one_line(name, 40), meant=own[close[0]])
    return answer(call, "unknown_command", command=one_line(name, 40))
