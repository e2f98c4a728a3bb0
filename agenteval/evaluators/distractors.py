"""Digits in text that are no quantities: dates, times, identifiers, versions, phone numbers, links, list and step markers."""

# ruff: noqa: RUF001 (the typographic characters that answers hold)

from __future__ import annotations

import re

_MONTH = (
    r"(?:Jan(?:uary?)?|Feb(?:ruary?)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|Jun[ei]?|Jul[yi]?|Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?"
    r"|Nov(?:ember)?|De[cz](?:ember)?)"
)
_LATIN = r"A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff"
_CURRENCY_CODES = r"(?:USD|EUR|GBP|JPY|CHF|INR|CAD|AUD|NZD|SEK|NOK|DKK|CNY|Rs|US|CA|AU|NZ|HK|R)"
_LABELS = (
    r"pages?|rooms?|rows?|lines?|chapters?|sections?|tables?|figures?|weeks?|days?|levels?|questions?|options?|items?|phase|stage|part"
    r"|grade|gate|rule|problem|exercise|example|case|run|job|ticket|order|invoice|issue|request|incident|reservation|booking|flight|account"
)

PATTERNS = rf"""
  (?:https?|ftp)://[^\s<>"'\]|]+ | \bwww\.[^\s<>"'\]|]+
| (?<![\w-])[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}}(?![\w-])
| (?<!\w)0[xX][0-9a-fA-F]+
| (?<![\#\w])[\#№][ ]?\d[\w-]*
| (?<![\w.])\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:[T ]\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)
| (?<![\w.])\d{{1,2}}(?P<ds>[-/.])\d{{1,2}}(?P=ds)\d{{2,4}}(?![\d.])
| (?<![\w.-])\d{{4}}-(?:0[1-9]|1[0-2])(?![\d-]|\.\d)
| (?<![\w.:])\d{{1,2}}:[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?(?:[ ]?[aApP]\.?[mM]\b\.?)?(?![\w:])
| (?<![\w.])\d{{1,2}}[ ]?(?:[aApP]\.[mM]\.|[aApP][mM]\b|Uhr\b|o['’]clock\b)
| \b{_MONTH}\.?[ ]+\d{{1,2}}(?:st|nd|rd|th)?(?:[ ]?[-–][ ]?\d{{1,2}})?(?:,?[ ]+\d{{4}})?(?!\d|[.,:]\d|[%€])
| \b{_MONTH}\.?,?[ ]+\d{{4}}(?!\d|[.,]\d)
| (?<![\w.,])\d{{1,2}}(?:st|nd|rd|th|\.)?[ ](?:of[ ])?{_MONTH}\b\.?(?:,?[ ]+\d{{4}}(?!\d))?
| (?<![^\W_])[vV]\d[\w.-]* | \b[vV]ersion[ ]+\d[\w.-]*
| (?<![\w.])(?!\d{{1,3}}(?:\.\d{{3}})+(?![\d.]))\d+(?:\.\d+){{2,}}[\w-]*
| (?<![\w.])\+\d{{1,3}}[ .-]\(?\d[\d ().-]{{5,18}}\d(?!\d) | \(\d{{3}}\)[ ]?\d{{3}}[-. ]\d{{4}}(?!\d)
| (?<![\w.-])(?:\d[-.\x20])?\d{{3}}(?P<ps>[-. ])\d{{3}}(?P=ps)\d{{4}}(?![\w-]) | (?<![\w.,-])\d{{3}}-\d{{4}}(?![\w-])
| (?<![\w.-])\d{{3}}-\d\d-\d{{4}}(?![\w-]) | (?<![\w.-])\d{{4}}(?P<cs>[ -])\d{{4}}(?P=cs)\d{{4}}(?P=cs)\d{{4}}(?![\w-])
| \b(?:[tT]icket|[oO]rder|[iI]nvoice|[iI]ssue|PR|[aA]ccount|[rR]equest|[iI]ncident|[rR]eservation|[bB]ooking|[tT]racking|[rR]ef(?:erence)?
    |[sS]erial|SKU|[fF]light|[pP]olicy|[cC]ase)\b\.?[ ]*(?:(?:number|no\.?|nr\.?|code)[ ]*(?:is[ ]+)?:?[ ]*)?\d{{4,}}(?![\d.,]\d)[\w-]*
| \b(?:[tT]icket|[oO]rder|[iI]nvoice|[aA]ccount|[tT]racking|[sS]erial|[pP]hone|[rR]eference)
    [ ](?:number|no\.?|nr\.?)[ ]*(?:is[ ]+)?:?[ ]*\d[\w-]*
| \b(?:ID|Id|id|ZIP|[zZ]ip|[pP]ostcode)(?:[ ]code|s)?[ ]*(?:is[ ]+|[:=#])?[ ]*[\w-]{{0,20}}\d[\w-]*
| \b[sS]tep[ ]+\d+(?:\.\d+)*
| (?<![{_LATIN}\d_$\\])(?!{_CURRENCY_CODES}[ ]?[\d$]|[eE]-?\d)[{_LATIN}]{{1,24}}[-_]?\d[\w-]*
| (?<![\w.])\d+(?:,\d{{3}})*(?:st|nd|rd|th)\b | \d+[ºª]
| (?<![\w.])\d{{3}}0s\b | ['’]\d0s\b
| (?<![\w.])\d+(?:x\d+)+\b
| (?<![\w.])\d+(?:[DG]|FA|WD|p|(?![eE]\d+\b)[a-f]+\d[\da-f]*)\b(?!\w)
| (?<![\w.])\d[\w-]{{0,40}}\.(?:csv|pdf|json|txt|xlsx?|py|png|jpe?g|md|ya?ml|log|zip)\b
| (?<![\w.])24/7\b
"""
"""Verbose regular expression of what is read over; each alternative is linear or bounded."""

