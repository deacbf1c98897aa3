# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C, whatever the command is at: what is complete is written, and it ends."""
import array
import contextlib
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import termios
import time
import unittest

import support
from support import bgzf, fasta

TSV = "query\ttarget\tstatus\tscore\tquery_begin\tquery_end\ttarget_begin\ttarget_end\tcigar\n"


class Interrupt(support.CommandTest):
    def process(self, *arguments, name="align", **streams):
        """A run of the command that goes on beside the test."""
        command = subprocess.Popen([support.NWGPU, name, *arguments], cwd=self.folder, stderr=subprocess.PIPE, text=True,
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
        for name, (begin, more) in (("realign", sam), ("align", ("", f">q\n{read}\n" * 1000))):
            for threads in ("1", "2"):
                command = self.process("-", "t.fa", "--device", "cpu", "-t", threads, name=name,
                                       stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
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
