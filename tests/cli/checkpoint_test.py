# SPDX-License-Identifier: BSD-3-Clause
"""nwgpu align --checkpoint: a run that is killed goes on where it was, and what cannot go on is refused."""
import random
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

    def start(self, *options):
        return ["-t", 1, "--device", "cpu", "--checkpoint", "run", "--checkpoint-interval", 0.01, *options, "q.fa",
                "t.fa"]

    def kill_one(self, *options):
        """Kills a run as soon as it has saved something; tells whether it was still running."""
        run = subprocess.Popen([NWGPU, "align", *map(str, self.start(*options))], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while run.poll() is None and not list((self.folder / "run").glob("slab-*1.nwgpu")):
            time.sleep(0.0005)
        run.kill()
        return run.wait() != 0

    def test_a_killed_run_goes_on(self):
        for mode in ("global", "local"):
            expected = self.rows("--mode", mode, "--device", "cpu", "--every-cell", "q.fa", "t.fa")
            self.assertTrue(self.kill_one("--mode", mode), "the run was over before it could be killed")
            saved = sorted(file.name for file in (self.folder / "run").iterdir())
            self.assertIn("slab-000000.nwgpu", saved)
            self.assertEqual(self.rows(*self.start("--mode", mode, "--resume", "--verify")), expected)
            left = [file.name for file in (self.folder / "run").iterdir()]
            self.assertLessEqual(set(left), {name for name in saved if name.endswith(".part")})

    def test_resume_begins_anew_where_nothing_was_saved(self):
        expected = self.rows("--device", "cpu", "q.fa", "t.fa")
        self.assertEqual(self.rows(*self.start("--resume")), expected)

    def test_what_is_refused(self):
        self.assertTrue(self.kill_one())
        refused = self.run_nwgpu("align", *self.start(), code=1)
        self.assertIn("run: holds a checkpoint already: resume it, or choose another folder", refused.stderr)
        refused = self.run_nwgpu("align", *self.start("--resume")[:-1], "other.fa", code=1)
        self.assertIn("slab-000000.nwgpu: the checkpoint is of other sequences", refused.stderr)
        first = self.folder / "run" / "slab-000000.nwgpu"
        first.write_bytes(first.read_bytes()[:200])
        refused = self.run_nwgpu("align", *self.start("--resume"), code=1)
        self.assertIn("slab-000000.nwgpu: the file is cut short", refused.stderr)

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
