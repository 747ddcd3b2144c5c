"""One colour for one thing, everywhere in the book.

Pages ask by name, ``colour("MSUCB1")``, so that a player, a feature set or a side looks the same in
every figure of every chapter. All colours are Okabe and Ito's, which colour-blind readers can tell
apart; one hue can stand for things that never meet in one figure.
"""

from gamecore import check

#: Okabe and Ito's palette, and the grey of what is only a frame of reference.
HUES = {
    "blue": "#0072B2", "orange": "#E69F00", "green": "#009E73", "red": "#D55E00",
    "purple": "#CC79A7", "sky": "#56B4E9", "yellow": "#F0E442", "grey": "#7F7F7F",
}  # fmt: skip
#: Drawn black on paper and light in a dark page; figures never say "black".
INK = "#010203"
#: Under a figure, white on paper and dark in a dark page.
GROUND = "#fdfdfe"

#: Which hue stands for what.
NAMES = {
    # every chapter
    "ours": "blue", "published": "red", "reference": "grey", "emphasis": "red",
    "win": "blue", "draw": "grey", "loss": "orange",
    "fictitious play": "blue", "regret matching": "sky", "regret matching+": "purple",
    # rps: its pairings
    "rocky - nash": "orange", "copycat - rocky": "green", "copycat - nash": "purple",
    # Daifugo: its seats
    "Sontaku": "purple", "CPUA": "sky", "CPUB": "orange", "CPUC": "green",
    # Goofspiel: sets of features, by whether the prize (C) and the deck (D) are among them
    "C and D": "blue", "C, not D": "orange", "D, not C": "green", "neither C nor D": "grey",
    "no abstraction": "purple", "networks": "sky", "exchanged inputs": "red",
    # Pokémon: players (Nash is drawn in ink), the actions of a position, readers of habits
    "uniform noise": "blue", "variable noise": "sky", "δ-Nash": "grey",
    "attack bias": "red", "switch bias": "purple", "effective bias": "green",
    "ineffective bias": "orange",
    "action 1": "grey", "action 2": "blue", "action 3": "green", "action 4": "orange",
    "action 5": "purple",
    "bare reader": "blue", "steady reader": "red", "safe reader": "green", "best reply": "orange",
    # Geister: players, pieces, readings, memories, endings
    "random": "grey", "charge": "orange", "purple AI": "purple", "anti-purple": "green",
    "CFR-A": "blue", "CFR-B": "red", "blue piece": "blue", "red piece": "red",
    "decisions": "blue", "chance": "green", "no memory": "grey", "equal weights": "orange",
    "habits": "blue", "habits, half trust": "green", "mirror": "purple",
    "worst of four": "orange", "response": "blue", "blind response": "green",
    "blue-taking win": "blue", "red-giving win": "purple", "escape win": "green",
    "red-taking loss": "red", "blue-taken loss": "orange", "escape loss": "yellow",
    "4×4": "blue", "5×5": "orange",
    # Triomineering: sides and outcome classes
    "V": "blue", "D": "grey", "H": "orange", "VD": "sky", "HD": "yellow", "VHD": "purple",
    # Triomineering: players, and what they become in a tree
    "MC": "grey", "SimpleUCB0.5": "purple", "SimpleUCB1": "red", "MSUCB1": "orange",
    "MSUCB1.5": "blue", "MSUCT": "green", "MSUCT, c = 0.5": "green",
    "Exp3": "grey", "DUCT(mix)": "red", "DUCT(max)": "red",
    # Triomineering: readings of figure 3 and of the filter, models of a draw, pairs
    "constant step": "orange",
    "dropped while others remain": "blue", "always dropped": "orange",
    "opponent's draw ½": "blue", "opponent's draw 1 − U": "orange", "correct": "green",
    "a1b1": "green", "a1b2": "orange", "a2b1": "purple", "a2b2": "blue",
    "6×6, empty": "blue", "6×6 after a random round": "orange", "8×4, V": "green",
}  # fmt: skip


def colour(name: str) -> str:
    """Return the colour of a player, a feature set, a side or a result.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Raises
    ------
    ValueError
        If nothing is called so.

    Examples
    --------
    >>> colour("ours")
    '#0072B2'
    """
    return HUES[NAMES[check.one_of(name, "name", tuple(NAMES))]]
