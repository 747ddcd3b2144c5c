"""The card of the chapter on rock-paper-scissors."""

TITLE = "A first experiment"
PAPER = "a practice report on rock-paper-scissors"
SHOWS = "the shortest chapter, the template for one more paper"
TEXT = """
Can anybody be good at rock-paper-scissors? Only against somebody with a habit: nobody beats an even
mixture. This is the shortest chapter. It shows on one page how the book works, from the rules to a
verdict, and is the template for one more paper.
"""
