"""What a backfill would cost is told before it is done."""

import json

from shared.application.archive.backfill_survey import Survey
from shared.domain.spending.tokens import estimate_tokens
from tests.support.group import running_group
from tests.support.telegram.export import talk
from tests.unit.application.archive.backfills import backfill, read


async def test_the_estimate_is_near_what_the_model_is_shown(sqlite_store, gemini):
    async with running_group(sqlite_store, MODEL_TOKENS_PER_CHAT_PER_DAY="1000000000", **gemini.environment) as group:
        records = talk(100)
        survey = Survey(10)
        survey.add(read(records))
        await backfill(group.runtime.app, records)
        asked = [request for request in gemini.requests if request.method == "generateContent"]
        shown = sum(estimate_tokens(r.prompt + (json.dumps(r.schema) if r.schema else "")) for r in asked)
        assert 0.8 < survey.tokens()[0] / shown < 1.4
        assert survey.chunks == 10
        assert (len(survey.members), set(survey.languages)) == (3, {"uk", "en"})
