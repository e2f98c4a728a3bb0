"""The database that the analyst is asked about, made from a fixed seed: the same rows on every machine."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from datetime import date, timedelta

SCHEMA = """\
CREATE TABLE departments (name TEXT PRIMARY KEY, city TEXT, budget INTEGER);
CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT, department TEXT REFERENCES departments, salary INTEGER, hired_on TEXT);
CREATE TABLE absences (id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employees, kind TEXT, days INTEGER, starts_on TEXT);
"""

DEPARTMENTS = (
    ("Engineering", "Berlin", 1_400_000),
    ("Finance", "Lyon", 450_000),
    ("Marketing", "Lisbon", 380_000),
    ("Sales", "Lyon", 900_000),
    ("Support", "Lisbon", 520_000),
)
NAMES = (
    "Ada Brandt",
    "Bela Costa",
    "Carla Dias",
    "Dario Ebner",
    "Elin Falk",
    "Femi Grant",
    "Greta Holm",
    "Hugo Ibsen",
    "Ines Jansen",
    "Jonas Keller",
    "Kira Lopes",
    "Luca Moreau",
    "Mina Novak",
    "Nils Ortega",
    "Olga Petit",
    "Pavel Quint",
    "Rosa Rossi",
    "Sami Silva",
    "Tara Toth",
    "Uwe Unger",
    "Vera Vidal",
    "Wim Wolf",
    "Xenia York",
    "Yara Zeman",
    "Zeno Abel",
    "Alma Beck",
    "Boris Cruz",
    "Cleo Duarte",
    "David Engel",
    "Erika Frey",
)
KINDS = ("holiday", "holiday", "sick", "training")
ABSENCES = 60


class _Dice(random.Random):
    """Only ``random()`` is promised to give the same numbers in every Python version, so everything is drawn from it."""

    def between(self, low: int, high: int) -> int:
        return low + int(self.random() * (high - low + 1))

    def one_of(self, things: Sequence[str]) -> str:
        return things[int(self.random() * len(things))]


def open_people(seed: int = 2026) -> sqlite3.Connection:
    """A fresh database in memory: 5 departments, 30 employees, 60 absences of the year 2026."""
    dice = _Dice(seed)
    people = sqlite3.connect(":memory:", check_same_thread=False)
    people.executescript(SCHEMA)
    people.executemany("INSERT INTO departments VALUES (?, ?, ?)", DEPARTMENTS)
    departments = [name for name, _, _ in DEPARTMENTS]
    for number, name in enumerate(NAMES, start=1):
        hired = date(2015, 1, 1) + timedelta(days=dice.between(0, 4000))
        row = (number, name, dice.one_of(departments), dice.between(64, 220) * 500, hired.isoformat())
        people.execute("INSERT INTO employees VALUES (?, ?, ?, ?, ?)", row)
    for number in range(1, ABSENCES + 1):
        starts = date(2026, 1, 1) + timedelta(days=dice.between(0, 330))
        absence = (number, dice.between(1, len(NAMES)), dice.one_of(KINDS), dice.between(1, 10), starts.isoformat())
        people.execute("INSERT INTO absences VALUES (?, ?, ?, ?, ?)", absence)
    people.commit()
    return people
