"""Load from outside, over HTTP: who arrives when is decided beforehand, and whoever waits is counted as waiting."""
