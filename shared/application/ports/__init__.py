"""The ports: what the use cases need of the world, one module each. The docstrings are the contract.

Every adapter of a port passes the same contract suite (`tests/contract`). Nothing is imported here: the webhook's cold
start loads the ports that an ordinary message needs, and no others.
"""
