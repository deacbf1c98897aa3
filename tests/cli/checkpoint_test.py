# SPDX-License-Identifier: BSD-3-Clause
"""nwgpu align --checkpoint: a run that is killed goes on where it was, and what cannot go on is refused."""
import random
import resource
import shutil
import subprocess
import time
import unittest

import support
from support import NWGPU, fasta


class Checkpoint(support.CommandTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(77)  # reproduces the sequences
        query = "".join(draw.choices("ACGT", k=60000))
        target = "".join(draw.choice("ACGT") if draw.random() < 0.1 else letter for letter in query)
        self.file("q.fa", fasta(q=query))
        self.file("t.fa", fasta(t=target[:20000] + target[25000:]))
        self.file("other.fa", fasta(t=target[:40000]))

    def start(self, *options, threads=1):
        return ["-t", threads, "--device", "cpu", "--checkpoint", "run", "--checkpoint-interval", 0.01, *options,
                "q.fa", "t.fa"]

    def kill_one(self, *options):
        """Kills a run as soon as it has saved something; tells whether it was still running."""
        run = subprocess.Popen([NWGPU, "align", *map(str, self.start(*options))], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while run.poll() is None and not list((self.folder / "run").glob("slab-*1.nwgpu")):
            time.sleep(0.0005)
        run.kill()
        return run.wait() != 0

    def saved(self):
        """The files of the checkpoint."""
        return {file.name: file.read_bytes() for file in (self.folder / "run").glob("slab-*.nwgpu")}

    def test_a_killed_run_goes_on(self):
        for mode in ("global", "local"):
            expected = self.rows("--mode", mode, "--device", "cpu", "--every-cell", "q.fa", "t.fa")
            self.assertTrue(self.kill_one("--mode", mode), "the run was over before it could be killed")
            self.assertIn("slab-000000.nwgpu", self.saved())
            saved = len(self.saved())
            copy = self.folder / "copy"
            shutil.copytree(self.folder / "run", copy)
            done = self.run_nwgpu("align", *self.start("--mode", mode, "--resume"))
            self.assertIn(f"note: the run goes on from slab {saved} in run", done.stderr)
            shutil.rmtree(self.folder / "run")
            copy.rename(self.folder / "run")
            self.assertEqual(self.rows(*self.start("--mode", mode, "--resume", "--verify")), expected)
            self.assertEqual(list((self.folder / "run").iterdir()), [], "also what the killed run was writing is gone")

    def test_kills_at_random_moments(self):
        seed = random.randrange(2**32)  # of the moments, which no machine meets twice
        draw = random.Random(seed)
        for mode in ("global", "local", "semiglobal"):
            words = f"mode={mode} seed={seed}"
            expected = self.run_nwgpu("align", "--mode", mode, "--device", "cpu", "q.fa", "t.fa").stdout
            begin = time.monotonic()
            self.assertEqual(self.run_nwgpu("align", *self.start("--mode", mode)).stdout, expected, words)
            seconds = time.monotonic() - begin
            for kill in range(4):
                command = self.start("--mode", mode, "--resume", threads=kill % 3 + 1)
                run = subprocess.Popen([NWGPU, "align", *map(str, command)], cwd=self.folder, stdout=subprocess.PIPE)
                try:
                    output = run.communicate(timeout=seconds * draw.random())[0]
                    self.assertEqual((run.returncode, output.decode()), (0, expected), words)
                except subprocess.TimeoutExpired:
                    run.kill()
                    run.communicate()
                self.assertEqual(sorted(self.saved()), [f"slab-{k:06}.nwgpu" for k in range(len(self.saved()))], words)
            resumed = self.run_nwgpu("align", *self.start("--mode", mode, "--resume", threads=4))
            self.assertEqual(resumed.stdout, expected, words)
            self.assertEqual(list((self.folder / "run").iterdir()), [], words)

    def test_resume_begins_anew_where_nothing_was_saved(self):
        expected = self.rows("--device", "cpu", "q.fa", "t.fa")
        self.assertEqual(self.rows(*self.start("--resume")), expected)
        self.assertIn("run holds no checkpoint: the run begins anew", self.run_nwgpu("align", *self.start("--resume")).stderr)

    def refuse(self, message, *arguments):
        """Such a run says this, and leaves the checkpoint as it was."""
        before = self.saved()
        refused = self.run_nwgpu("align", "--device", "cpu", "--checkpoint", "run", *arguments, code=1)
        self.assertIn(message, refused.stderr)
        self.assertEqual(self.saved(), before)

    def test_what_is_refused(self):
        self.assertTrue(self.kill_one())
        first = "run/slab-000000.nwgpu: the checkpoint is "
        self.refuse("run: holds a checkpoint already: resume it, or choose another folder", "q.fa", "t.fa")
        self.refuse(first + "of other sequences, of 60000 x 55000 letters, not 55000 x 60000 letters: resume it with "
                    "what it was begun with, or choose another folder", "--resume", "t.fa", "q.fa")
        self.refuse(first + "of other sequences, of 60000 x 55000", "--resume", "q.fa", "other.fa")
        self.file("same.fa", (self.folder / "t.fa").read_text().replace("ACGT", "TGCA", 1))
        self.refuse(first + "of other sequences:", "--resume", "q.fa", "same.fa")
        for other in ("--match=3", "--mismatch=5", "--gap-open=5", "--gap-extend=1", "--matrix=EDNAFULL"):
            self.refuse(first + "of another scoring:", "--resume", other, "q.fa", "t.fa")
        for other in ("--mode=local", "--mode=overlap", "--free-ends=query-end", "--free-ends=target-begin"):
            self.refuse(first + "of another mode:", "--resume", other, "q.fa", "t.fa")
        self.assertEqual(self.rows(*self.start("--resume")), self.rows("--device", "cpu", "q.fa", "t.fa"))

    def test_matrices_are_told_apart(self):
        scores = {"one": 5, "other": 6}
        for name, match in scores.items():
            rows = [[str(match if a == b == "A" else 5 if a == b else -4) for b in "ACGT"] for a in "ACGT"]
            lines = [" ".join([letter, *row]) for letter, row in zip("ACGT", rows)]
            self.file(name, "  A C G T\n" + "\n".join(lines) + "\n")
        self.assertTrue(self.kill_one("--matrix", "one"))
        self.refuse("run/slab-000000.nwgpu: the checkpoint is of another scoring", "--resume", "--matrix", "other",
                    "q.fa", "t.fa")
        self.assertEqual(self.rows(*self.start("--matrix", "one", "--resume")),
                         self.rows("--device", "cpu", "--matrix", "one", "q.fa", "t.fa"))

    def test_exchanged_sequences_of_one_letter(self):
        self.file("q.fa", fasta(q="A" * 20000))
        self.file("t.fa", fasta(t="A" * 60000))
        self.assertTrue(self.kill_one())
        self.refuse("of 20000 x 60000 letters, not 60000 x 20000 letters", "--resume", "t.fa", "q.fa")
        self.assertEqual(self.rows(*self.start("--resume")), self.rows("--device", "cpu", "q.fa", "t.fa"))

    def test_damage_is_refused(self):
        self.assertTrue(self.kill_one())
        files = self.saved()
        first = self.folder / "run" / "slab-000000.nwgpu"
        remedy = ": remove this file and those with higher numbers, and resume from what is left"
        first.write_bytes(files[first.name][:1000])
        self.refuse("run/slab-000000.nwgpu: the checkpoint is damaged: the file is cut short" + remedy, "--resume",
                    "q.fa", "t.fa")
        middle = len(files[first.name]) // 2
        first.write_bytes(files[first.name][:middle] + b"x" + files[first.name][middle + 1:])
        damaged = self.run_nwgpu("align", *self.start("--resume"), code=1)
        self.assertIn("run/slab-000000.nwgpu: the checkpoint is damaged: its content has changed" + remedy,
                      damaged.stderr)
        for file in self.saved():
            (self.folder / "run" / file).unlink()
        self.assertEqual(self.rows(*self.start("--resume")), self.rows("--device", "cpu", "q.fa", "t.fa"))

    def test_what_cannot_be_written(self):
        """No disk, no files: the reason, and nothing that a later run would take for complete."""
        expected = self.run_nwgpu("align", "--device", "cpu", "q.fa", "t.fa").stdout

        def run(limit, value):
            return subprocess.run([NWGPU, "align", *map(str, self.start("--resume"))], cwd=self.folder,
                                  capture_output=True, text=True, timeout=250,
                                  preexec_fn=lambda: resource.setrlimit(limit, (value, value)))

        full = run(resource.RLIMIT_FSIZE, 100000)
        self.assertEqual(full.returncode, 1, full)
        self.assertIn("run/slab-000000.nwgpu.part: File too large", full.stderr)
        self.assertEqual(list((self.folder / "run").iterdir()), [])
        said = 0
        for files in range(4, 16):  # with 3 the program itself is not found
            few = run(resource.RLIMIT_NOFILE, files)
            self.assertIn(few.returncode, (0, 1), f"{files} files: {few}")
            if few.returncode == 0:
                self.assertEqual(few.stdout, expected, f"{files} files")
                break
            said += "run" in few.stderr and "Too many open files" in few.stderr
        self.assertGreater(said, 0, "no limit met the checkpoint")
        self.assertEqual(self.run_nwgpu("align", *self.start("--resume")).stdout, expected)

    def test_one_pair_only(self):
        self.file("two.fa", fasta(a="ACGT", b="ACGA"))
        refused = self.run_nwgpu("align", "--checkpoint", "run", "two.fa", "t.fa", code=1)
        self.assertIn("a checkpoint belongs to one pair, there are 2", refused.stderr)

    def test_a_deadline_keeps_what_was_saved(self):
        stopped = self.run_nwgpu("align", *self.start("--deadline", 0.05), code=130)
        self.assertIn("interrupted", stopped.stderr)
        self.assertEqual(self.rows(*self.start("--resume")), self.rows("--device", "cpu", "q.fa", "t.fa"))


if __name__ == "__main__":
    unittest.main()
