"""A strict Open-Meteo on 127.0.0.1: both its APIs, and the errors that the real ones answer with.

async with FakeOpenMeteo() as weather:
    OpenMeteo(api_url=weather.url, places_url=weather.url)
"""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any

from aiohttp import web

_PLACES = {
    "львів": {"uk": ("Львів", "Львівська область", "Україна"), "en": ("Lviv", "Lviv Oblast", "Ukraine")},
    "lviv": {"uk": ("Львів", "Львівська область", "Україна"), "en": ("Lviv", "Lviv Oblast", "Ukraine")},
    "atlantis": {"uk": ("Атлантида", None, None), "en": ("Atlantis", None, None)},
}
_CURRENT = {
    "temperature_2m": 4.2,
    "apparent_temperature": 1.0,
    "relative_humidity_2m": 81,
    "wind_speed_10m": 3.4,
    "weather_code": 61,
    "precipitation": 0.1,
}
_DAILY = {
    "weather_code": 3,
    "temperature_2m_max": 7.5,
    "temperature_2m_min": -0.5,
    "precipitation_sum": 1.2,
    "precipitation_probability_max": 40,
}
_FIRST = date(2026, 11, 6)


class FakeOpenMeteo:
    """The server.

    Attributes:
        asked: Every accepted request, as (path, parameters).
        broken: Sent with status 200 instead of an answer, when set.
        status: Answered instead, when not 200.
        hang: Seconds before an answer.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.broken: str | None = None
        self.status = 200
        self.hang = 0.0
        self.url = ""

    @property
    def environment(self) -> dict[str, str]:
        """Settings with which Spomyn talks to this server."""
        return {"WEATHER_API_URL": self.url, "WEATHER_PLACES_URL": self.url}

    async def __aenter__(self) -> FakeOpenMeteo:
        app = web.Application()
        app.router.add_get("/v1/search", self._serve)
        app.router.add_get("/v1/forecast", self._serve)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._runner.cleanup()

    async def _serve(self, raw: web.Request) -> web.Response:
        await asyncio.sleep(self.hang)
        if self.status != 200:
            return _error(self.status, "Minutely API request limit exceeded. Please try again in one minute.")
        if self.broken is not None:
            return web.Response(text=self.broken, content_type="application/json")
        asked = dict(raw.query)
        self.asked.append((raw.path, asked))
        return _places(asked) if raw.path.endswith("search") else _weather(asked)


def _error(status: int, reason: str) -> web.Response:
    return web.json_response({"error": True, "reason": reason}, status=status)


def _places(asked: dict[str, str]) -> web.Response:
    if set(asked) - {"name", "count", "language", "format"} or not asked.get("name"):
        return _error(400, "Parameter 'name' must be set.")
    known = _PLACES.get(asked["name"].casefold())
    if known is None:
        return web.json_response({"generationtime_ms": 0.5})
    name, region, country = known[asked.get("language", "en")]
    place: dict[str, Any] = {"id": 1, "name": name, "latitude": 49.83826, "longitude": 24.02324, "timezone": "x"}
    place |= {"admin1": region} if region else {}
    return web.json_response({"results": [place | ({"country": country} if country else {})]})


def _weather(asked: dict[str, str]) -> web.Response:
    known = {"latitude", "longitude", "current", "daily", "wind_speed_unit", "timezone", "forecast_days"}
    if set(asked) - known or ("daily" in asked and "timezone" not in asked):
        return _error(400, "Timezone is required")
    days = int(asked.get("forecast_days", "7"))
    current, daily = asked["current"].split(","), asked["daily"].split(",")
    if not 0 <= days <= 16 or set(current) - set(_CURRENT) or set(daily) - set(_DAILY):
        return _error(400, "Cannot initialize ForecastVariable from invalid String value")
    if not (-90 <= float(asked["latitude"]) <= 90 and asked.get("wind_speed_unit") in {"kmh", "ms", "mph", "kn"}):
        return _error(400, "Latitude must be in range of -90 to 90°.")
    return web.json_response(
        {
            "latitude": float(asked["latitude"]),
            "timezone": "Europe/Kyiv",
            "current": {"time": "2026-11-06T20:00", "interval": 900} | {name: _CURRENT[name] for name in current},
            "daily": {"time": [(_FIRST + timedelta(days=n)).isoformat() for n in range(days)]}
            | {name: [_DAILY[name]] * days for name in daily},
        }
    )
