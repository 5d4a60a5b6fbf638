"""The bundles that are deployed: for each function main.py, requirements.txt and what it can import of our code.

A bundle is derived from the sources and the lock, nothing is listed by hand but what a function never comes to
(`NEVER_REACHED`). Same sources, same bytes: a zip's name in the bucket is its hash, and a function is deployed anew
only when that changes.
"""

from infra.bundle.making import FUNCTIONS, Bundle, bundles, pack, stage
from infra.bundle.sources import BundleError

__all__ = ["FUNCTIONS", "Bundle", "BundleError", "bundles", "pack", "stage"]
