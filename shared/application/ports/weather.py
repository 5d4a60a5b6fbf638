"""The weather. Named tuples, because every start of a worker defines them."""

from datetime import date, datetime
from typing import NamedTuple, Protocol

from shared.domain.text.language import Language


class Place(NamedTuple):
    """A place on the map; `region` and `country` are "" when the map does not say."""

    name: str
    region: str
    country: str


class Conditions(NamedTuple):
    """The weather now.

    Attributes:
        at: In the place's own time, without a zone.
        temperature, feels_like: Degrees Celsius.
        humidity: Per cent.
        wind: Metres a second.
        code: WMO code 4677 of the weather.
    """

    at: datetime
    temperature: float
    feels_like: float
    humidity: float
    wind: float
    code: int


class Day(NamedTuple):
    """The weather of one day: extremes in degrees Celsius, precipitation in millimetres and its chance in per cent."""

    day: date
    low: float
    high: float
    precipitation: float
    chance: float | None
    code: int


class Forecast(NamedTuple):
    """The weather of a place, today first."""

    place: Place
    now: Conditions
    days: tuple[Day, ...]


class Weather(Protocol):
    """A weather service."""

    async def forecast(self, place: str, *, days: int, language: Language) -> Forecast | None:
        """The weather now and in the next days; None when the service knows no such place.

        Args:
            place: As people call it, in the nominative, in any language.
            days: 1 to 7, today included.
            language: Of the place's name in what comes back.

        Raises:
            WeatherUnavailable: No answer in time, over its limits, or an answer of another form.
        """
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...
