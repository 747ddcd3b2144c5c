"""How each game's widget is driven: by kernels on two engines, and by clicks in a browser.

A module has ``walk(table, random)``, which plays at a table with moves drawn from a generator of
Python's `random`, and gives what it saw; and ``GAMES``, by widget: parameters of the address, and a
function that plays to the end with a page's clicks.
"""
