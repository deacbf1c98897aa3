# SPDX-License-Identifier: BSD-3-Clause
"""Bad input, bad options, full disks and Ctrl-C: a clear message, the right exit code, nothing written lost."""
import array
import contextlib
import fcntl
import gzip
import os
import pathlib
import shutil
import signal
import subprocess
import termios
import time
import unittest

import support
from support import DATA, bgzf, fasta

TSV = "query\ttarget\tstatus\tscore\tquery_begin\tquery_end\ttarget_begin\ttarget_end\tcigar\n"


class BadInput(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))

    def fails(self, message, *arguments, command="align"):
        """Exit code 1, one line on stderr that holds `message`; returns standard output."""
        done = self.run_nwgpu(command, *arguments, code=1)
        self.assertRegex(done.stderr.splitlines()[-1], r"^nwgpu: error: .*")
        self.assertIn(message, done.stderr)
        return done.stdout

    def query_fails(self, content, message, name="q.fa", *options):
        return self.fails(message, *options, self.file(name, content), "t.fa")

    def test_empty_file(self):
        self.query_fails("", "q.fa: the file is empty")

    def test_no_records(self):
        self.query_fails("\n\n", "q.fa: no records")

    def test_no_name(self):
        self.query_fails(">a\nAC\n>  \nAC\n", "q.fa:3: '>' without a name")

    def test_not_fasta(self):
        self.query_fails("hello\n", "q.fa:1: a record begins with '>' (FASTA) or '@' (FASTQ); found 'hello'")

    def test_missing_file(self):
        self.fails("no.fa: No such file", "no.fa", "t.fa")
        self.fails(".: Is a directory", ".", "t.fa")

    def test_letter_outside_the_alphabet(self):
        """Its pair has a status, and the others are aligned."""
        def warned(content, message, *options):
            self.file("q.fa", content)
            done = self.run_nwgpu("align", *options, "q.fa", "t.fa", code=2)
            name = content[1]
            self.assertIn(f"warning: pair '{name}' x 't': q.fa:1: record '{name}': {message}", done.stderr)
            return [line.split("\t")[2] for line in done.stdout.splitlines()[1:]]
        statuses = warned(">b\nACGT\nACJT\n>a\nACGT\n>c\nAC\n", "letter 'J' at position 7 is not in the DNA alphabet (--mask", "--dna")
        self.assertEqual(statuses, ["invalid_sequence", "ok", "ok"])
        warned(">a\nACG\x07\n", "byte 0x07 at position 4", "--dna")
        warned(">p\nMKVW7L\n", "letter '7' at position 5 is not in the protein alphabet", "--protein", "-A", 2)
        warned(">a\nACG--TACGT\n", "gap characters in the input: letter '-' at position 4; align sequences without gaps")

    def test_bad_target(self):
        """Each pair of it fails, no other; of competing targets the good one wins."""
        self.file("q.fa", fasta(q="ACGTACGT"))
        self.file("two.fa", fasta(bad="ACGTACJT", good="ACGTTCGT"))
        done = self.run_nwgpu("align", "--dna", "--pair", "all", "q.fa", "two.fa", code=2)
        self.assertEqual([line.split("\t")[1:3] for line in done.stdout.splitlines()[1:]],
                         [["bad", "invalid_sequence"], ["good", "ok"]])
        self.assertIn("two.fa:1: record 'bad': letter 'J'", done.stderr)
        done = self.run_nwgpu("align", "--dna", "--pair", "best", "q.fa", "two.fa")
        self.assertIn("q\tgood\tok\t", done.stdout)

    def test_dna_against_protein(self):
        self.file("dna.fa", fasta(d="ACGTTGCANNACGT"))
        self.file("p.fa", fasta(p="MKVLAAGWWFEQ"))
        for pair, words in ((("dna.fa", "p.fa"), "query looks like DNA, the first target like a protein"),
                            (("p.fa", "dna.fa"), "query looks like a protein, the first target like DNA")):
            self.fails(words, *pair)
            self.run_nwgpu("align", "--protein", *pair)
        self.file("peptide.fa", fasta(p="GAT"))
        self.run_nwgpu("align", "peptide.fa", "p.fa")
        self.fails("--matrix BLOSUM62 is of proteins, but --dna", "--dna", "--matrix", "BLOSUM62", "t.fa", "t.fa")
        self.fails("--matrix EDNAFULL is of DNA, but --protein", "--protein", "--matrix", "EDNAFULL", "t.fa", "t.fa")
        done = self.run_nwgpu("align", "--matrix", "BLOSUM62", "t.fa", "t.fa")
        self.assertIn("the sequences look like DNA, matrix BLOSUM62 is of proteins", done.stderr)

    def test_options_that_formats_cannot_honour(self):
        self.fails("--cs goes with --format paf, not tsv", "--cs", "t.fa", "t.fa")
        self.fails("--rg goes with --format sam, bam and cram, not paf", "--rg", "ID:a", "--format", "paf", "t.fa", "t.fa")
        done = self.run_nwgpu("align", "--cigar-style", "eqx", "-o", "out.cram", "t.fa", "t.fa")
        self.assertIn("warning: CRAM does not keep = and X", done.stderr)
        self.fails("--ambiguous x: must be a cost", "--ambiguous", "x", "t.fa", "t.fa")
        self.fails("--ambiguous is for DNA", "--ambiguous", "match", "--protein", "t.fa", "t.fa")
        self.fails("need alignments", "--score-only", "--min-identity", "0.5", "t.fa", "t.fa")
        self.fails("not in range", "--min-identity", "90", "t.fa", "t.fa")

    def test_fastq(self):
        self.query_fails("@a\nACGT\n+\nII\n@b\nAC\n+\nII\n", "q.fq:4: quality has 2 letters, the sequence of line 2 has 4", "q.fq")
        self.query_fails("@a\nACGT\n+\nIIIII\n", "quality has 5 letters", "q.fq")
        self.query_fails("@a\nACGT\n+\n", "quality has 0 letters", "q.fq")
        self.query_fails("@a\nACGT\n", "q.fq:2: the file ends within a FASTQ record", "q.fq")
        self.query_fails("@a\nAC\n+\nI\x01\n", "quality letters must lie between", "q.fq")

    def test_truncated_gzip(self):
        packed = gzip.compress(fasta(**{f"r{i}": "ACGTTGCA" * 9 for i in range(99)}).encode() + os.urandom(999))
        self.query_fails(packed[:-200], "q.fa.gz: truncated or damaged", "q.fa.gz")
        broken = bytearray(bgzf(fasta(r="ACGT" * 500).encode()))
        broken[40] ^= 0xFF
        self.query_fails(bytes(broken), "q.fa.gz: truncated or damaged", "q.fa.gz")

    def test_truncated_bgzf(self):
        data = fasta(r="ACGT" * 500).encode()
        self.query_fails(bgzf(data, end=False), "q.fa.gz: truncated file: the bgzf end-of-file block is missing", "q.fa.gz")
        self.query_fails(bgzf(data)[:-60], "q.fa.gz: truncated", "q.fa.gz")

    def test_unequal_numbers(self):
        self.file("q.fa", fasta(a="AC", b="AC"))
        out = self.fails("t.fa: ends after record 1, but q.fa has more", "--pair", "zip", "q.fa", "t.fa")
        self.assertEqual(out.count("\n"), 2)

    def test_which_pairs(self):
        self.file("q.fa", fasta(a="AC", b="AC"))
        self.fails("say --pair zip, all or best", "q.fa", "q.fa")

    def test_pairs_file(self):
        self.file("list.tsv", "t\tt\nt\tx\n")
        self.fails("list.tsv:2: no target is named 'x'", "--pairs", "list.tsv", "t.fa", "t.fa")
        self.file("list.tsv", "t t\n")
        self.fails("list.tsv:1: a line must be", "--pairs", "list.tsv", "t.fa", "t.fa")
        self.file("twice.fa", fasta(a="AC") + fasta(a="AC"))
        self.fails("two records are named 'a'", "--pairs", "list.tsv", "twice.fa", "t.fa")

    def test_sam_names(self):
        self.file("twice.fa", fasta(a="AC") + fasta(a="AC"))
        self.fails("two queries are named 'a'", "--format", "sam", "twice.fa", "t.fa")
        self.fails("two targets are named 'a'", "--format", "sam", "t.fa", "twice.fa")
        self.query_fails(fasta(**{"q" * 255: "AC"}), "SAM names have 1 to 254", "q.fa", "--format", "sam")
        self.file("strange.fa", fasta(**{"a,b": "AC"}))
        self.fails("target 'a,b': not a name that SAM allows", "--format", "sam", "t.fa", "strange.fa")

    def test_what_formats_cannot_hold(self):
        self.file("empty.fa", ">e\n")
        self.fails("has 0 letters: SAM holds", "--format", "sam", "t.fa", "empty.fa")
        for name in ("bam", "cram"):
            self.fails("cannot hold protein letters: use --format sam", "--protein", "--format", name, "t.fa", "t.fa")
        self.fails("--score-only goes with --format tsv", "--score-only", "--format", "paf", "t.fa", "t.fa")

    def test_matrix_file(self):
        self.file("m.txt", "  A C\nA 1 2\n")
        self.fails("--matrix m.txt: line 2", "--matrix", "m.txt", "t.fa", "t.fa")
        self.fails("built-in matrix: BLOSUM45", "--matrix", "NOSUCH", "t.fa", "t.fa")

    def test_algorithm(self):
        self.fails("no algorithm is called 'cpu9'", "--algorithm", "cpu9", "t.fa", "t.fa")
        self.fails("takes linear gaps only: gap_open must be 0, it is 4", "--algorithm", "cpu1-st-row", "t.fa", "t.fa")
        for mode in ("overlap", "extend", "extend-left"):
            self.fails("without free ends and extension", "--algorithm", "swat-serial", "--mode", mode, "t.fa", "t.fa")
        self.fails("cpu3-st-diagrow: rows (rows of a tile) must be a number from 1", "--algorithm", "cpu3-st-diagrow:rows=0", "t.fa", "t.fa")

    def test_reads(self):
        bam = (DATA / "ex1.bam").read_bytes()
        (self.folder / "cut.bam").write_bytes(bam[:-28])
        self.fails("cut.bam: truncated file: the end-of-file block is missing", "cut.bam", DATA / "ex1_ref.fa.gz",
                   command="realign")
        self.fails("t.fa: no record 'chr1', to which reads are mapped", DATA / "ex1.bam", "t.fa", command="realign")
        self.fails("no.fa: No such file", DATA / "ex1.bam", "no.fa", command="realign")
        self.fails("not a SAM, BAM or CRAM file", "t.fa", "t.fa", command="realign")
        self.file("r.sam", "@SQ\tSN:t\tLN:9\nr\t0\tt\t1\t9\t2M\t*\t0\t0\tAC\t*\n")
        self.fails("'t' has 8 letters, the reads' header says 9", "r.sam", "t.fa", command="realign")
        self.file("r.sam", "@SQ\tSN:t\tLN:8\nr\t0\tt\t8\t9\t2M\t*\t0\t0\tAC\t*\n")
        self.fails("mapped beyond the end", "r.sam", "t.fa", command="realign")
        self.file("r.sam", "@SQ\tSN:t\tLN:8\nr\t0\tt\t1\t9\t2M\t*\t0\t0\tACG\t*\n")
        self.fails("r.sam:2: record 1 is damaged", "r.sam", "t.fa", command="realign")


