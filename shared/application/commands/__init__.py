"""The `/gryad…` commands and the buttons under what they say.

`table` lists all of them with who may use them; `dispatch` checks that and runs one; each other module is one command
or a few that belong together. Nothing here is imported before the first command comes.
"""
