"""The weather of a place."""

from collections.abc import Mapping
from typing import Any

from shared.application.answering.tools.binding import ToolContext, ToolOutcome, bind, number_of, text_of
from shared.application.app import App
from shared.application.ports.weather import Forecast
from shared.domain.errors import ToolRefused, WeatherUnavailable
from shared.domain.text.data_files import read_data

_MAX_PLACE, _MAX_DAYS = 80, 7


async def _run(app: App, context: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    place = text_of(arguments, "place", most=_MAX_PLACE)
    days = number_of(arguments, "days", low=1, high=_MAX_DAYS, default=3)
    if app.weather is None:
        raise WeatherUnavailable("there is no weather service")
    forecast = await app.weather.forecast(place, days=days, language=context.language)
    if forecast is None:
        raise ToolRefused(f"no place is called {place!r}: ask where it is, or try its name in another language")
    return ToolOutcome(_forecast_to_json(forecast))


def _forecast_to_json(forecast: Forecast) -> dict[str, Any]:
    place, now = forecast.place, forecast.now
    sky: Mapping[str, str] = read_data(__package__, "sky")["words"]
    return {
        "place": ", ".join(dict.fromkeys(part for part in (place.name, place.region, place.country) if part)),
        "now": {
            "local_time": f"{now.at:%Y-%m-%d %H:%M}",
            "sky": sky.get(str(now.code), "unknown"),
            "celsius": now.temperature,
            "feels_like": now.feels_like,
            "humidity_percent": now.humidity,
            "wind_metres_per_second": now.wind,
        },
        "days": [
            {
                "date": day.day.isoformat(),
                "sky": sky.get(str(day.code), "unknown"),
                "celsius_low": day.low,
                "celsius_high": day.high,
                "precipitation_millimetres": day.precipitation,
                "precipitation_chance_percent": day.chance,
            }
            for day in forecast.days
        ],
    }


BINDING = bind("weather", _run)