class BadUsage(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))

    def fails(self, message, *arguments):
        self.assertIn(message, self.run_nwgpu(*arguments, code=1).stderr)

    def test_options(self):
        pair = ["t.fa", "t.fa"]
        self.fails("subcommand is required")
        self.fails("QUERY is required", "align")
        self.fails("TARGET is required", "align", "t.fa")
        self.fails("--mode", "align", "--mode", "nonsense", *pair)
        self.fails("not in range", "align", "-B", "-4", *pair)
        self.fails("not in range", "align", "-O", "1073741825", *pair)
        self.fails("not in range", "align", "-E", "99999999999999999999", *pair)
        self.fails("excludes", "align", "-A", "3", "--matrix", "BLOSUM62", *pair)
        self.fails("excludes", "align", "--mode", "local", "--free-ends", "query-end", *pair)
        self.fails("LOWER not above UPPER", "align", "--band", "3,2", *pair)
        self.fails("--band", "align", "--band", "3", *pair)
        self.fails("--top goes with --mode local", "align", "--top", "2", *pair)
        self.fails("not in range", "align", "--mode", "local", "--top", "0", *pair)
        self.fails("--top goes with neither", "align", "--mode", "local", "--top", "2", "--both-strands", *pair)
        self.fails("only one of QUERY and TARGET", "align", "-", "-")
        self.fails("-o t.fa is an input file", "align", "-o", "t.fa", *pair)
        self.fails("--both-strands is for DNA", "align", "--protein", "--both-strands", *pair)
        self.fails("--rg needs one line with an ID", "align", "--format", "sam", "--rg", "SM:x", *pair)
        self.fails("must be auto, cpu, cuda, cuda:N, cuda:N,M or all", "align", "--device", "gpu", *pair)
        self.fails("must be device numbers", "align", "--device", "cuda:x", *pair)
        self.fails("--margin needs free target ends", "realign", "--margin", "5", *pair)
        self.fails("--margin", "realign", "--mode", "semiglobal", "--margin=-5", *pair)
        self.assertEqual((self.folder / "t.fa").read_text(), fasta(t="ACGTACGT"))

    def test_a_gpu_asked_for_by_name_is_not_replaced(self):
        doctor = self.run_nwgpu("doctor").stdout
        if "not used" not in doctor:
            self.skipTest("there is a GPU")
        self.fails("nwgpu doctor", "align", "--device", "cuda", "t.fa", "t.fa")

    def test_help_and_version(self):
        self.assertRegex(self.run_nwgpu("--version").stdout, r"^nwgpu \d+\.\d+\.\d+")
        for command in ("align", "realign"):
            help_text = self.run_nwgpu(command, "-h").stdout
            self.assertIn("Examples:", help_text)
            self.assertIn("Exit codes:", help_text)


