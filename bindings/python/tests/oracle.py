# SPDX-License-Identifier: BSD-3-Clause
"""The alignment that docs/exactness.md defines, computed cell by cell from its text."""
MODES = {"global": (), "semiglobal": ("target_begin", "target_end"), "extend_to_end": ("query_end", "target_end"),
         "overlap": ("query_begin", "query_end", "target_begin", "target_end"),
         "local": "local", "extend": "extend", "extend_left": "extend_left"}


def align(query, target, pair_score, gap_open, gap_extend, free=()):
    """(score, (query begin, query end, target begin, target end), CIGAR); `free` names free ends, or a mode."""
    m, n, least = len(query), len(target), float("-inf")
    begins_anywhere, ends_anywhere = free in ("local", "extend_left"), free in ("local", "extend")
    first = gap_open + gap_extend
    H, E, F = ([[least] * (n + 1) for _ in range(m + 1)] for _ in range(3))
    for i in range(m + 1):
        for j in range(n + 1):
            if i and j:
                E[i][j] = max(E[i][j - 1] - gap_extend, H[i][j - 1] - first)
                F[i][j] = max(F[i - 1][j] - gap_extend, H[i - 1][j] - first)
                H[i][j] = max(H[i - 1][j - 1] + pair_score(query[i - 1], target[j - 1]), E[i][j], F[i][j])
                H[i][j] = max(H[i][j], 0) if begins_anywhere else H[i][j]
            else:
                begins = begins_anywhere or i + j == 0 or ("query_begin" if i else "target_begin") in free
                H[i][j] = 0 if begins else -(gap_open + gap_extend * (i + j))
    ends = [(i, j) for j in range(n + 1) for i in range(m + 1)  # by columns: the first of the best is taken
            if ends_anywhere or (i, j) == (m, n) or (j == n and "query_end" in free) or (i == m and "target_end" in free)]
    i, j = max(ends, key=lambda end: H[end[0]][end[1]])
    score, end, columns, state = H[i][j], (i, j), [], "H"
    if score == 0 and free in ("local", "extend", "extend_left"):
        return 0, (i, i, j, j), "*"
    while i and j:
        if state == "H":
            if H[i][j] == H[i - 1][j - 1] + pair_score(query[i - 1], target[j - 1]):
                i, j = i - 1, j - 1
                columns.append("=" if query[i] == target[j] else "X")
                continue
            state = "F" if H[i][j] == F[i][j] else "E" if H[i][j] == E[i][j] else "begin"
            if state == "begin":
                break
        gaps = F if state == "F" else E
        columns.append("I" if state == "F" else "D")
        i, j = (i - 1, j) if state == "F" else (i, j - 1)
        state = "H" if H[i][j] - first > gaps[i][j] - gap_extend else state
    if not begins_anywhere and state != "begin" and ("query_begin" if i else "target_begin") not in free:
        columns += "I" * i + "D" * j
        i = j = 0
    runs = []
    for column in reversed(columns):
        if runs and runs[-1][1] == column:
            runs[-1][0] += 1
        else:
            runs.append([1, column])
    return score, (i, end[0], j, end[1]), "".join(f"{length}{column}" for length, column in runs) or "*"
