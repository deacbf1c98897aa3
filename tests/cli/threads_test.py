# SPDX-License-Identifier: BSD-3-Clause
"""The same bytes with any number of threads, also with more threads than cores, in every format."""
import os
import random
import unittest

import support
from support import fasta, needs_samtools

THREADS = [1, 2, 3, 7, 16, 64] if "NWGPU_THOROUGH" in os.environ else [1, 2, 7, 64]
SEED = 20261123


def letters(chance, length, alphabet="ACGT"):
    return "".join(chance.choices(alphabet, k=length))


def changed(chance, text, share):
    """The text with that share of its letters changed, left out or put in before."""
    return "".join(chance.choice(("", "A", "C", "GT", letter + "T")) if chance.random() < share else letter
                   for letter in text)


class Threads(support.CommandTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(SEED)
        lengths = [chance.randint(1, 300) for _ in range(200)] + [3000] * 20 + [10000, 20000]
        targets = [letters(chance, n, chance.choice(("AC", "ACGT", "A"))) for n in lengths]
        pairs = [(changed(chance, target, chance.choice((0, 0.01, 0.2))) or "A", target) for target in targets]
        pairs[17] = ("AC!T", "ACGT")  # gets a status of its own
        chance.shuffle(pairs)
        self.file("q.fa", fasta(**{f"q{i}": query for i, (query, _) in enumerate(pairs)}))
        self.file("t.fa", fasta(**{f"t{i}": target for i, (_, target) in enumerate(pairs)}))
        self.file("one.fa", fasta(t=pairs[3][1] + letters(chance, 500)))

    def output(self, threads, *arguments, name=None, code=0):
        """What a run writes, without the line that quotes the command."""
        with (self.folder / "out").open("w") as out:
            self.run_nwgpu(*arguments, "--device", "cpu", "-q", "-t", threads, *(["-o", name] if name else []),
                           code=code, stdout=out)
        lines = (self.folder / (name or "out")).read_bytes().split(b"\n")
        return b"\n".join(line for line in lines if b"--device cpu" not in line)

    def same(self, *arguments, counts=THREADS, **options):
        expected = self.output(counts[0], *arguments, **options)
        self.assertGreater(len(expected), 100)
        for threads in counts[1:]:
            if self.output(threads, *arguments, **options) != expected:
                self.fail(f"other bytes with {threads} threads, seed {SEED}: nwgpu {' '.join(arguments)}")

    def test_formats(self):
        for format_ in ("tsv", "paf", "sam", "cigar", "pair", "m8", "json", "fasta", "maf", "vcf"):
            with self.subTest(format_):
                self.same("align", "--pair", "zip", "--format", format_, "q.fa", "t.fa", code=2)

    def test_modes(self):
        for options in (["--mode", "local", "--top", "3"], ["--band", "-200,200"], ["--mode", "semiglobal", "-x", "edit"],
                        ["--mode", "overlap", "--both-strands"], ["--score-only"], ["--max-memory", "64M"]):
            with self.subTest(options):
                self.same("align", "--pair", "zip", *options, "q.fa", "t.fa", code=2)

    def test_many_with_many(self):
        for options in (["--pair", "best", "--both-strands", "--format", "sam", "--mode", "semiglobal"],
                        ["--pair", "all", "--format", "paf", "--mode", "local"]):
            with self.subTest(options):
                few = self.file("few.fa", "".join((self.folder / "t.fa").read_text().splitlines(True)[:60]))
                self.same("align", *options, few, few)

    def test_many_short_ones(self):
        """More than the batches that are at work at a time; among them pairs that all threads share, and failures."""
        chance = random.Random(SEED)
        lengths = [chance.randint(100, 300) for _ in range(9000)]
        lengths[4000] = lengths[4001] = 101000
        targets = [letters(chance, n) for n in lengths]
        queries = [target[5:-9] for target in targets]
        queries[5000] = "AC!T"
        few, reads = {"t0": targets[0], "t1": targets[1]}, {f"r{i}": query for i, query in enumerate(queries)}
        self.file("reads.fa", fasta(**reads))
        self.file("refs.fa", fasta(**{f"t{i}": target for i, target in enumerate(targets)}))
        self.file("few.fa", fasta(**few))
        for arguments in (["--pair", "zip", "--format", "paf", "reads.fa", "refs.fa"],
                          ["--pair", "zip", "--format", "sam", "reads.fa", "refs.fa"],
                          ["--pair", "all", "--format", "paf", "--mode", "semiglobal", "reads.fa", "few.fa"]):
            with self.subTest(arguments):
                self.same("align", *arguments, code=2, counts=[1, 2, 7, 64])

    def test_longer_ones(self):
        """Batches of workers, then a larger one, of very long pairs, that all threads align, and workers' again."""
        chance = random.Random(SEED)
        lengths = [*[chance.randint(200, 600) for _ in range(1500)], *[chance.randint(700, 3000) for _ in range(600)],
                   *[chance.randint(8000, 30000) for _ in range(9)], *[150000] * 3,
                   *[chance.randint(200, 600) for _ in range(1500)]]
        targets = [letters(chance, n * 6 // 5) for n in lengths]
        queries = [changed(chance, target[n // 10:n // 10 + n], 0.05) for target, n in zip(targets, lengths)]
        queries[1700:2100:9] = [letters(chance, len(query)) for query in queries[1700:2100:9]]
        self.file("long.fa", fasta(**{f"r{i}": query for i, query in enumerate(queries)}))
        self.file("windows.fa", fasta(**{f"t{i}": target for i, target in enumerate(targets)}))
        for mode in ("semiglobal", "global"):
            with self.subTest(mode):
                self.same("align", "--pair", "zip", "--format", "paf", "--mode", mode, "long.fa", "windows.fa",
                          counts=[1, 2, 7, 64])

    def reads(self, chance, count):
        """Reads with qualities, and their targets: as two lists of lines, records as lists."""
        reads, targets = [], []
        for i in range(count):
            target = letters(chance, chance.randint(60, 140))
            read = target[chance.randint(0, 9):-8]
            quality = "@" + letters(chance, len(read) - 1, "@>+!F~")
            reads.append([f"@r{i} more", read, "+", quality])
            targets.append([f">t{i}", target])
        return reads, targets

    def test_blocks(self):
        """Files of some blocks, which several threads parse; some records are not laid out as the others are."""
        def wrapped(record):
            name, read, plus, quality = record
            return [name, read[:20], read[20:], plus, quality[:20], quality[20:]]

        layouts = {
            "as usual": lambda reads, targets: None,
            "a wrapped read": lambda reads, targets: reads.__setitem__(7001, wrapped(reads[7001])),
            "a blank line": lambda reads, targets: reads[5000].append(""),
            "blanks at line ends": lambda reads, targets: reads.__setitem__(6000, [x + " \r" for x in reads[6000]]),
            "wrapped targets": lambda reads, targets: targets.__setitem__(
                slice(4000, 9000), [[name, target[:30], target[30:]] for name, target in targets[4000:9000]]),
            "all wrapped": lambda reads, targets: reads.__setitem__(slice(0, None), map(wrapped, reads)),
            "a long pair": lambda reads, targets: (reads[8000].__setitem__(slice(1, 4), ["A" * 5000, "+", "F" * 5000]),
                                                   targets[8000].__setitem__(1, "A" * 5000))}
        for name, change in layouts.items():
            with self.subTest(name):
                reads, targets = self.reads(random.Random(SEED), 12000)
                lengths = [len(read[1]) for read in reads]  # each is a part of its target
                if name == "a long pair":
                    lengths[8000] = 5000
                change(reads, targets)
                for path, records in (("r.fq", reads), ("r.fa", targets)):
                    self.file(path, "\n".join(line for record in records for line in record))  # without a last line end
                arguments = ["align", "--pair", "zip", "--mode", "semiglobal"]
                text = self.output(7, *arguments, "--format", "tsv", "r.fq", "r.fa").decode().splitlines()[1:]
                self.assertEqual([line.split("\t")[:2] for line in text], [[f"r{i}", f"t{i}"] for i in range(12000)])
                self.assertEqual([line.split("\t")[8] for line in text], [f"{length}=" for length in lengths])
                self.same(*arguments, "--format", "sam", "r.fq", "r.fa", counts=[1, 2, 16])

    def test_faults_in_blocks(self):
        """What is wrong has the number of its line, and the pairs before it are written, with any number of threads."""
        reads, targets = self.reads(random.Random(SEED), 12000)
        reads[20][1] += " "  # and a blank line where the quality would end if this were a letter
        reads[20].append("")
        reads[30] = ["", "@r30", "+", *[""] * 6]  # a blank line, and a read of no letters: no record of four lines
        self.file("r.fa", "".join(f"{line}\n" for target in targets for line in target))
        for record, line in ((["@r", "ACGT", "ACGT"], 40015), (["@r", "ACGT", "+", "FF"], 40010), (["r"], 40007),
                             (["@r", "ACGTACGT", "+", "FFF", "FFFF"], 40010)):
            with self.subTest(record):
                self.file("r.fq", "".join(f"{x}\n" for read in [*reads[:10000], record, *reads[10000:]] for x in read))
                told = {}
                for threads in (1, 2, 7):
                    done = self.run_nwgpu("align", "--pair", "zip", "--device", "cpu", "-q", "-t", threads, "--format",
                                          "tsv", "r.fq", "r.fa", code=1)
                    told[threads] = (done.stdout, done.stderr)
                self.assertEqual(told[2], told[1], f"seed {SEED}")
                self.assertEqual(told[7], told[1], f"seed {SEED}")
                self.assertIn(f"r.fq:{line}: ", told[1][1])
                self.assertEqual(len(told[1][0].splitlines()), 10001)

    def test_faults_of_targets(self):
        """Targets are all read for a header while others are aligned: what is wrong with them is told before anything
        is written, the first fault in order, with any number of threads."""
        reads, targets = self.reads(random.Random(SEED), 12000)
        self.file("r.fq", "".join(f"{x}\n" for read in reads for x in read))
        for faults, message in (
                ({11000: [">t17", "ACGT"], 11500: [">t5", "ACGT"]}, "two targets are named 't17'"),
                ({11000: [">a(b", "ACGT"], 11500: [">c,d", "ACGT"], 300: [">t2", "A"]}, "target 'a(b': not a name"),
                ({9000: [">x", ""], 9001: [">*y", "A"]}, "target 'x' has 0 letters"),
                ({10000: ["ACGT", ">", "A"]}, "r.fa:20002: '>' without a name")):
            for format_ in ("sam", "bam"):
                with self.subTest(message, format=format_):
                    records = list(targets)
                    for i, record in faults.items():
                        records[i] = record
                    self.file("r.fa", "".join(f"{x}\n" for record in records for x in record))
                    for threads in (1, 2, 7):
                        done = self.run_nwgpu("align", "--pair", "zip", "--device", "cpu", "-q", "-t", threads,
                                              "--format", format_, "r.fq", "r.fa", code=1)
                        self.assertIn(message, done.stderr, f"{threads} threads, seed {SEED}")
                        self.assertEqual(done.stdout, "", f"{threads} threads, seed {SEED}")

    def test_faults_of_queries(self):
        """They are told behind a header; one of the last target comes before them."""
        reads, targets = self.reads(random.Random(SEED), 12000)
        for record in (5, 11000):
            named = [*reads[:record], ["@a@b", *reads[record][1:]], *reads[record + 1:]]
            self.file("r.fq", "".join(f"{x}\n" for read in named for x in read))
            for last, message, begin in ((">t11999", "query 'a@b': SAM names", "@HD"),
                                         (">t7", "two targets are named 't7'", "")):
                changed = [*targets[:-1], [last, targets[-1][1]]]
                self.file("r.fa", "".join(f"{x}\n" for target in changed for x in target))
                for threads in (1, 2, 7):
                    with self.subTest(record=record, last=last, threads=threads):
                        done = self.run_nwgpu("align", "--pair", "zip", "--device", "cpu", "-q", "-t", threads,
                                              "--format", "sam", "r.fq", "r.fa", code=1)
                        self.assertIn(message, done.stderr)
                        self.assertTrue(done.stdout.startswith(begin) and bool(done.stdout) == bool(begin), SEED)

    @needs_samtools
    def test_bam_in_blocks(self):
        reads, targets = self.reads(random.Random(SEED), 12000)
        for path, records in (("r.fq", reads), ("r.fa", targets)):
            self.file(path, "".join(f"{x}\n" for record in records for x in record))
        expected = self.output(1, "align", "--pair", "zip", "--format", "sam", "r.fq", "r.fa").decode()
        for threads in (1, 2, 16):
            self.output(threads, "align", "--pair", "zip", "r.fq", "r.fa", name="out.bam")
            lines = self.samtools("view", "-h", "--no-PG", "out.bam").splitlines()
            self.assertEqual([line for line in lines if "--device cpu" not in line], expected.splitlines(),
                             f"{threads} threads, seed {SEED}")

    def test_matrix(self):
        few = self.file("few.fa", "".join((self.folder / "t.fa").read_text().splitlines(True)[:80]))
        self.same("align", "--pair", "self", "--format", "matrix", few)

    @needs_samtools
    def test_bam_and_realign(self):
        expected = None
        for threads in THREADS:
            self.output(threads, "align", "--mode", "semiglobal", "--both-strands", "--sort", "q.fa", "one.fa",
                        name="sorted.bam", code=2)
            self.output(threads, "realign", "sorted.bam", "one.fa", name="again.bam")
            text = [self.samtools("view", "--no-PG", name) for name in ("sorted.bam", "again.bam")]
            expected = expected or text
            self.assertEqual(text, expected, f"{threads} threads, seed {SEED}")


if __name__ == "__main__":
    unittest.main()
