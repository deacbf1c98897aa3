# SPDX-License-Identifier: BSD-3-Clause
"""The 10 000 pairs that programs in five languages align (README.md): the same bytes on every machine."""

COUNT = 125  # of the pairs of a section

# match, mismatch, gap_open, gap_extend and letters: a matrix, or an alphabet; two letters make many ties.
SCORINGS = [("dna", 2, 4, 4, 2, "AC"), ("dna", 1, 1, 0, 1, "ACGT"), ("BLOSUM62", 0, 0, 11, 1, "WLKA"),
            ("bytes", 0, 1, 0, 1, "ab"), ("protein", 1, 0, 0, 0, "MK"), ("PAM250", 0, 0, 0, 2, "ACDEFGHIKLMNPQRSTVWY"),
            ("dna", 5, 4, 0, 10, "ACGTN"), ("EDNAFULL", 0, 0, 10, 1, "ACGTRY")]
WRONG = {"dna": "-1?", "EDNAFULL": "-", "protein": "-.", "BLOSUM62": "1-", "PAM250": "?", "bytes": ""}


class Random:
    """A generator that is the same everywhere: numbers of 31 bits from a linear congruence, the high ones."""

    def __init__(self, state):
        self._state = state

    def below(self, limit):
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % limit


def _sequence(random, letters, longest):
    unit = "".join(letters[random.below(len(letters))] for _ in range(1 + random.below(6)))
    text = unit * (longest // len(unit) + 1) if random.below(3) == 0 else \
        "".join(letters[random.below(len(letters))] for _ in range(longest))
    return text[:random.below(longest + 1)]


def _mutated(random, text, letters):
    """Some letters changed, inserted and removed."""
    mutated = []
    for letter in text:
        what = random.below(12)
        if what == 0:
            mutated.append(letters[random.below(len(letters))])
        elif what == 1:
            mutated.append(letter * (1 + random.below(3)))
        elif what > 2:
            mutated.append(letter)
    return "".join(mutated)


def _pair(random, letters, wrong):
    longest = 400 if random.below(40) == 0 else 1 + random.below(40)
    query = _sequence(random, letters, longest)
    target = _sequence(random, letters, longest) if random.below(4) == 0 else _mutated(random, query, letters)
    if wrong and random.below(30) == 0:
        place = random.below(len(query) + 1)
        query = query[:place] + wrong[random.below(len(wrong))] + query[place:]
    return (query, target) if random.below(2) else (target, query)


def _choices():
    """mode, free_ends, output, cigar_style, ties, band, top of each section."""
    spans = [(0, 0), (1, 0), *((2, ends) for ends in range(1, 16))]
    for ties in range(3):
        for mode, ends in spans:
            yield mode, ends, 3, 0, ties, None, 1
    for output in range(3):
        for mode, ends in ((0, 0), (1, 0), (2, 12), (2, 5)):
            yield mode, ends, output, 0, output, None, 1
    for mode, ends in ((0, 0), (1, 0), (2, 12)):
        yield mode, ends, 3, 1, 0, None, 1
    for ties in range(3):
        for mode, ends in ((0, 0), (2, 12)):
            yield mode, ends, 3, 0, ties, (-3, 4), 1
    for top in (2, 3, 5, 9) * 2:
        yield 1, 0, 3, 0, 0, None, top


def write(path, sections=range(80), count=COUNT):
    """A file of sections: a line of numbers, and then a line for each pair, query and target with a tab between."""
    random = Random(20)
    with open(path, "w", newline="\n") as file:
        for number, (mode, ends, output, style, ties, band, top) in enumerate(_choices()):
            if number not in sections:
                continue
            scoring, match, mismatch, gap_open, gap_extend, letters = SCORINGS[number % len(SCORINGS)]
            lower, upper = band or (0, 0)
            print("section", number, mode, ends, output, style, ties, int(band is not None), lower, upper, top, scoring,
                  match, mismatch, gap_open, gap_extend, count, file=file)
            for _ in range(count):
                print(*_pair(random, letters, WRONG[scoring]), sep="\t", file=file)
