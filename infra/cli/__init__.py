"""`python -m infra.cli`: what an operator does by hand. Each command is a use case with a face."""
