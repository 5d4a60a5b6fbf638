"""The weather from Open-Meteo, which asks for no key: first where the place is, then what it is like there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from infra.web.tls import tls_context
from shared.domain.errors import WeatherUnavailable

if TYPE_CHECKING:
    from httpx import AsyncClient

    from shared.application.ports.weather import Conditions, Day, Forecast
    from shared.domain.text.language import Language

_CURRENT = "temperature_2m,apparent_temperature,relative_humidity_2m,wind_speed_10m,weather_code"
_DAILY = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max"


class OpenMeteo:
    """A `Weather`. The HTTP library is imported by the first question."""

    def __init__(self, *, api_url: str, places_url: str, timeout: timedelta = timedelta(seconds=4)) -> None:
        """Connects to nothing yet.

        Args:
            api_url: Of the forecast API (WEATHER_API_URL).
            places_url: Of the geocoding API (WEATHER_PLACES_URL).
            timeout: Bound on one forecast, both requests together.
        """
        self._api_url = api_url
        self._places_url = places_url
        self._seconds = timeout.total_seconds()
        self._client: AsyncClient | None = None

    async def forecast(self, place: str, *, days: int, language: Language) -> Forecast | None:
        """See `Weather.forecast`."""
        import httpx

        try:
            async with asyncio.timeout(self._seconds):
                found = await self._find(place, language)
                return None if found is None else await self._forecast(found, days)
        except TimeoutError as error:
            raise WeatherUnavailable(f"Open-Meteo did not answer within {self._seconds:g} s.") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise WeatherUnavailable(f"No answer of Open-Meteo: {type(error).__name__}.") from error
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise WeatherUnavailable(f"Open-Meteo's answer could not be read: {type(error).__name__}.") from error

    async def _find(self, place: str, language: Language) -> Mapping[str, Any] | None:
        asked = {"name": place, "count": "1", "language": language, "format": "json"}
        results = (await self._get(f"{self._places_url}/v1/search", asked)).get("results") or []
        found: Mapping[str, Any] | None = results[0] if results else None
        return found

    async def _forecast(self, found: Mapping[str, Any], days: int) -> Forecast:
        from shared.application.ports.weather import Forecast, Place

        asked = {
            "latitude": str(float(found["latitude"])),
            "longitude": str(float(found["longitude"])),
            "current": _CURRENT,
            "daily": _DAILY,
            "wind_speed_unit": "ms",
            "timezone": "auto",
            "forecast_days": str(days),
        }
        answer = await self._get(f"{self._api_url}/v1/forecast", asked)
        place = Place(str(found["name"]), str(found.get("admin1") or ""), str(found.get("country") or ""))
        return Forecast(place, _conditions(answer["current"]), _days(answer["daily"]))

    async def _get(self, url: str, asked: Mapping[str, str]) -> Mapping[str, Any]:
        response = await self._connect().get(url, params=dict(asked))
        if response.status_code != 200:
            raise WeatherUnavailable(f"Open-Meteo answered {response.status_code}.")
        answer: Mapping[str, Any] = response.json()
        return answer

    def _connect(self) -> AsyncClient:
        if self._client is None:
            import httpx

            self._client = httpx.AsyncClient(verify=tls_context(), timeout=self._seconds)
        return self._client

    async def aclose(self) -> None:
        """Release connections; the next question makes new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


def _conditions(current: Mapping[str, Any]) -> Conditions:
    from shared.application.ports.weather import Conditions

    return Conditions(
        at=datetime.fromisoformat(current["time"]),
        temperature=float(current["temperature_2m"]),
        feels_like=float(current["apparent_temperature"]),
        humidity=float(current["relative_humidity_2m"]),
        wind=float(current["wind_speed_10m"]),
        code=int(current["weather_code"]),
    )


def _days(daily: Mapping[str, Any]) -> tuple[Day, ...]:
    from shared.application.ports.weather import Day

    columns = [daily[name] for name in ("time", *_DAILY.split(","))]
    return tuple(
        Day(
            day=date.fromisoformat(day),
            low=float(low),
            high=float(high),
            precipitation=float(rain or 0),
            chance=None if chance is None else float(chance),
            code=int(code),
        )
        for day, code, high, low, rain, chance in zip(*columns, strict=True)
    )