SOFT = (
    rf"(?:(?<![\w])(?i:{_LABELS})[ ]+(?=\d{{1,5}}(?![\d,.:]\d|\d)))"
    r"|(?:(?<=[^\s:=,(\[|])[ ]?\[(?=\d{1,3}(?:[,;–-][ ]?\d{1,3})*\](?!\()))"
)
"""What stands before a number that is only a label or a citation: it counts where no quantity is found."""

_MARKER = re.compile(r"(?m)(?P<line>^[ \t>*•#-]*)?(?<![^\s(>*•#-])\(?(?P<number>\d{1,3})[.)](?=\s+\S)")
_LINKS_TO_VALUE = re.compile(
    r"(?:\b(?:is|are|was|were|be|of|to|about|equals|and|or|than|has|have|had|with|by|in|at|for|total|=)|[=:≈~$€£+*/−-])[\s*_(]*$",
    re.IGNORECASE,
)


def list_markers(text: str) -> tuple[frozenset[int], bool]:
    """Where the digits of list markers stand, and whether there is but a single one (then it may be a short answer).

    A marker opens a line and is 1, or follows or is followed by its neighbour; once a list has begun, its next number may also stand
    inside a line, unless the words before it lead to a value.
    """
    if ". " not in text and ") " not in text and ".\n" not in text and ")\n" not in text:
        return frozenset(), False
    found = [
        (int(match["number"]), match.start("number"), match["line"] is not None)
        for match in _MARKER.finditer(text)
        if match["number"].isascii()
    ]
    openers = {number for number, _, opens in found if opens}
    starts: set[int] = set()
    last: int | None = None
    for number, start, opens in found:
        if opens:
            belongs = number <= 1 or number - 1 in openers or number + 1 in openers or last == number - 1
        else:
            belongs = last == number - 1 and not _LINKS_TO_VALUE.search(text[max(0, start - 24) : start])
        if belongs:
            starts.add(start)
            last = number
    return frozenset(starts), len(starts) == 1
