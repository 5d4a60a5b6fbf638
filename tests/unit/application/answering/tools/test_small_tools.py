"""The tools that need no memory: sums, the clock, the weather, the web; and arguments as models write them."""

from datetime import UTC, datetime

import pytest

from shared.application.answering.tools import small_tools, web_search
from shared.application.answering.tools.registry import BINDINGS, bindings_for
from shared.application.documents import usage_path
from shared.application.policy import TOOLS
from shared.application.ports.model import ModelReply, TokenUsage, WebSource
from shared.domain.errors import ModelUnavailable, ToolRefused
from shared.domain.reading.requests import asks_to_forget, asks_to_remember, in_own_voice
from tests.support.tool_chat import CHAT
from tests.unit.application.answering.tools.peers import Sky


class Searcher:
    """A model that searches."""

    def __init__(self, reply):
        self.reply, self.requests = reply, []

    async def generate(self, request):
        self.requests.append(request)
        return self.reply


# --- What is on the shelf ---


def test_every_tool_is_named_in_the_settings():
    assert tuple(offer.tool.name for offer in BINDINGS) == TOOLS


def test_every_tool_declares_an_object_and_what_it_needs_of_it():
    for offer in BINDINGS:
        schema = offer.tool.parameters
        assert schema["type"] == "object"
        assert set(schema.get("required", ())) <= set(schema["properties"])


async def test_a_chat_is_offered_what_operator_and_chat_allow(chat, asked):
    chat.having(weather=Sky(), policy=chat.app.policy._replace(tools=("calculator", "weather", "recall")))
    names = [offer.tool.name for offer in bindings_for(chat.app.policy, chat.app.weather, chat.context(asked))]
    assert names == ["calculator", "recall", "weather"]
    fewer = chat.context(asked, tools=frozenset({"calculator", "remember"}))
    assert [offer.tool.name for offer in bindings_for(chat.app.policy, chat.app.weather, fewer)] == ["calculator"]


async def test_without_a_weather_service_the_weather_is_not_offered(chat, asked):
    assert "weather" not in [
        offer.tool.name for offer in bindings_for(chat.app.policy, chat.app.weather, chat.context(asked))
    ]


# --- Arguments ---


@pytest.mark.parametrize("given", [{}, {"expression": 7}, {"expression": " \n"}, {"expression": "1" * 301}, {"e": "1"}])
async def test_arguments_of_another_form_are_refused_by_name(chat, asked, given):
    with pytest.raises(ToolRefused, match="expression"):
        await chat.run(small_tools.CALCULATOR, asked, given)


# --- Sums ---


async def test_a_sum_is_worked_out(chat, asked):
    assert (await chat.run(small_tools.CALCULATOR, asked, {"expression": "15% × 2 400"})).response == {"value": "360"}


async def test_a_sum_that_would_never_end_is_refused_with_the_reason(chat, asked):
    with pytest.raises(ToolRefused, match="too large"):
        await chat.run(small_tools.CALCULATOR, asked, {"expression": "2**10**10"})


# --- The clock ---


async def test_the_time_is_that_of_the_chats_zone(chat, asked):
    told = (await chat.run(small_tools.CURRENT_TIME, asked, {})).response
    assert told == {
        "date": "2026-11-06",
        "weekday": "Friday",
        "time": "20:00",
        "zone": "Europe/Kyiv",
        "utc_offset": "+0200",
    }
    own = await chat.run(small_tools.CURRENT_TIME, asked, {"zone": ""}, timezone="Asia/Tokyo")
    assert (own.response["date"], own.response["time"]) == ("2026-11-07", "03:00")


async def test_another_zone_can_be_asked_for(chat, asked):
    told = (await chat.run(small_tools.CURRENT_TIME, asked, {"zone": "America/New_York"})).response
    assert (told["time"], told["weekday"]) == ("13:00", "Friday")


@pytest.mark.parametrize("zone", ["Kyiv", "Europe", "../../etc/passwd", "/etc/passwd", "Z" * 65, 7])
async def test_what_is_no_zone_is_refused(chat, asked, zone):
    with pytest.raises(ToolRefused):
        await chat.run(small_tools.CURRENT_TIME, asked, {"zone": zone})


# --- The web ---

PAGE = WebSource("Титул", "https://example.org/a")


async def test_a_search_is_a_call_of_its_own_booked_as_such(chat, asked):
    searcher = Searcher(ModelReply("Знайдено.", "gemini", TokenUsage(10, 5), sources=(PAGE,)))
    chat.having(model=searcher)
    found = await chat.run(web_search.BINDING, asked, {"query": "курс долара"})
    assert found.response == {"found": "Знайдено.", "pages": [{"title": "Титул", "url": "https://example.org/a"}]}
    assert found.pages == (PAGE,)
    (request,) = searcher.requests
    assert (request.purpose, request.web_search, request.tools) == ("search", True, ())
    assert request.turns[0].parts == ("курс долара",)
    usage = await chat.app.store.get(usage_path(CHAT, datetime(2026, 11, 6, tzinfo=UTC).date()))
    assert (usage.data["search_calls"], usage.data["tokens"]) == (1, 15)