class BadOutput(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("t.fa", fasta(t="ACGTACGT"))

    def test_unwritable(self):
        done = self.run_nwgpu("align", "-o", "no/such/folder.tsv", "t.fa", "t.fa", code=1)
        self.assertIn("no/such/folder.tsv: No such file or directory", done.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        for name in ("tsv", "paf", "sam", "bam", "cram", "cigar", "pair"):
            done = self.run_nwgpu("align", "-o", "/dev/full", "--format", name, "t.fa", "t.fa", code=1)
            self.assertIn("/dev/full: No space left on device", done.stderr, name)
            with open("/dev/full", "w") as full:
                done = self.run_nwgpu("align", "--format", name, "t.fa", "t.fa", code=1, stdout=full)
            self.assertIn("standard output: No space left on device", done.stderr, name)
        with open("/dev/full", "w") as full:
            self.run_nwgpu("doctor", code=1, stdout=full)
            self.run_nwgpu("--version", code=1, stdout=full)
            self.run_nwgpu("realign", DATA / "ex1.bam", DATA / "ex1_ref.fa.gz", code=1, stdout=full)


class Interrupt(support.CommandTest):
    def process(self, *arguments, **streams):
        """A run of `nwgpu align` that goes on beside the test."""
        command = subprocess.Popen([support.NWGPU, "align", *arguments], cwd=self.folder, stderr=subprocess.PIPE, text=True,
                                   **streams)
        for stream in (command.stdin, command.stdout, command.stderr):
            if stream is not None:
                self.addCleanup(stream.close)
        self.addCleanup(command.wait)
        self.addCleanup(command.kill)
        return command

    def start(self, output, text):
        """A process that waits for more queries than those of text."""
        command = self.process("-o", output, "-", "t.fa", stdin=subprocess.PIPE)
        try:
            command.stdin.write(text)
            command.stdin.flush()
        except BrokenPipeError:  # it has ended already
            pass
        return command

    def wait_until(self, reached):
        deadline = time.monotonic() + 60
        while not reached():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def stop(self, command):
        """Interrupts it and returns what it says; its standard input stays open."""
        command.send_signal(signal.SIGINT)
        self.assertEqual(command.wait(timeout=60), 130)
        errors = command.stderr.read()
        self.assertIn("interrupted", errors)
        return errors

    def test_before_the_first_query(self):
        self.file("t.fa", fasta(t="ACGT"))
        command = self.start("out.tsv", "")
        self.wait_until(lambda: self.waits(command.pid))
        self.assertIn("nothing was written", self.stop(command))

    def test_while_more_is_read(self):
        """The batches before are aligned and written, whole; then it waits for the pipe, and Ctrl-C ends that."""
        self.file("t.fa", fasta(t="ACGT" * 100))
        record = ">q\n" + "ACGT" * 250 + "\n"
        for name, query in (("tsv", record * 2000), ("bam", "".join(f">{i}{record[1:]}" for i in range(2000)))):
            out = self.folder / f"out.{name}"
            command = self.start(out.name, query)
            part = self.folder / f"out.{name}.part"
            self.wait_until(lambda: part.exists() and part.stat().st_size > 500)
            self.assertIn(f"are complete, in out.{name}", self.stop(command))
            self.assertFalse(part.exists())
            if name == "tsv":
                lines = out.read_text().splitlines(keepends=True)
                self.assertEqual(lines[0], TSV)
                self.assertTrue(100 < len(lines) < 2000)
                self.assertTrue(all(line.count("\t") == 8 and line.endswith("\n") for line in lines))
            else:
                self.assertEqual(out.read_bytes()[-28:], bgzf(b""))

    def test_error_while_more_is_read(self):
        """A full disk ends it, though the pipe stays open."""
        self.file("t.fa", fasta(t="ACGT" * 100))
        command = self.start("/dev/full", (">q\n" + "ACGT" * 250 + "\n") * 2000)
        self.assertEqual(command.wait(timeout=60), 1)
        self.assertIn("No space left on device", command.stderr.read())

    def test_while_input_never_ends(self):
        """Nothing more is read, though there always is more."""
        self.file("t.fa", fasta(t="ACGT" * 100))
        read = "ACGT" * 40
        sam = "@SQ\tSN:t\tLN:400\n", f"r\t0\tt\t1\t9\t160M\t*\t0\t0\t{read}\t*\n" * 1000
        for arguments, (begin, more) in ((("realign", "-", "t.fa"), sam), (("align", "-", "t.fa"), ("", f">q\n{read}\n" * 1000))):
            for threads in (1, 2):
                command = subprocess.Popen([support.NWGPU, *arguments, "--device", "cpu", "-t", str(threads)], text=True,
                                           cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE)
                command.stdin.write(begin)
                end = time.monotonic() + 1
                while time.monotonic() < end:
                    command.stdin.write(more)
                command.send_signal(signal.SIGINT)
                with self.assertRaises(BrokenPipeError):
                    while time.monotonic() < end + 30:
                        command.stdin.write(more)
                self.assertLess(time.monotonic(), end + 10)
                self.assertEqual(command.wait(timeout=60), 130, command.stderr.read())
                with contextlib.suppress(BrokenPipeError):
                    command.stdin.close()
                command.stderr.close()

    def test_while_it_reads(self):
        """The reader is busy, not waiting, when the run ends; what was complete is written."""
        self.file("t.fa", fasta(t="ACGTACGT"))
        self.file("q.fa", "".join(f">{i}\nACGTACGT\n" for i in range(400_000)))
        for delay in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3):
            for name in ("sam", "bam"):
                command = self.process("-o", f"out.{name}", "q.fa", "t.fa")
                time.sleep(delay)
                command.send_signal(signal.SIGINT)
                _, errors = command.communicate(timeout=60)
                # Interrupted, or before the handler was there, or done already.
                self.assertIn(command.returncode, (130, -signal.SIGINT, 0), errors)
            if command.returncode == 130 and "are complete" in errors:
                self.assertEqual((self.folder / "out.bam").read_bytes()[-28:], bgzf(b""))
        for threads in (1, 2, 1, 2):
            done = self.run_nwgpu("align", "-t", threads, "--format", "bam", "-o", "/dev/full", "q.fa", "t.fa", code=1)
            self.assertRegex(done.stderr, "No space left on device|is the disk full")

    def test_pipe_that_nobody_reads(self):
        self.file("t.fa", fasta(t="ACGT" * 100))
        self.file("q.fa", (">q\n" + "ACGT" * 250 + "\n") * 10_000)
        command = self.process("q.fa", "t.fa", stdout=subprocess.PIPE)

        def is_full():
            """Some bytes wait, and no more come."""
            waiting = [array.array("i", [0]) for _ in range(2)]
            for count in waiting:
                fcntl.ioctl(command.stdout, termios.FIONREAD, count)
                time.sleep(0.5)
            return waiting[0] == waiting[1] and waiting[0][0] > 30_000

        self.wait_until(is_full)
        self.assertIn("incomplete", self.stop(command))

    @unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
    def test_while_it_aligns(self):
        """Scores and paths of competing pairs are two calls of the library: Ctrl-C and the deadline reach both.  Here a
        stand-in for each of them, in which the signal arrives."""
        self.file("stop.c", "#include <nwgpu/nwgpu.h>\n#include <signal.h>\n"
                  "static nwgpu_status stop(const nwgpu_control *c, nwgpu_error *e)\n"
                  "{ int goes_on, ends = 0;\n"
                  "  goes_on = c && c->progress && c->deadline_seconds > 0 && !c->progress(c->progress_user, 1, 2);\n"
                  "  raise(SIGINT);\n"
                  "  if (goes_on) ends = c->progress(c->progress_user, 2, 2) != 0;\n"
                  "  return e->status = ends ? NWGPU_ERROR_CANCELLED : NWGPU_ERROR_INTERNAL; }\n"
                  "#ifdef SCORES\n"
                  "nwgpu_status nwgpu_align(nwgpu_context *c, const nwgpu_sequences *q, const nwgpu_sequences *t,\n"
                  "  const nwgpu_pair *p, uint64_t n, const nwgpu_scoring *s, const nwgpu_align_options *o,\n"
                  "  nwgpu_result **r, nwgpu_error *e)\n"
                  "{ (void)c; (void)q; (void)t; (void)p; (void)n; (void)s; (void)r; return stop(o->control, e); }\n"
                  "#else\n"
                  "nwgpu_status nwgpu_traceback(nwgpu_context *c, const nwgpu_sequences *q, const nwgpu_sequences *t,\n"
                  "  const nwgpu_result *f, const uint64_t *k, uint64_t n, const nwgpu_control *w, nwgpu_result **r,\n"
                  "  nwgpu_error *e)\n"
                  "{ (void)c; (void)q; (void)t; (void)f; (void)k; (void)n; (void)r; return stop(w, e); }\n"
                  "#endif\n")
        self.file("t.fa", fasta(t="ACGTACGT"))
        include = pathlib.Path(__file__).parents[2] / "capi/include"
        for name in ("SCORES", "PATHS"):
            subprocess.run(["cc", "-shared", "-fPIC", f"-D{name}", f"-I{include}", "-o", f"{name}.so", "stop.c"],
                           cwd=self.folder, check=True)
            environment = {**os.environ, "LD_PRELOAD": str(self.folder / f"{name}.so")}
            done = self.run_nwgpu("align", "--both-strands", "--deadline", 99, "t.fa", "t.fa", code=130, env=environment)
            self.assertEqual(done.stdout, TSV.replace("\n", "\tstrand\n"))
            self.assertIn("interrupted; the 0 alignments before are complete", done.stderr)

    @staticmethod
    def waits(pid):
        """Whether the process sleeps with its handler of SIGINT installed."""
        with open(f"/proc/{pid}/status") as status:
            fields = dict(line.split(":\t", 1) for line in status)
        return fields["State"].startswith("S") and int(fields["SigCgt"], 16) >> (signal.SIGINT - 1) & 1


if __name__ == "__main__":
    unittest.main()
