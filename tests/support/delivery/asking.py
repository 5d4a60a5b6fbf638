"""Members who ask often, with a model and without."""

from tests.support.gemini.server import CHAT_MODEL, EMBEDDING_MODEL, EXTRACTION_MODEL
from tests.support.group import running_group


def minded(store, gemini, **more):
    """A group with a model."""
    where = {"GEMINI_API_KEY": "test-key", "GOOGLE_GEMINI_BASE_URL": gemini.url, "TOOLS": "none"}
    models = {"GEMINI_CHAT_MODEL": CHAT_MODEL, "GEMINI_EXTRACTION_MODEL": EXTRACTION_MODEL}
    return running_group(store, **where, **models, GEMINI_EMBEDDING_MODEL=EMBEDDING_MODEL, **more)


async def ask_often(group, times, user_id=101, text="/gryadx1y"):
    for _ in range(times):
        await group.say(text, user_id, f"Член {user_id}")
