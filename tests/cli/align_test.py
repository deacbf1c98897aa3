# SPDX-License-Identifier: BSD-3-Clause
"""nwgpu align: pairing, modes, scoring options, alphabets, and the scores of small_pairs.tsv."""
import csv
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import unittest

import support
from support import DATA, affine_score, columns, fasta


class Pairing(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("q.fa", fasta(q1="ACGTACGT", q2="TTTTGGGG", q3="GGGG"))
        self.file("t.fa", fasta(t1="ACGTTCGT", t2="TTTTGGG", t3="CCCC"))

    def names(self, *arguments, **options):
        return [(row["query"], row["target"]) for row in self.rows(*arguments, **options)]

    def test_zip(self):
        self.assertEqual(self.names("--pair", "zip", "q.fa", "t.fa"), [("q1", "t1"), ("q2", "t2"), ("q3", "t3")])

    def test_all(self):
        expected = [(q, t) for q in ("q1", "q2", "q3") for t in ("t1", "t2", "t3")]
        self.assertEqual(self.names("--pair", "all", "q.fa", "t.fa"), expected)

    def test_best(self):
        rows = self.rows("--pair", "best", "q.fa", "t.fa")
        self.assertEqual([row["target"] for row in rows], ["t1", "t2", "t2"])
        every = self.rows("--pair", "all", "q.fa", "t.fa")
        for row in rows:
            same = [other for other in every if other["query"] == row["query"]]
            self.assertEqual(int(row["score"]), max(int(other["score"]) for other in same))
            self.assertIn(row, same)

    def test_best_takes_the_first_of_equal_targets(self):
        self.file("same.fa", fasta(a="ACGT", b="ACGT"))
        self.assertEqual(self.names("--pair", "best", "same.fa", "same.fa"), [("a", "a"), ("b", "a")])

    def test_one_target_needs_no_option(self):
        self.file("one.fa", fasta(t="ACGT"))
        self.assertEqual(self.names("q.fa", "one.fa"), [("q1", "t"), ("q2", "t"), ("q3", "t")])
        self.assertEqual(self.names("one.fa", "q.fa"), [("t", "q1"), ("t", "q2"), ("t", "q3")])

    def test_list(self):
        self.file("list.tsv", "# chosen pairs\nq3\tt1\n\nq1\tt3\nq3\tt1\n")
        self.assertEqual(self.names("--pairs", "list.tsv", "q.fa", "t.fa"), [("q3", "t1"), ("q1", "t3"), ("q3", "t1")])

    def test_standard_input(self):
        self.assertEqual(self.names("--pair", "zip", "-", "t.fa", stdin=fasta(a="A", b="C", c="G")),
                         [("a", "t1"), ("b", "t2"), ("c", "t3")])

    def test_both_strands(self):
        self.file("strand.fa", fasta(forward="AACCGTTA", backward="TAACGGTT", neither="TTTTTTTT"))
        self.file("one.fa", fasta(t="CCAACCGTTACC"))
        rows = self.rows("--both-strands", "--mode", "local", "strand.fa", "one.fa")
        self.assertEqual([row["strand"] for row in rows], ["+", "-", "+"])
        self.assertEqual([row["cigar"] for row in rows[:2]], ["8=", "8="])

    def test_reverse_positions_are_those_of_the_input(self):
        self.file("reverse.fa", fasta(q="GGGTAACGGTT"))  # AACCGTTACCC, of which AACCGTTA fits
        self.file("one.fa", fasta(t="TTAACCGTTATT"))
        row, = self.rows("--both-strands", "--mode", "local", "reverse.fa", "one.fa")
        self.assertEqual((row["query_begin"], row["query_end"], row["target_begin"], row["strand"]), ("3", "11", "2", "-"))

    def test_batches_do_not_show(self):
        """More letters than one batch holds: the order and the number of lines stay."""
        self.file("many.fa", "".join(f">m{i}\n{'ACGT' * 5}\n" for i in range(3000)))
        self.file("long.fa", fasta(**{f"l{i}": "ACGTAACCGGTT" * 200 for i in range(2)}))
        options = ["--score-only", "--pair", "all"]
        rows = self.rows(*options, "many.fa", "long.fa")
        self.assertEqual([(row["query"], row["target"]) for row in rows],
                         [(f"m{i}", f"l{j}") for i in range(3000) for j in range(2)])


class Modes(support.CommandTest):
    def align(self, query, target, *options):
        self.file("q.fa", fasta(q=query))
        self.file("t.fa", fasta(t=target))
        row, = self.rows("--verify", *options, "q.fa", "t.fa")
        span = tuple(int(row[name]) for name in ("query_begin", "query_end", "target_begin", "target_end"))
        return int(row["score"]), span, row["cigar"]

    def test_global(self):
        self.assertEqual(self.align("ACGA", "TTACGATT"), (8 - 2 * 8, (0, 4, 0, 8), "2D4=2D"))

    def test_semiglobal(self):
        self.assertEqual(self.align("ACGT", "TTACGTTT", "--mode", "semiglobal"), (8, (0, 4, 2, 6), "4="))

    def test_overlap(self):
        self.assertEqual(self.align("CCCCACGT", "ACGTGGG", "--mode", "overlap"), (8, (4, 8, 0, 4), "4="))

    def test_extend(self):
        for query, target in (("ACGT", "ACGTGGG"), ("ACGTCCC", "ACGT"), ("ACGTCCCC", "ACGTGGG")):
            self.assertEqual(self.align(query, target, "--mode", "extend"), (8, (0, 4, 0, 4), "4="))
            left = self.align(query[::-1], target[::-1], "--mode", "extend-left")
            m, n = len(query), len(target)
            self.assertEqual(left, (8, (m - 4, m, n - 4, n), "4="))
        self.assertEqual(self.align("TTTT", "AAAA", "--mode", "extend"), (0, (0, 0, 0, 0), "*"))
        self.assertEqual(self.align("TTTT", "AAAA", "--mode", "extend-left"), (0, (4, 4, 4, 4), "*"))

    def test_extend_to_end(self):
        self.assertEqual(self.align("ACGT", "ACGTGGG", "--mode", "extend-to-end"), (8, (0, 4, 0, 4), "4="))
        self.assertEqual(self.align("ACGTCCC", "ACGT", "--mode", "extend-to-end"), (8, (0, 4, 0, 4), "4="))
        # At either end one sequence at most may overhang.
        self.assertEqual(self.align("ACGTCCCC", "ACGTGGG", "--mode", "extend-to-end")[0], -2)

    def test_local(self):
        self.assertEqual(self.align("CCACGTCC", "GGGACGTG", "--mode", "local"), (8, (2, 6, 3, 7), "4="))

    def test_top(self):
        self.file("q.fa", fasta(q="GAAC", none="TTT", other="CC"))
        self.file("t.fa", fasta(t="GAAAAC"))
        arguments = ["align", "--verify", "--mode", "local", "--top", 3, "q.fa", "t.fa"]
        rows = [line.split("\t") for line in self.run_nwgpu(*arguments).stdout.splitlines()[1:]]
        self.assertEqual([(row[0], *row[3:]) for row in rows],
                         [("q", "6", "0", "3", "0", "3", "3="), ("q", "6", "1", "4", "3", "6", "3="),
                          ("q", "4", "1", "3", "2", "4", "2="), ("none", "0", "0", "0", "0", "0", "*"),
                          ("other", "2", "0", "1", "5", "6", "1="), ("other", "2", "1", "2", "5", "6", "1=")])
        self.assertEqual(self.run_nwgpu(*arguments, "--score-only").stdout.split("\n")[3].split("\t")[3:5], ["4", "*"])

    def test_free_ends_are_modes_spelt_out(self):
        for mode, ends in [("semiglobal", "target-begin,target-end"), ("extend-to-end", "query-end,target-end"),
                           ("overlap", "query-begin,query-end,target-begin,target-end")]:
            self.assertEqual(self.align("CACGTCCC", "GGACGTG", "--mode", mode),
                             self.align("CACGTCCC", "GGACGTG", "--free-ends", ends))

    def test_band(self):
        self.assertEqual(self.align("ACGTACGTAC", "ACGTACGTAC", "--band", "-2,2"), (20, (0, 10, 0, 10), "10="))
        # Diagonal 0 alone: no gaps.
        self.assertEqual(self.align("AACGTACGTC", "ACGTACGTCC", "--band", "0,0")[2].count("I"), 0)
        self.assertNotEqual(self.align("AACGTACGTC", "ACGTACGTCC")[2].count("I"), 0)
        self.assertEqual(self.align("ACGT", "CCACGT", "--band=2,3", "--free-ends", "target-begin"),
                         (8, (0, 4, 2, 6), "4="))

    def test_empty_sequences(self):
        self.assertEqual(self.align("", "ACGT"), (-12, (0, 0, 0, 4), "4D"))
        self.assertEqual(self.align("ACGT", ""), (-12, (0, 4, 0, 0), "4I"))
        self.assertEqual(self.align("", ""), (0, (0, 0, 0, 0), "*"))
        self.assertEqual(self.align("", "ACGT", "--mode", "local")[0], 0)

    def test_cigar_style(self):
        self.assertEqual(self.align("ACGTA", "ACCTA")[2], "2=1X2=")
        self.assertEqual(self.align("ACGTA", "ACCTA", "--cigar-style", "m")[2], "5M")

    def test_lower_case_and_u(self):
        self.assertEqual(self.align("acgu", "ACGT"), (8, (0, 4, 0, 4), "4="))

    def test_gap_of_k_costs_open_plus_k_times_extend(self):
        score, _, cigar = self.align("AAAACCCCTTTTGGGG", "AAAATTTTGGGG", "-A", 5, "-B", 9, "-O", 7, "-E", 3)
        self.assertEqual((score, cigar), (12 * 5 - (7 + 4 * 3), "4=4I8="))


class Scoring(support.CommandTest):
    def test_protein_is_detected(self):
        self.file("p.fa", fasta(p="MKVLAAGWWF"))
        row, = self.rows("p.fa", "p.fa")
        self.assertEqual(row["score"], "60")  # BLOSUM62
        row, = self.rows("--matrix", "pam250", "p.fa", "p.fa")
        self.assertEqual(row["score"], "73")

    def test_alphabet_can_be_told(self):
        self.file("p.fa", fasta(p="ACGTACGT"))
        self.assertEqual(self.rows("p.fa", "p.fa")[0]["score"], "16")
        self.assertEqual(self.rows("--protein", "p.fa", "p.fa")[0]["score"], str(2 * (4 + 9 + 6 + 5)))

    def test_matrix_file(self):
        self.file("m.txt", "# asymmetric\n   A  C\nA  3 -1\nC -2  4\n")
        self.file("q.fa", fasta(q="AC"))
        self.file("t.fa", fasta(t="CA"))
        self.assertEqual(self.rows("--matrix", "m.txt", "q.fa", "t.fa")[0]["score"], "-3")
        self.assertEqual(self.rows("--matrix", "m.txt", "q.fa", "q.fa")[0]["score"], "7")

    def test_mask(self):
        self.file("q.fa", fasta(q="ACJT"))
        row, = self.rows("--dna", "--mask", "q.fa", "q.fa")
        self.assertEqual((row["score"], row["cigar"]), ("5", "4="))  # N costs 1 against any letter

    def test_scores_only(self):
        self.file("q.fa", fasta(q="ACGT"))
        row, = self.rows("--score-only", "q.fa", "q.fa")
        self.assertEqual(list(row.values()), ["q", "q", "ok", "8", "*", "*", "*", "*", "*"])

    def test_small_pairs(self):
        """Scores that other programs found; those with whole costs, in one run for each scheme."""
        schemes = {}
        with open(DATA / "small_pairs.tsv", newline="") as table:
            for pair in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
                gap_first, gap_next = float(pair["gap_first"]), float(pair["gap_next"])
                built_in = pair["matrix"] in ("", "BLOSUM62", "EDNAFULL", "NUC.4.4", "PAM250")
                if pair["mode"] not in ("global", "local") or not built_in or gap_next != int(gap_next):
                    continue
                key = tuple(pair[name] for name in ("mode", "free_ends", "matrix", "match", "mismatch"))
                schemes.setdefault((*key, int(gap_first), int(gap_next)), []).append(pair)
        self.assertGreater(sum(map(len, schemes.values())), 30)
        for (mode, free_ends, matrix, match, mismatch, gap_first, gap_next), pairs in schemes.items():
            self.file("q.fa", "".join(f">{pair['id']}\n{pair['sequence1']}\n" for pair in pairs))
            self.file("t.fa", "".join(f">{pair['id']}\n{pair['sequence2']}\n" for pair in pairs))
            options = ["-O", gap_first - gap_next, "-E", gap_next, "--pair", "zip", "--verify"]
            options += ["--matrix", matrix] if matrix else ["-A", match, "-B", -int(mismatch)]
            ends = [name for bit, name in zip(free_ends, support.FREE_ENDS) if bit == "1"]
            options += ["--mode", "local"] if mode == "local" else ["--free-ends", ",".join(ends)] if ends else []
            rows = self.rows(*options, "q.fa", "t.fa")
            for row, pair in zip(rows, pairs, strict=True):
                self.assertEqual((row["query"], float(row["score"])), (pair["id"], float(pair["score"])))


class RealData(support.CommandTest):
    def test_hiv(self):
        """Two strains: every number of the line follows from the sequences and the CIGAR."""
        strains = support.read_fasta(gzip.decompress((DATA / "hiv1_five_strains.fa.gz").read_bytes()).decode())
        query, target = strains["HXB2"][:3000], strains["NL43"][:3100]
        self.file("q.fa", fasta(HXB2=query))
        self.file("t.fa", fasta(NL43=target))
        row, = self.rows("--verify", "q.fa", "t.fa")
        aligned = list(columns(row["cigar"], query, target))
        self.assertEqual(int(row["score"]), affine_score(aligned))
        self.assertEqual("".join(a for a, _ in aligned if a != "-"), query)
        self.assertEqual("".join(b for _, b in aligned if b != "-"), target)

    def test_memory_limit(self):
        """A pair that needs more than it may is reported, and harms no other."""
        self.file("t.fa", fasta(small="ACGT", large="ACGT" * 200000))
        self.file("q.fa", fasta(small="ACGT", large="ACGA" * 200000))
        options = ["-t", 1, "--device", "cpu", "--max-memory", "12M", "--pair", "zip", "q.fa", "t.fa"]
        self.assertEqual([row["status"] for row in self.rows(*options, code=2)], ["ok", "memory_limit"])
        done = self.run_nwgpu("align", "--format", "paf", *options, code=2)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertIn("warning: pair 'large' x 'large': ", done.stderr)

    def test_published_algorithms(self):
        """All that run here give the engine's lines; a pair beyond the memory limit gets its own status."""
        listed = self.run_nwgpu("algorithms").stdout.splitlines()
        header = listed[0].split("\t")
        algorithms = [dict(zip(header, line.split("\t"), strict=True)) for line in listed[1:]]
        self.assertEqual(len({a["name"] for a in algorithms}), len(algorithms))
        self.file("q.fa", fasta(a="ACGTTGCAAC" * 30, b="", c="GATTACA"))
        self.file("t.fa", fasta(a="ACGTGCATAC" * 31, b="ACG", c="GATACA"))
        for algorithm in algorithms:
            for mode in algorithm["modes"].split(",") if algorithm["backend"] == "cpu" else []:
                options = ["--pair", "zip", "--mode", mode, "-O", 0 if algorithm["gaps"] == "linear" else 4, "q.fa", "t.fa"]
                self.assertEqual(self.rows("--algorithm", algorithm["name"], *options), self.rows(*options))
        limited = ["--algorithm", "cpu1-st-row", "-O", 0, "--max-memory", "100K", "--pair", "zip", "q.fa", "t.fa"]
        self.assertEqual([row["status"] for row in self.rows(*limited, code=2)], ["memory_limit", "ok", "ok"])

    def test_bench(self):
        """One line each; an algorithm that cannot run says why in its line, and the others go on."""
        lines = self.run_nwgpu("bench", "--algorithm", "cpu1-st-row", "--algorithm", "no-such", "--algorithm", "engine",
                               "--lengths", "100,30x70").stdout.splitlines()
        rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
        self.assertEqual([(r["algorithm"], r["query_length"], r["target_length"], r["output"]) for r in rows],
                         [(name, m, n, output) for m, n in (("100", "100"), ("30", "70"))
                          for name in ("cpu1-st-row", "no-such", "engine") for output in ("cigar", "score")])
        self.assertIn("no algorithm is called 'no-such'", rows[2]["status"])
        self.assertEqual(rows[2]["seconds"], "*")
        self.assertEqual(rows[0]["score"], rows[4]["score"])
        self.assertEqual(rows[0]["speedup"], "1")
        listed = self.run_nwgpu("bench", "--list").stdout
        for name in ("thesis\tgpu9-mlsp-diagdiagdiag\t23000x23000", "cudalign\tcudalign\t1044459x1072950"):
            self.assertIn(name, listed)
        suite = self.run_nwgpu("bench", "--suite", "swat", "--lengths", "1024", "--score-only").stdout
        self.assertIn("swat\tswat-serial\t1024\t1024\tscore\tok\t", suite)
        self.assertIn("scaling\trowscan:gpus=1\t128x16777216\n", listed)
        self.assertIn("say either", self.run_nwgpu("bench", code=1).stderr)
        self.assertIn("--lengths 5y", self.run_nwgpu("bench", "--algorithm", "engine", "--lengths", "5y", code=1).stderr)

    def test_bench_files(self):
        """Both files hold the table that is printed; repeats, peak memory and speed are in it."""
        table = self.run_nwgpu("bench", "--algorithm", "cpu1-st-row", "--lengths", "500x400", "--repeat", 3,
                               "--tsv", "out.tsv", "--json", "out.json").stdout
        self.assertEqual((self.folder / "out.tsv").read_text(), table)
        names, *lines = [line.split("\t") for line in table.splitlines()]
        stored = json.loads((self.folder / "out.json").read_text())
        self.assertIn("cpu", stored["machine"])
        self.assertEqual([{name: "*" if value is None else str(value) for name, value in row.items()}
                          for row in stored["measurements"]], [dict(zip(names, line)) for line in lines])
        row = stored["measurements"][0]
        self.assertEqual((row["repeats"], row["output"], row["device_bytes"]), (3, "cigar", 0))
        self.assertGreater(row["host_bytes"], 1 << 20)
        self.assertGreaterEqual(row["mean"], row["seconds"])
        self.assertAlmostEqual(row["GCUPS"] * row["seconds"], 500 * 400 / 1e9, places=6)
        self.assertIn("No such file", self.run_nwgpu("bench", "--algorithm", "engine", "--tsv", "no/where", code=1).stderr)

    def test_bench_energy(self):
        """Joules come from NVML: here from one that counts 3 joules more whenever it is asked."""
        if shutil.which("cc") is None:
            self.skipTest("needs a C compiler")
        self.file("nvml.c", "int nvmlInit_v2(void) { return 0; } int nvmlShutdown(void) { return 0; }\n"
                  "int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { static int it; *d = &it; return (int)i; }\n"
                  "int nvmlDeviceGetTotalEnergyConsumption(void *d, unsigned long long *mj)\n"
                  "{ static unsigned long long used; (void)d; *mj = used += 3000; return 0; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "libnvidia-ml.so.1", "nvml.c"], cwd=self.folder, check=True)
        arguments = ["bench", "--algorithm", "engine", "--lengths", "2000", "--score-only", "--time", 0.6]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.folder)}
        names, values = [line.split("\t") for line in self.run_nwgpu(*arguments, env=environment).stdout.splitlines()]
        row = dict(zip(names, values))
        self.assertGreater(int(row["repeats"]), 1)
        self.assertAlmostEqual(float(row["joules"]) * int(row["repeats"]), 3, places=2)

    def test_bench_scaling(self):
        """One line for each number of GPUs that there is: here 5 are pretended, and the CPU computes."""
        if shutil.which("cc") is None:
            self.skipTest("needs a C compiler")
        self.file("gpus.c", "#include <nwgpu/nwgpu_experimental.h>\n#include <stdio.h>\n"
                  "uint64_t nwgpu_device_count(int32_t b) { (void)b; return 5; }\n"
                  "nwgpu_status nwgpu_device_describe(int32_t b, uint64_t i, nwgpu_device_info *d, nwgpu_error *e)\n"
                  "{ (void)e; sprintf(d->summary, \"pretended %d.%d\", (int)b, (int)i); return NWGPU_OK; }\n"
                  "nwgpu_status nwgpu_context_set_algorithm(nwgpu_context *c, const char *a, nwgpu_error *e)\n"
                  "{ (void)c; (void)a; (void)e; return NWGPU_OK; }\n")
        include = pathlib.Path(__file__).parents[2] / "capi/include"
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{include}", "-o", "gpus.so", "gpus.c"], cwd=self.folder,
                       check=True)
        environment = {**os.environ, "LD_PRELOAD": str(self.folder / "gpus.so")}
        lengths = ",".join(f"128x{k << 20}" for k in (2, 4, 8, 16))
        names, *lines = [line.split("\t") for line in self.run_nwgpu(
            "bench", "--suite", "scaling", "--repeat", 1, "--lengths", lengths, "--json", "out.json", env=environment).stdout.splitlines()]
        rows = [dict(zip(names, line, strict=True)) for line in lines]
        self.assertEqual([(r["scaling"], r["algorithm"], r["gpus"], int(r["target_length"]) >> 20, r["output"])
                          for r in rows],
                         [(kind, f"rowscan:gpus={n}", str(n), letters, "end") for kind, size in (("strong", 16), ("weak", 2))
                          for n, letters in ((n, size * (n if kind == "weak" else 1)) for n in (1, 2, 4))])
        for first, kind in ((rows[0], rows[:3]), (rows[3], rows[3:])):
            for row in kind:
                speedup = float(row["GCUPS"]) / float(first["GCUPS"])
                self.assertAlmostEqual(float(row["speedup"]) / speedup, 1, places=3)
                self.assertAlmostEqual(float(row["efficiency"]) * int(row["gpus"]) / speedup, 1, places=3)
        self.assertEqual([r["published"] for r in rows], ["*", "*", "*", "0.27", "*", "*"])
        machine = json.loads((self.folder / "out.json").read_text())["machine"]
        self.assertTrue(machine.endswith("; pretended 2.0; the first of 5 GPUs"), machine)

    def test_a_gpu_is_started_for_many_cells(self):
        """A driver and a GPU are pretended, which the library does not find: answers are the CPU's in any case."""
        if shutil.which("cc") is None:
            self.skipTest("needs a C compiler")
        self.file("gpu.c", "#include <stdint.h>\nuint64_t nwgpu_device_count(int32_t b) { (void)b; return 1; }\n")
        for library in ("gpu.so", "libcuda.so.1"):
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, "gpu.c"], cwd=self.folder, check=True)
        environment = {**os.environ, "LD_PRELOAD": str(self.folder / "gpu.so"), "LD_LIBRARY_PATH": str(self.folder)}
        chance = random.Random(5)
        queries, targets = ({f"s{i}": "".join(chance.choices("ACGT", k=6000)) for i in range(40)} for _ in range(2))
        self.file("q.fa", fasta(**queries))
        self.file("t.fa", fasta(**targets))
        expected = self.run_nwgpu("align", "--device", "cpu", "--pair", "zip", "q.fa", "t.fa").stdout
        for query, stdin, words in (("q.fa", None, "it is left alone"), ("-", fasta(**queries), "it is started")):
            done = self.run_nwgpu("align", "-v", "-t", 2, "--pair", "zip", query, "t.fa", stdin=stdin, env=environment)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, expected)
        short = self.run_nwgpu("align", "-v", "-t", 2, "--format", "paf", "--pair", "zip",
                               self.file("s.fa", fasta(a="ACGT" * 30, b="ACGA" * 30)), "s.fa", env=environment)
        self.assertNotIn("GPU: it is", short.stderr)

    def test_plan(self):
        plan = self.run_nwgpu("align", "--plan", DATA / "mt_human.fa.gz", DATA / "mt_orang.fa.gz").stdout
        values = dict(line.split(None, 1) for line in plan.splitlines())
        self.assertEqual(values["pairs"], "1")
        self.assertAlmostEqual(float(values["cells"]) / (16569 * 16499), 1, places=3)


if __name__ == "__main__":
    unittest.main()
