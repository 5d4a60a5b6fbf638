"""Facts that members state in words that can be recognised without a model, in Ukrainian and English alike.

Each message is cut into sentences and clauses, tried against tables of rows under guards, and what is found about the
chat is weighed by the members who agree. Pure, linear in the text, and silent when in doubt. Nothing is imported here:
an answer needs the guards, and not the tables (`extraction`).
"""
