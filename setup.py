"""Which packages there are: found, so that a new game is forgotten nowhere; see pyproject.toml."""

from setuptools import find_packages, setup

# The data travels with the package: a wheel has it as gamecore/data.
setup(packages=[*find_packages(include=["gamecore", "gamecore.*"]), "gamecore.data"])
