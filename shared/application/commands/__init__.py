"""The `/gryad…` commands and the buttons under what they say.

`table` lists the commands and `buttons` what the buttons do, with who may; `dispatch` and `intake.gestures` check that
and run one; each other module is one command or a few that belong together. Nothing here is imported before the first
command comes.
"""
