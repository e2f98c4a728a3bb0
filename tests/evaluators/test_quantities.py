"""Which quantities a text states, and which of them it gives as its answer."""

from __future__ import annotations

import pytest

from agenteval.evaluators.finality import counted
from agenteval.evaluators.quantities import READ_LIMIT, read

# ruff: noqa: RUF001 (the typographic characters that answers hold)


STATED = [
    ("USD 1,200", [1200]),
    ("1,200 USD", [1200]),
    ("$1.5bn", [1500000000]),
    ("1.5bn", [1500000000]),
    ("3 × 10^4", [30000]),
    ("3 x 10^4", [30000]),
    ("6.02×10²³", [601999999999999995805696]),
    ("½", [0.5]),
    ("2½ cups", [2.5]),
    ("the 1st and 2nd", []),
    ("#12", []),
    ("as shown [1], 42", [42]),
    ("Step 3: 7 items", [7]),
    ("https://x.org/12/3?a=5 has 9", [9]),
    ("mail bob42@x.com 7", [7]),
    ("x2 and y3", []),
    ("0xFF 3", [3]),
    ("192.168.1.1", []),
    ("12 per cent", [12]),
    ("12 percent", [12]),
    ("between 3 and 5 items", []),
    ("rose from 3 to 5", [3, 5]),
    ("3 to 5 days", []),
    ("10–12%", []),
    ("$3-$5", []),
    ("$3 - $5", []),
    ("10 - 5 = 5", [5]),
    ("3 + 4 = 7", [7]),
    ("5/10", [0.5]),
    ("I scored 5/10 overall", [5, 10]),
    ("\\frac{1}{2}", [0.5]),
    ("-$5", [-5]),
    ("$-5", [-5]),
    ("($5)", [-5]),
    ("(€1,200)", [-1200]),
    ("loss of ($1.2M)", [-1200000]),
    ("f(5) gives 9", [5, 9]),
    ("minus 5 degrees", [-5]),
    ("−$1,200.50", [-1200.5]),
    ("July 20, 1969: 600 million people", [600000000]),
    ("On 20 July 1969", []),
    ("call +1 (555) 123-4567", []),
    ("(555) 123-4567", []),
    ("555-123-4567", []),
    ("555-1234", []),
    ("It is 3 p.m. and 21°C", [21]),
    ("12kg", [12]),
    ("10ms", [10]),
    ("5G and 3D, 4", [4]),
    ("1080p video, 30 fps", [30]),
    ("COVID-19 cases: 12", [12]),
    ("GPT-4o costs $5", [5]),
    ("H2O", []),
    ("7a3f9", []),
    ("1_000_000", [1000000]),
    ("1'000", [1000]),
    ("12,34,567", [1234567]),
    ("0,1", [0, 1]),
    ("1 000 000", [1000000]),
    ("the 1990s had 12", [12]),
    ("007", []),
    ("答案是42。", [42]),
    ("共30個", [30]),
    ("1.2万", [12000]),
    ("The answer is: **$1,234.50**.", [1234.5]),
    ("**Answer:** 72 of 90", [72]),
    ("#### 48", [48]),
    ("Total = 5 + 7 = 12 apples.", [12]),
    ("The answer to question 3 is 72", [72]),
    ("The answer is the sum of 5 and 7, which is 12", [5, 7, 12]),
    ("~~72~~ 73", [73]),
    ("72 is wrong", []),
    ("≠72, 73", [73]),
    ("isn't 72 but 73", [73]),
    ("It's 73, not 72.", [73]),
    ("1) alpha\n2) beta 8", [8]),
    ("(1) alpha (2) beta 8", [8]),
    ("1. First I loaded the data 2. The result is 99", [99]),
    ("42. That is it.", [42]),
    ("The count is 2. Then it stops.", [2]),
    ("1. The count is 2. Then done.", [2]),
    ("- 5 apples\n- 6 pears", [5, 6]),
    ("-5 apples", [-5]),
    ("twenty-five", [25]),
    ("two hundred and five", [205]),
    ("no one knows", []),
    ("one million", [1000000]),
    ("a dozen", [12]),
    ("1.2 million", [1200000]),
    ("$5m", [5000000]),
    ("5m", [5]),
    ("€ 5", [5]),
    ("5 €", [5]),
    ("Rs. 500", [500]),
    ("Rs500", [500]),
    ("US$5", [5]),
    ("2^10", [1024]),
    ("10^4", [10000]),
    ("1,234.56%", [1234.56]),
    ("5 out of 10", [5, 10]),
    ("ticket 48291; refund 12", [12]),
    ("order 1,200 units", [1200]),
    ("It is on page 12", [12]),
    ("On page 12 there are 5", [5]),
    ("2024-05", []),
    ("in 2024 there were 12", [2024, 12]),
    ('{"total": 42}', [42]),
    ("total:42", [42]),
    ("x=-5", [-5]),
    ("| a | (5) |", [-5]),
    ("Room temperature 21.5 °C", [21.5]),
    ("1.5e-3", [0.0015]),
    ("1E6", [1000000]),
    ("2e", [2]),
    ("3,5,7", [3, 5, 7]),
    ("[1, 2, 3]", [1, 2, 3]),
    ("9.99.", [9.99]),
    ("100%", [100]),
    ("\\$9,500", [9500]),
    ("50\\%", [50]),
    ("٣", [3]),
    ("１２", [12]),
    ("12-month plan", [12]),
    ("24/7", []),
    ("12:30:45.5", []),
    ("the year 1850", [1850]),
    ("Q3 revenue was $5.2 billion, up 12%", [5200000000, 12]),
    ("1,000.00", [1000]),
    ("approximately 1,500 (one thousand five hundred)", [1500]),
    ("v2 is 3", [3]),
    ("The final answer is 5. Actually, the final answer is 7.", [7]),
    ("answer: 5\nBut see 7", [5]),
    ("Approx. 72.5.", [72.5]),
    ("**30** and *12*", [30, 12]),
    ("The result is **72** out of 90", [72]),
    ("The correct answer is not 7 but 9", [9]),
    ("-1.5M", [-1500000]),
    ("10k-20k", []),
    ("3x faster", [3]),
    ("a 3.5x gain", [3.5]),
    ("5 000", [5000]),
    ("5 100 apples", [5, 100]),
    ("1920x1080", []),
    ("5-star", [5]),
    ("1/2 cup and 3 eggs", [1, 2, 3]),
    ("+5", [5]),
    ("±5", [5]),
    ("<5", [5]),
    (">= 10", [10]),
    ("ID: 8812 total 5", [5]),
    ("user id 77, 3 items", [3]),
    ("flight HAT136 $55", [55]),
    ("ending in 7447: $55", [7447, 55]),
    ("4.", [4]),
    ("4)", [4]),
    ("the answer is 72.5%.", [72.5]),
    ("2. Berlin 5\n3. Rome 6", [5, 6]),
    ("a=1, b=2", [1, 2]),
    ("12 * 4 = 48, then 48 + 2 = 50.", [50]),
    ("net loss of $(1,200)", [-1200]),
    ("phone 555 123 4567", []),
    ("It's 5pm. 3 tasks.", [3]),
    ("Between 2019 and 2021 it grew to 5M", [5_000_000]),
]


