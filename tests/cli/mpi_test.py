# SPDX-License-Identifier: BSD-3-Clause
"""Several ranks of MPI: the same bytes as one process, and failures that end all ranks."""
import gzip
import os
import random
import signal
import subprocess
import time
import unittest

from ranks import ENVIRONMENT, MPIRUN, ranks_of
from support import DATA, NWGPU, CommandTest, fasta

COW, PIG = DATA / "ortholog_pairs_cow.faa.gz", DATA / "ortholog_pairs_pig.faa.gz"
ONE_THREAD = ["--device", "cpu", "-t", "1"]


@unittest.skipUnless(MPIRUN, "no mpirun was found: ./bootstrap.sh --test installs Open MPI and MPICH")
class Mpi(CommandTest):
    def launch(self, mpi, *programs, code=0):
        """Starts (ranks, arguments) of the command, or of another program; returns the finished process."""
        line = [MPIRUN[mpi]]
        for number, (ranks, arguments) in enumerate(programs):
            line += [":"] * (number > 0) + ["-n", ranks, *arguments]
        done = subprocess.run([str(word) for word in line], cwd=self.folder, text=True, capture_output=True, timeout=250,
                              env=ENVIRONMENT, stdin=subprocess.DEVNULL)
        if code == 0:
            self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}\n{done.stderr}")
        else:
            self.assertNotEqual(done.returncode, 0, f"{line}\n{done.stdout}\n{done.stderr}")
        return done

    @staticmethod
    def each(most=4):
        return [(mpi, ranks) for mpi in MPIRUN for ranks in range(1, most + 1)]

    def reads(self, count, length, seed=1):
        """FASTA of reads with differences, and of what they come from."""
        source = random.Random(seed)
        genome = "".join(source.choice("ACGT") for _ in range(20 * length))
        reads = {}
        for k in range(count):
            begin = source.randrange(len(genome) - length)
            letters = [source.choice("ACGT") if source.random() < 0.05 else letter
                       for letter in genome[begin:begin + length]]
            reads[f"read{k}"] = "".join(letters)
        return self.file("reads.fa", fasta(**reads)), self.file("genome.fa", fasta(genome=genome))

    def test_output_is_that_of_one_process(self):
        reads, genome = self.reads(60, 900)
        questions = {
            "proteins": ["--pair", "all", "--mode", "local", COW, PIG],
            "reads": ["--mode", "semiglobal", "--both-strands", "--format", "paf", "--cs", reads, genome],
            "top": ["--mode", "local", "--top", "3", "--pair", "all", COW, PIG],
        }
        for name, question in questions.items():
            alone = self.run_nwgpu("align", *ONE_THREAD, *question).stdout
            self.assertGreater(alone.count("\n"), 50)
            for mpi, ranks in self.each(4 if name == "reads" else 2):
                with self.subTest(name, mpi=mpi, ranks=ranks):
                    done = self.launch(mpi, (ranks, [NWGPU, "align", "--mpi", *ONE_THREAD, *question]))
                    self.assertEqual(done.stdout, alone)

    def test_work_is_shared(self):
        reads, genome = self.reads(60, 900)
        for mpi in MPIRUN:
            done = self.launch(mpi, (2, [NWGPU, "align", "--mpi", "-v", *ONE_THREAD, "--plan", reads, genome]))
            self.assertIn("2 ranks, cpu:", done.stdout)
            self.assertIn("dealt out to 2 ranks", done.stdout)

    def test_a_long_pair_is_dealt_out_by_rows(self):
        """Every cell, or rank 0 would find the global one alone."""
        source = random.Random(2)
        query = "".join(source.choice("ACGT") for _ in range(26000))
        target = "".join(source.choice("ACGT") if source.random() < 0.2 else letter for letter in query[1000:24000])
        files = [self.file("query.fa", fasta(query=query)), self.file("target.fa", fasta(target=target))]
        for mode in ("local", "global"):
            question = [*ONE_THREAD, "--every-cell", "--mode", mode, "--format", "paf", "--cs", *files]
            alone = self.run_nwgpu("align", *question).stdout
            for mpi, ranks in self.each():
                if mode == "global" and ranks != 3:
                    continue
                with self.subTest(mode, mpi=mpi, ranks=ranks):
                    done = self.launch(mpi, (ranks, [NWGPU, "align", "--mpi", *question]))
                    self.assertEqual(done.stdout, alone)
                    if mode == "local":
                        plan = self.launch(mpi, (ranks, [NWGPU, "align", "--mpi", "-v", "--plan", *question])).stdout
                        self.assertEqual(f"rows of the pair dealt out to {ranks} ranks: " in plan, ranks > 1, plan)

    def test_realign(self):
        arguments = ["realign", "--device", "cpu", "-t", "1", DATA / "ex1.bam", "ref.fa"]
        self.file("ref.fa", gzip.decompress((DATA / "ex1_ref.fa.gz").read_bytes()))
        alone = [line for line in self.run_nwgpu(*arguments).stdout.splitlines() if not line.startswith("@PG")]
        for mpi in MPIRUN:
            with self.subTest(mpi):
                done = self.launch(mpi, (3, [NWGPU, *arguments, "--mpi"]))
                self.assertEqual([line for line in done.stdout.splitlines() if not line.startswith("@PG")], alone)

    def test_without_the_option_several_ranks_are_refused(self):
        for mpi in MPIRUN:
            with self.subTest(mpi):
                done = self.launch(mpi, (2, [NWGPU, "align", *ONE_THREAD, COW, PIG]), code=1)
                self.assertIn("2 processes were started together", done.stderr)
                self.assertEqual(done.stderr.count("nwgpu: error"), 1)
                self.assertEqual(done.stdout, "")
                self.launch(mpi, (1, [NWGPU, "align", *ONE_THREAD, "--pair", "zip", COW, PIG]))

    def test_an_error_of_one_rank_ends_all(self):
        command = [NWGPU, "align", "--mpi", *ONE_THREAD, "--pair", "zip", COW, PIG]
        for mpi in MPIRUN:
            with self.subTest(mpi):
                # A rank that has no instruction set to work with.
                done = self.launch(mpi, (2, command), (1, ["env", "NWGPU_FORCE_ISA=abacus", *command]), code=1)
                self.assertRegex(done.stderr, r"rank 2 \(.+\).*abacus")
                self.assertEqual(done.stdout, "")
                # Other arguments than rank 0.
                done = self.launch(mpi, (1, command), (1, [*command, "--mode", "local"]), code=1)
                self.assertRegex(done.stderr, r"rank 1 \(.+\): its arguments differ")
                # A file that is not there, which rank 0 alone looks for.
                done = self.launch(mpi, (2, [NWGPU, "align", "--mpi", *ONE_THREAD, "nothing.fa", PIG]), code=1)
                self.assertRegex(done.stderr, r"rank 0 \(.+\): nothing.fa: No such file")
                self.assertEqual(done.stderr.count("nwgpu: error"), 1)

    def test_a_rank_that_is_killed_ends_all(self):
        reads, genome = self.reads(400, 3000)  # half a minute's work
        for mpi in MPIRUN:
            for victim in (0, 1, 2):
                with self.subTest(mpi=mpi, victim=victim):
                    command = [NWGPU, "align", "--mpi", *ONE_THREAD, "--every-cell", "-o", f"{mpi}{victim}.paf", reads,
                               genome]
                    job = subprocess.Popen([MPIRUN[mpi], "-n", "3", *command], cwd=self.folder, env=ENVIRONMENT,
                                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    try:
                        ranks = ranks_of(f"{mpi}{victim}.paf", 3)
                        time.sleep(0.5)
                        os.kill(ranks[victim], signal.SIGKILL)
                        output, _ = job.communicate(timeout=60)
                    finally:
                        job.kill()
                    self.assertNotEqual(job.returncode, 0, output)
                    self.assertEqual(ranks_of(f"{mpi}{victim}.paf", 0), [])
                    # Nothing, or what was complete when the launcher asked rank 0 to end.
                    written = self.folder / f"{mpi}{victim}.paf"
                    text = written.read_text() if written.exists() else ""
                    self.assertTrue(text == "" or text.endswith("\n"))
                    self.assertLess(text.count("\n"), 400)

    def test_doctor_shows_the_ranks(self):
        for mpi, ranks in self.each(3):
            with self.subTest(mpi=mpi, ranks=ranks):
                text = self.launch(mpi, (ranks, [NWGPU, "doctor", "--mpi"])).stdout
                self.assertIn("Open MPI" if mpi == "openmpi" else "MPICH", text)
                self.assertRegex(text, rf"ranks +{ranks}\n")
                self.assertEqual(text.count("us there and back"), ranks - 1)

    def test_the_option_without_a_launcher(self):
        done = subprocess.run([NWGPU, "align", "--mpi", *ONE_THREAD, "--pair", "zip", str(COW), str(PIG)], text=True,
                              capture_output=True, env=ENVIRONMENT, timeout=100)
        self.assertEqual(done.stdout, self.run_nwgpu("align", *ONE_THREAD, "--pair", "zip", COW, PIG).stdout)

    def test_a_library_that_is_not_there(self):
        done = self.run_nwgpu("align", "--mpi", COW, PIG, code=1, env={**ENVIRONMENT, "NWGPU_MPI": "/nowhere/it.so"})
        self.assertIn("NWGPU_MPI=FILE", done.stderr)
        self.assertIn("/nowhere/it.so", done.stderr)


if __name__ == "__main__":
    unittest.main()
