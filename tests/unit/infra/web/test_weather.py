"""The weather's adapter, against a strict server on this machine."""

import subprocess
import sys
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from infra.web.weather import OpenMeteo
from shared.application.ports.weather import Place
from shared.domain.errors import WeatherUnavailable
from tests.support.servers.open_meteo import FakeOpenMeteo


@pytest.fixture
async def server():
    async with FakeOpenMeteo() as fake:
        yield fake


@pytest.fixture
async def weather(server):
    adapter = OpenMeteo(api_url=server.url, places_url=server.url)
    yield adapter
    await adapter.aclose()


@pytest.mark.parametrize(
    ("asked", "language", "place"),
    [
        ("Львів", "uk", Place("Львів", "Львівська область", "Україна")),
        ("Lviv", "en", Place("Lviv", "Lviv Oblast", "Ukraine")),
        ("львів", "en", Place("Lviv", "Lviv Oblast", "Ukraine")),
        ("Atlantis", "uk", Place("Атлантида", "", "")),
    ],
)
async def test_a_place_is_found_in_either_language_and_named_in_the_askers(weather, asked, language, place):
    assert (await weather.forecast(asked, days=1, language=language)).place == place


async def test_the_weather_now_and_in_the_next_days(weather, server):
    forecast = await weather.forecast("Львів", days=2, language="uk")
    now, (today, tomorrow) = forecast.now, forecast.days
    assert (now.at, now.temperature, now.feels_like) == (datetime(2026, 11, 6, 20, 0), 4.2, 1.0)
    assert (now.humidity, now.wind, now.code) == (81, 3.4, 61)
    assert (today.day, tomorrow.day) == (date(2026, 11, 6), date(2026, 11, 7))
    assert (today.low, today.high, today.precipitation, today.chance, today.code) == (-0.5, 7.5, 1.2, 40, 3)
    assert server.asked[-1][1]["forecast_days"] == "2"


async def test_an_unknown_place_is_none(weather, server):
    assert await weather.forecast("Нарнія", days=1, language="uk") is None
    assert [path for path, _ in server.asked] == ["/v1/search"]


@pytest.mark.parametrize("status", [400, 429, 500, 503])
async def test_an_error_is_no_weather(weather, server, status):
    server.status = status
    with pytest.raises(WeatherUnavailable, match=str(status)):
        await weather.forecast("Львів", days=1, language="uk")


@pytest.mark.parametrize(
    "body", ["<html>", "[]", "7", '{"results": 7}', '{"results": [{}]}', '{"results": [{"latitude": "x"}]}']
)
async def test_an_answer_of_another_form_is_no_weather(weather, server, body):
    server.broken = body
    with pytest.raises(WeatherUnavailable, match="could not be read"):
        await weather.forecast("Львів", days=1, language="uk")


async def test_a_hang_ends_at_the_deadline(server):
    server.hang = 30
    slow = OpenMeteo(api_url=server.url, places_url=server.url, timeout=timedelta(seconds=0.1))
    with pytest.raises(WeatherUnavailable, match=r"within 0\.1 s"):
        await slow.forecast("Львів", days=1, language="uk")
    await slow.aclose()


async def test_nobody_there_is_no_weather(weather, server):
    await server.__aexit__()
    with pytest.raises(WeatherUnavailable, match="No answer"):
        await weather.forecast("Львів", days=1, language="uk")


async def test_closing_twice_is_fine_and_a_closed_adapter_reconnects(weather):
    await weather.aclose()
    assert await weather.forecast("Львів", days=1, language="uk")
    await weather.aclose()
    await weather.aclose()


def test_importing_the_adapter_imports_no_http_library():
    code = "import sys, infra.web.weather; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[4]).returncode == 0
