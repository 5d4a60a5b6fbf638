"""Arithmetic as people and models write it, worked out without `eval` and within bounds.

The expression is parsed by simpleeval, which knows operators, numbers and the functions below and nothing else. What is
not the value of a root or the like is worked out exactly, in fractions: 1 % 0.1 is 0. Every number on the way stays
below `MAX_BITS`, so no power and no factorial can take long, whatever is asked.
"""

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

MAX_EXPRESSION = 300
"""Characters: longer is no sum that somebody asks in a chat."""

MAX_BITS = 4_096
"""The size of any whole number on the way: 1,233 digits."""

_DIGITS, _MOST_DIGITS = 12, 15
"""Significant digits of what is not exact that are shown, more only for the sake of two decimals; and what the machine
is sure of at most."""

_SHOWN = 40
"""Digits of a whole number that are shown in full."""

_SIGNS = str.maketrans({
    "×": "*", "∗": "*", "⋅": "*", "·": "*", "•": "*", "÷": "/", "∕": "/", "⁄": "/", "−": "-", "–": "-", "—": "-",
    "^": "**", "√": "sqrt", "π": "pi", "{": "(", "}": ")", "[": "(", "]": ")", "²": "**2", "³": "**3", ":": "/",
})  # fmt: skip
_SUMS = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Constant, ast.Call, ast.Name, ast.Load)
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
_WITH_COMMAS = re.compile(r"(?<![\d.,])\d+(?:,\d+)+(?:\.\d+)?")
_THOUSANDS = re.compile(r"\d{1,3}(?:(?:,\d{3}){2,}(?:\.\d+)?|,\d{3}\.\d+)")
_AMBIGUOUS = re.compile(r"[1-9]\d{0,2},\d{3}")
_CALLED = re.compile(r"([a-z]\w*)\s*$", re.IGNORECASE)
_OF_SEVERAL = ("log", "round", "gcd", "min", "max", "hypot", "pow")
"""Functions between whose brackets a comma parts two numbers."""
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%(?!\s*[\w(.])")


class CalculationError(ValueError):
    """It cannot be worked out; the message says why, in English, for a model."""


def calculate(expression: str) -> str:
    """The value of an arithmetic expression, as text.

    Understood are + - * / // % ** and ^, × ÷ − · √ π, brackets, decimal points and commas, spaces between thousands, a
    percentage as a number ("15%"), and the functions abs, round, sqrt, exp, ln, log, log10, log2, sin, cos, tan, asin,
    acos, atan (radians), radians, degrees, floor, ceil, factorial, gcd, min, max, hypot, pow.

    Raises:
        CalculationError: It is too long or no arithmetic, has no finite value, or its value is out of bounds.
    """
    from simpleeval import InvalidExpression, SimpleEval

    written = _normalise(expression)
    evaluator = SimpleEval(operators=_operators(), functions=_functions(), names={"pi": math.pi, "e": math.e})
    evaluator.nodes[ast.Constant] = lambda node: _literal(node.value)
    try:
        return _format_digits(_bound_number(evaluator.eval(written, previously_parsed=_sum(written))))
    except CalculationError:
        raise
    except ZeroDivisionError as error:
        raise CalculationError("division by zero") from error
    except OverflowError as error:
        raise CalculationError("the number is too large") from error
    except (InvalidExpression, SyntaxError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise CalculationError(f"this is no arithmetic that can be worked out ({type(error).__name__})") from error
    except (RecursionError, MemoryError) as error:
        raise CalculationError("the expression is nested too deeply") from error


# --- reading ------------------------------------------------------------------------------------


def _normalise(expression: str) -> str:
    if len(expression) > MAX_EXPRESSION:
        raise CalculationError(f"the expression is longer than {MAX_EXPRESSION} characters")
    text = "".join(" " if unicodedata.category(char) == "Zs" else char for char in expression).translate(_SIGNS)
    return _PERCENT.sub(r"(\1/100)", _normalise_numbers(text.strip().removesuffix("=").strip()))


def _normalise_numbers(text: str) -> str:
    """Numbers with a decimal point and without marks between thousands; commas stay between the numbers of a call."""
    text = _GROUPED.sub(lambda match: match[0].replace(" ", ""), text)
    parting = _parting_commas(text)

    def spell_out(match: re.Match[str]) -> str:
        number = match[0]
        if any(match.start() <= at < match.end() for at in parting):
            return number
        if _THOUSANDS.fullmatch(number):
            return number.replace(",", "")
        if _AMBIGUOUS.fullmatch(number):
            either = (number.replace(",", "."), number.replace(",", ""))
            raise CalculationError(f"{number} may mean {either[0]} or {either[1]}: write one of them")
        return number.replace(",", ".") if number.count(",") == 1 else number

    return _WITH_COMMAS.sub(spell_out, text)


def _parting_commas(text: str) -> list[int]:
    """Return where commas stand right within the brackets of a function of several numbers."""
    found: list[int] = []
    brackets: list[bool] = []
    for at, char in enumerate(text):
        if char == "(":
            called = _CALLED.search(text[:at])
            brackets.append(called is not None and called[1] in _OF_SEVERAL)
        elif char == ")" and brackets:
            brackets.pop()
        elif char == "," and brackets and brackets[-1]:
            found.append(at)
    return found


def _sum(written: str) -> ast.expr:
    """The expression's tree. simpleeval would also take assignments, attributes and texts: nothing that a sum needs."""
    tree = ast.parse(written, mode="eval").body
    if any(not isinstance(node, _SUMS) for node in ast.walk(tree)):
        raise CalculationError("this is no arithmetic that can be worked out")
    return tree


# --- working out --------------------------------------------------------------------------------


_Number = int | float | Fraction


def _literal(value: Any) -> Any:
    """A decimal fraction as it is written, not as the machine rounds it; anything else is left to `_bound_number`."""
    return Fraction(str(value)) if isinstance(value, float) and math.isfinite(value) else value


def _bound_number(given: Any) -> _Number:
    """The value, if it is a number that one can go on with; a fraction of too many digits is rounded."""
    if isinstance(given, bool) or not isinstance(given, _Number):
        raise CalculationError("only real numbers can be worked out")
    value: _Number = given
    if isinstance(value, Fraction):
        value = value.numerator if value.denominator == 1 else value
    if isinstance(value, Fraction) and _bits(value) > MAX_BITS:
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise CalculationError("the number is not finite")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise CalculationError("the number is too large")
    return value


def _bits(value: int | Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _bound_function(function: Callable[..., Any]) -> Callable[..., _Number]:
    def work_out(*numbers: Any) -> _Number:
        return _bound_number(function(*map(_bound_number, numbers)))

    return work_out


def _quotient(dividend: _Number, divisor: _Number) -> _Number:
    if isinstance(dividend, float) or isinstance(divisor, float):
        return float(dividend) / float(divisor)
    return Fraction(dividend) / Fraction(divisor)


def _power(base: _Number, exponent: _Number) -> Any:
    if not isinstance(exponent, int):
        return float(base) ** float(exponent)
    if isinstance(base, float):
        return base**exponent
    if abs(base) == 1 or not base or _bits(base) * abs(exponent) <= 2 * MAX_BITS:
        return Fraction(base) ** exponent
    if isinstance(base, int):
        raise CalculationError("the number is too large")
    return float(base) ** exponent


def _factorial(number: _Number) -> int:
    if number != int(number) or number < 0:
        raise CalculationError("a factorial is of a whole number that is not negative")
    if number > MAX_BITS // 8:
        raise CalculationError("the number is too large")
    return math.factorial(int(number))


def _round(number: _Number, digits: _Number = 0) -> _Number:
    places = int(digits)
    if digits != places or abs(places) > 2 * _DIGITS:
        raise CalculationError(f"round to at most {2 * _DIGITS} digits")
    return number.__round__(places) if places else round(number)


@cache
def _operators() -> Mapping[type[ast.AST], Callable[..., Any]]:
    known: dict[type[ast.AST], Callable[..., Any]] = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: _quotient,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
        ast.Pow: _power,
        ast.UAdd: operator.pos,
        ast.USub: operator.neg,
    }
    return {sign: _bound_function(function) for sign, function in known.items()}


@cache
def _functions() -> Mapping[str, Callable[..., Any]]:
    plain = ("sqrt", "exp", "log", "log10", "log2", "sin", "cos", "tan", "asin", "acos", "atan")
    more = ("radians", "degrees", "floor", "ceil", "gcd", "hypot")
    known = {name: getattr(math, name) for name in (*plain, *more)}
    known |= {"abs": abs, "min": min, "max": max, "round": _round, "ln": math.log, "pow": _power}
    return {name: _bound_function(function) for name, function in (known | {"factorial": _factorial}).items()}


# --- telling ------------------------------------------------------------------------------------


def _format_digits(value: _Number) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        value = int(value)
    if isinstance(value, Fraction):
        return _decimal(value)
    if isinstance(value, float):
        return f"{value:.{_DIGITS}g}"
    digits = str(int(value))
    return digits if len(digits) <= _SHOWN else f"{_scientific(digits)} ({len(digits.lstrip('-'))} digits)"


def _decimal(value: Fraction) -> str:
    """All decimals where there are few, else as many as are sure to be right."""
    scaled, whole = value * 10**_DIGITS, len(str(abs(int(value))))
    if scaled.denominator == 1 and whole <= _SHOWN:
        digits = f"{abs(scaled.numerator):0{_DIGITS + 1}d}"
        sign = "-" if value < 0 else ""
        return f"{sign}{digits[:-_DIGITS]}.{digits[-_DIGITS:].rstrip('0')}"
    return f"{float(value):.{min(_MOST_DIGITS, max(_DIGITS, whole + 2))}g}"


def _scientific(digits: str) -> str:
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    return f"{sign}{digits[0]}.{digits[1:_DIGITS]}e+{len(digits) - 1}"
