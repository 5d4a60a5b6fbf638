"""Talk as the memory's prompts are given it: ids, so that what is learnt can be credited.

Names and texts are JSON strings without a raw `[`: nothing a member types can look like another line (law 12). How
answers are given it is `shared.domain.answering.context`'s.
"""

from __future__ import annotations

from shared.domain.conversation.media import mark
from shared.domain.conversation.messages import Message
from shared.domain.text.plain import quote_inline


def transcript(messages: list[Message], *, media: bool = False) -> str:
    """Messages as lines for an extraction prompt: `#id user:<id> "name": text`, one line each.

    Args:
        media: Also name files and tell what is in them, as in `[photo: "a cat"]`. Not where facts are asked for: a fact
            follows from what somebody typed (law 1).
    """
    return "\n".join(
        f"#{m.message_id} {'bot' if m.is_bot else f'user:{m.user_id}'} {quote_inline(m.name)}: {quote_inline(m.text)}"
        + (f" {marked}" if media and (marked := mark(m)) else "")
        for m in messages
    )
