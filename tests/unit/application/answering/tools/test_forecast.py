"""The weather, told in words and figures."""

import pytest

from shared.application.answering.tools import forecast
from shared.domain.errors import ToolRefused, WeatherUnavailable
from tests.unit.application.answering.tools.peers import Sky


async def test_the_weather_is_told_in_words_and_figures(chat, asked):
    chat.having(weather=Sky())
    told = (await chat.run(forecast.BINDING, asked, {"place": "Львів", "days": 2})).response
    assert told["place"] == "Львів, Україна"
    assert (told["now"]["sky"], told["now"]["celsius"]) == ("light rain", 4.2)
    assert [day["sky"] for day in told["days"]] == ["overcast", "overcast"]
    assert chat.app.weather.asked == [("Львів", 2, "uk")]


@pytest.mark.parametrize(("days", "meant"), [(99, 7), (-5, 1), (2.0, 2), (None, 3)])
async def test_more_days_than_there_are_become_as_many_as_there_are(chat, asked, days, meant):
    chat.having(weather=Sky())
    await chat.run(forecast.BINDING, asked, {"place": "Львів"} | ({} if days is None else {"days": days}))
    assert chat.app.weather.asked[0][1] == meant


@pytest.mark.parametrize("days", ["three", True, 1.5, [], float("nan")])
async def test_days_that_are_no_number_are_refused(chat, asked, days):
    with pytest.raises(ToolRefused, match="days"):
        await chat.run(forecast.BINDING, asked, {"place": "Львів", "days": days})


async def test_an_unknown_place_is_said_and_an_unknown_sky_is_survived(chat, asked):
    chat.having(weather=Sky(code=12345))
    with pytest.raises(ToolRefused, match="Нарнія"):
        await chat.run(forecast.BINDING, asked, {"place": "Нарнія"})
    told = await chat.run(forecast.BINDING, asked, {"place": "Львів"})
    assert told.response["now"]["sky"] == "unknown"


async def test_no_service_is_an_outage(chat, asked):
    with pytest.raises(WeatherUnavailable):
        await chat.run(forecast.BINDING, asked, {"place": "Львів"})