async def test_pages_are_few_and_their_addresses_bounded(chat, asked):
    pages = (WebSource("long", "https://x/" + "a" * 500), *(WebSource(f"{n}", f"https://x/{n}") for n in range(9)))
    chat.having(model=Searcher(ModelReply("Так.", "gemini", sources=pages)))
    found = await chat.run(web_search.BINDING, asked, {"query": "що"})
    assert [page["title"] for page in found.response["pages"]] == ["0", "1", "2", "3", "4"]


async def test_over_the_budget_nothing_is_searched(chat, asked):
    chat.having(model=Searcher(ModelReply("Так.", "gemini")), policy=chat.app.policy._replace(tokens_per_day=0))
    with pytest.raises(ToolRefused, match="budget"):
        await chat.run(web_search.BINDING, asked, {"query": "що"})
    assert chat.app.model.requests == []


async def test_without_a_model_nothing_is_searched(chat, asked):
    with pytest.raises(ModelUnavailable):
        await chat.run(web_search.BINDING, asked, {"query": "що"})


# --- Consent ---


@pytest.mark.parametrize(
    ("text", "remember", "forget"),
    [
        ("гряг, запам'ятай, що я не їм м'яса", True, False),
        ("гряг, запамʼятай: я з Луцька", True, False),
        ("запиши собі мій розмір: 42", True, False),
        ("не забудь, що в мене алергія", True, False),
        ("remember that I'm vegetarian", True, False),
        ("don't forget my birthday is 7 May", True, False),
        ("Please note: I moved to Lutsk", True, False),
        ("гряг, забудь, що я люблю каву", False, True),
        ("видали з пам'яті моє місто", False, True),
        ("forget that I like coffee", False, True),
        ("please delete what you know about my job", False, True),
        ("гряг, яка погода?", False, False),
        ("what is the weather?", False, False),
        ("я люблю каву", False, False),
        ("", False, False),
        ("гряг, записуй: я з Луцька", True, False),
        ("гряг, не запам'ятовуй: я звільняюсь", False, False),
        ("гряг, не записуй цього", False, False),
        ("gryag, don't remember this: I quit", False, False),
        ("please never save my address", False, False),
        ("гряг, не видаляй нічого про каву", False, False),
        ("gryag, do not delete anything", False, False),
        ("гряг, не забудь про каву і видали моє місто", True, True),
        ("гряг, порадь майстер-клас", False, False),
        ("незабутній день, хоч і стереотипний", False, False),
        ("гряг, ти забудькуватий", False, False),
        ("which store sells dropped eggs?", False, False),
    ],
)
def test_whether_the_asker_asks_for_it_is_read_in_their_words(text, remember, forget):
    assert (asks_to_remember(text), asks_to_forget(text)) == (remember, forget)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("я не їм м'яса", "гряг, запам'ятай: я не їм м'яса"),
        ("мій кіт — Мурчик", "гряг, запиши собі, що мій кіт — Мурчик"),
        ("I'm allergic to nuts", "gryag, don't forget I'm allergic to nuts"),
        ("в мене алергія", "гряг, не забудь в мене алергія"),
        ("я живу в Луцьку", "гряг, я не з Києва, запам'ятай: я живу в Луцьку"),
        ("I live in Lutsk", "gryag, I moved, so please remember that I live in Lutsk"),
        ("я люблю каву", "я люблю каву, запам'ятай це, гряг"),
        ("я люблю каву", "гряг, запам'ятай: «я люблю каву»"),
        ("I hate jazz", 'gryag, remember: "I hate jazz"'),
        ("Я люблю каву", "Тарас сказав: «привіт». Запам'ятай, гряг. Я люблю каву"),
        ("я люблю каву", "„кіт“ і “dog”, гряг, запам'ятай: я люблю каву"),
    ],
)
def test_what_the_asker_says_is_in_their_own_voice(quote, text):
    assert in_own_voice(quote, text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("їм м'яса", "гряг, запам'ятай: я не їм м'яса"),
        ("п'ю каву", "гряг, запам'ятай, що я ніколи зранку не «п'ю каву»"),
        ("eat meat", "gryag, remember that I don't eat meat"),
        ("eat meat", "gryag, remember that I don’t eat meat"),
        ("love coffee", "gryag, remember I never really love coffee"),
        ("я дурень", "Тарас каже, що я дурень, запам'ятай, гряг"),
        ("I hate jazz", "gryag, remember: Bob said I hate jazz"),
        ("я ненавиджу каву", "гряг, запам'ятай, що сказав Тарас: «я ненавиджу каву»"),
        ("я ненавиджу каву", "гряг, запам'ятай: Тарас: «я ненавиджу каву»"),
        ("Я ненавиджу каву", "гряг, запам'ятай слова Тараса: «Привіт. Я ненавиджу каву»"),
        ("I hate jazz", 'gryag, remember Bob: "Hi! I hate jazz"'),
        ("я люблю каву", "гряг, запам'ятай це.\n> я люблю каву"),
    ],
)
def test_what_is_anothers_or_said_otherwise_is_not(quote, text):
    assert not in_own_voice(quote, text)