@pytest.mark.parametrize(("text", "stated"), STATED, ids=[text[:40] for text, _ in STATED])
def test_quantities_that_count(text: str, stated: list[float]) -> None:
    assert [float(found.value) for found in counted(read(text))[0]] == stated


@pytest.mark.parametrize(
    ("text", "value", "locale"),
    [
        ("1.234", 1234, "de"),
        ("1,5", 1.5, "de"),
        ("1.5", 1.5, "de"),
        ("1.234.567,89", 1234567.89, "de"),
        ("-1.234,5", -1234.5, "de_DE"),
        ("12,5 Mio.", 12_500_000, "de"),
        ("1 234,56", 1234.56, "fr"),
        ("1'234.50", 1234.5, "de-CH"),
        ("1,234.5", 1234.5, "en-GB"),
    ],
)
def test_a_locale_decides_what_separators_mean(text: str, value: float, locale: str) -> None:
    assert [float(found.value) for found in counted(read(text, locale))[0]] == [value]


def test_the_span_holds_sign_currency_and_percent_sign() -> None:
    text = "It fell by -$1,200.50, or 12 % in all"

    assert [text[found.start : found.end] for found in read(text).quantities] == ["-$1,200.50", "12 %"]


def test_a_percentage_knows_its_rate() -> None:
    (found,) = read("12.5%").quantities

    assert (float(found.value), float(found.rate)) == (12.5, 0.125)


def test_a_very_long_text_is_read_at_both_ends_only() -> None:
    found = read("7 apples " + "x " * READ_LIMIT + "and 9 pears")

    assert found.cut
    assert [int(quantity.value) for quantity in found.quantities] == [7, 9]


@pytest.mark.parametrize(
    "piece", ["1 ", "1", "1-", "a1", "1.", "1. x\n", "**", "(", "answer is 5 ", "数1", "=5", "[1,", "$", "\\boxed{", "one hundred and "]
)
def test_hostile_texts_are_read_in_bounded_time(piece: str) -> None:
    assert counted(read(piece * (3_000_000 // len(piece)))) is not None
