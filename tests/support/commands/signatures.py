"""What functions take and return, by names."""

import re
from collections.abc import Callable
from inspect import formatannotation, signature
from typing import Any


def name_annotation(annotation: Any) -> str:
    """Return an annotation as it is written, without modules."""
    written = annotation if isinstance(annotation, str) else formatannotation(annotation)
    return re.sub(r"\b(?:\w+\.)+", "", written)


def parameters_of(function: Callable[..., Any]) -> list[str]:
    """Return what the parameters of a function are that must be given."""
    needed = (each for each in signature(function).parameters.values() if each.default is each.empty)
    return [name_annotation(each.annotation) for each in needed]


def result_of(function: Callable[..., Any]) -> str:
    """Return what a function returns."""
    return name_annotation(signature(function).return_annotation)
