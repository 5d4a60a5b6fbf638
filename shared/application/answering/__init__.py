"""Answering: what an answer is made from, the talk with the model, its tools, and what is told of all that."""
