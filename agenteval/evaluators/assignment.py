"""The best pairing of two lists by the credit of each pair."""

from __future__ import annotations

from collections.abc import Sequence

Pairs = list[tuple[int, int]]


def best_pairing(credit: Sequence[Sequence[float]]) -> Pairs:
    """Index pairs (row, column) with the largest total credit, each row and column at most once, pairs without credit left out.

    The Hungarian method with potentials, O(n² m) for n <= m. Source: Kuhn (1955), Naval Research Logistics Quarterly 2.

    >>> best_pairing([[1.0, 1.0], [1.0, 0.0]])
    [(0, 1), (1, 0)]
    """
    if not credit or not credit[0]:
        return []
    if len(credit) > len(credit[0]):
        return sorted((row, column) for column, row in best_pairing([list(line) for line in zip(*credit, strict=True)]))
    rows, columns = len(credit), len(credit[0])
    row_potential, column_potential = [0.0] * (rows + 1), [0.0] * (columns + 1)
    matched = [0] * (columns + 1)
    for row in range(1, rows + 1):
        matched[0] = row
        way, least, used = [0] * (columns + 1), [float("inf")] * (columns + 1), [False] * (columns + 1)
        column = 0
        while True:
            used[column] = True
            current, delta, following = matched[column], float("inf"), 0
            line, base = credit[current - 1], row_potential[current]
            for other in range(1, columns + 1):
                if used[other]:
                    continue
                slack = -line[other - 1] - base - column_potential[other]
                if slack < least[other]:
                    least[other], way[other] = slack, column
                if least[other] < delta:
                    delta, following = least[other], other
            for other in range(columns + 1):
                if used[other]:
                    row_potential[matched[other]] += delta
                    column_potential[other] -= delta
                else:
                    least[other] -= delta
            column = following
            if matched[column] == 0:
                break
        while column:
            matched[column] = matched[way[column]]
            column = way[column]
    pairs = [(matched[column] - 1, column - 1) for column in range(1, columns + 1) if matched[column]]
    return sorted((row, column) for row, column in pairs if credit[row][column] > 0)


def best_ordered_pairing(credit: Sequence[Sequence[float]]) -> Pairs:
    """The same with pairs that keep both orders: no two of them cross.

    >>> best_ordered_pairing([[0.0, 1.0], [1.0, 0.0]])
    [(1, 0)]
    """
    rows, columns = len(credit), len(credit[0]) if credit else 0
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            best[row][column] = max(best[row + 1][column], best[row][column + 1], best[row + 1][column + 1] + credit[row][column])
    pairs, row, column = [], 0, 0
    while row < rows and column < columns:
        if best[row][column] == best[row + 1][column]:
            row += 1
        elif best[row][column] == best[row][column + 1]:
            column += 1
        else:
            pairs.append((row, column))
            row, column = row + 1, column + 1
    return pairs
