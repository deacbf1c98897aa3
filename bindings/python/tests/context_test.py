# SPDX-License-Identifier: BSD-3-Clause
"""Contexts and their sequences, progress and ending a call early, threads, errors, and loading the library."""
import contextlib
import copy
import gc
import io
import os
import pathlib
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

import nwgpu

DNA = nwgpu.dna()
READMES = [pathlib.Path(__file__).resolve().parents[i] / "README.md" for i in (1, 3)]  # ours and the project's


class Stop(Exception):
    pass


class ContextTest(unittest.TestCase):
    def setUp(self):
        self.context = nwgpu.Context("cpu", threads=1)
        self.addCleanup(self.context.close)

    @contextlib.contextmanager
    def fails(self, status, message=""):
        with self.assertRaises(nwgpu.Error) as caught:
            yield caught
        self.assertIs(caught.exception.status, status)
        self.assertIn(message, str(caught.exception))


class Handles(ContextTest):
    def test_what_it_is(self):
        self.assertRegex(self.context.backend, r"^cpu:\w+$")
        self.assertEqual(self.context.threads, 1)
        self.context.trim()

    def test_sequences_are_used_again(self):
        with self.context.sequences(["ACGT", "AC"]) as queries, self.context.sequences("ACGT") as target:
            self.assertEqual((len(queries), len(target)), (2, 1))
            for _ in range(3):
                found = self.context.align(queries, target, pairs="all", scoring=DNA)
                self.assertEqual([a.score for a in found], [8, -4])
            self.assertEqual(self.context.align(queries, ["C", "C"], scoring=DNA, mode="local")[1].cigar, "1=")
        self.assertRaisesRegex(ValueError, "Sequences is closed", self.context.align, queries, "A", scoring=DNA)
        queries.close()  # may be called again

    def test_sequences_of_another_context(self):
        with nwgpu.Context("cpu", threads=1) as other, other.sequences("ACGT") as sequences:
            self.assertRaises(ValueError, self.context.align, sequences, "A", scoring=DNA)

    def test_a_closed_context(self):
        sequences = self.context.sequences("ACGT")
        self.context.close()
        self.context.close()
        for call in (lambda: self.context.align("A", "A", scoring=DNA), self.context.trim,
                     lambda: self.context.sequences("A")):
            self.assertRaisesRegex(ValueError, "Context is closed", call)
        sequences.close()

    def test_garbage_is_given_back(self):
        def threads():
            return len(os.listdir("/proc/self/task"))

        context = nwgpu.Context("cpu", threads=2)
        before = threads()
        sequences = context.sequences(["ACGT" * 100] * 500)
        context.align(sequences, "ACGT" * 100, pairs="all", scoring=DNA, progress=lambda done, total: True)
        self.assertEqual(threads(), before + 1)  # the library's
        gone = weakref.ref(context)
        del context
        gc.collect()
        self.assertIsNone(gone())
        self.assertEqual((threads(), len(sequences)), (before, 500))

    def test_what_is_not_made_is_closed(self):
        context, sequences = nwgpu.Context.__new__(nwgpu.Context), nwgpu.Sequences.__new__(nwgpu.Sequences)
        self.assertRaisesRegex(ValueError, "Context is closed", context.sequences, "A")
        self.assertRaisesRegex(ValueError, "of another context", self.context.align, sequences, "A", scoring=DNA)
        for handle in (context, sequences):
            handle.close()
        context.cancel()

    def test_handles_are_not_copied(self):
        with self.context.sequences("ACGT") as sequences:
            for handle in (self.context, sequences):
                for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
                    self.assertRaisesRegex(TypeError, "cannot be copied or pickled", duplicate, handle)

    def test_estimate(self):
        estimate = self.context.estimate(["A" * 1000] * 3, "C" * 2000, pairs="all", scoring=DNA)
        self.assertEqual((estimate.pairs, estimate.cells, estimate.device_bytes), (3, 6_000_000, 0))
        self.assertGreater(estimate.host_bytes, 5000)
        self.assertGreater(estimate.seconds, 0)
        self.assertIn("3 pairs", estimate.plan)

    def test_a_memory_limit_is_a_status_of_the_pair(self):
        long = ["".join(random.Random(seed).choices("ACGT", k=20_000)) for seed in (1, 2)]
        with nwgpu.Context("cpu", threads=1, max_host_bytes=1 << 19) as context:
            found = context.align([long[0], "ACGT"], [long[1], "ACGT"], scoring=DNA)
        self.assertEqual([a.status for a in found], [nwgpu.Status.MEMORY_LIMIT, nwgpu.Status.OK])
        self.assertTrue(found[0].message)

    def test_devices(self):
        for name in ("gpu", "cpu:0", "cuda:", "cuda:x", "cuda:-1", "cuda:0,x", "cuda:0,"):
            self.assertRaises(ValueError, nwgpu.Context, name)
        found = {device.name: device.summary for device in nwgpu.devices()}
        self.assertIn("cpu", found)
        self.assertTrue(all(device.memory > 1 << 28 for device in nwgpu.devices()))
        for name in found:
            with nwgpu.Context(name) as context:
                self.assertTrue(context.backend.startswith(name.split(":")[0]))
        best = found["cpu"].split()[0]
        with nwgpu.Context("cpu", cpu_isa=best) as context:
            self.assertEqual(context.backend, f"cpu:{best}")
        with self.fails(nwgpu.Status.UNSUPPORTED, "z80"), nwgpu.Context("cpu", cpu_isa="z80"):
            pass
        if len(found) == 1:  # no GPU
            with self.assertRaises(nwgpu.Error) as caught:
                nwgpu.Context("cuda")
            self.assertIn(caught.exception.status, (nwgpu.Status.NO_DEVICE, nwgpu.Status.UNSUPPORTED))
            with self.assertLogs("nwgpu", "INFO") as logged, nwgpu.Context():
                pass
            self.assertIn("using the CPU", logged.output[0])


class EndingEarly(ContextTest):
    """A call that takes minutes ends when it is told to."""

    @classmethod
    def setUpClass(cls):
        draw = random.Random(8)
        cls.long = ["".join(draw.choices("ACGT", k=400_000)) for _ in range(2)]

    def setUp(self):
        super().setUp()
        self.begin = time.monotonic()

    def align(self, **options):
        options = {"deadline": 30, "output": "score", "every_cell": True, **options}
        return self.context.align(*self.long, scoring=DNA, **options)

    def tearDown(self):
        self.assertLess(time.monotonic() - self.begin, 15)
        self.assertEqual(self.context.align("AC", "AC", scoring=DNA)[0].score, 4)  # as if nothing had been

    def test_false_cancels(self):
        seen = []

        def progress(done, total):
            seen.append((done, total))
            return len(seen) < 3 and None

        with self.fails(nwgpu.Status.CANCELLED) as caught:
            self.align(progress=progress)
        self.assertIsNone(caught.exception.pair)
        self.assertEqual(seen, sorted(seen))
        self.assertEqual(len(seen), 3)
        self.assertEqual(seen[0][1], len(self.long[0]) * len(self.long[1]))

    def test_an_exception_is_raised_again(self):
        def progress(done, total):
            raise Stop(total)

        with self.assertRaises(Stop):
            self.align(progress=progress)

    def interrupted(self, **options):
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            self.align(**options)
        finally:
            timer.join()

    def test_control_c_ends_a_call(self):
        before = signal.getsignal(signal.SIGINT)
        for progress in (None, lambda done, total: None):
            self.assertRaises(KeyboardInterrupt, self.interrupted, progress=progress)
            self.assertIs(signal.getsignal(signal.SIGINT), before)

    def test_a_handler_that_raises_nothing_ends_nothing(self):
        seen = []
        before = signal.signal(signal.SIGINT, lambda *_: seen.append(time.monotonic()))
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with self.fails(nwgpu.Status.DEADLINE):
            self.interrupted(deadline=2)
        self.assertEqual(len(seen), 1)
        self.assertLess(seen[0], time.monotonic() - 0.3)  # not only when the call was over

    def test_a_deadline(self):
        with self.fails(nwgpu.Status.DEADLINE, "0.1"):
            self.align(deadline=0.1)

    def test_cancel_from_another_thread(self):
        self.context.cancel()  # nothing runs: nothing is cancelled
        self.assertEqual(self.context.align("AC", "AC", scoring=DNA)[0].score, 4)
        timer = threading.Timer(0.2, self.context.cancel)
        timer.start()
        with self.fails(nwgpu.Status.CANCELLED, "nwgpu_context_cancel"):
            self.align()
        timer.join()

    def test_close_and_cancel_at_once(self):
        """What is destroyed is not cancelled, and what is being cancelled is not destroyed."""
        for _ in range(200):
            context = nwgpu.Context("cpu", threads=1)
            start = threading.Barrier(2)

            def cancel():
                start.wait()
                for _ in range(20):
                    context.cancel()

            thread = threading.Thread(target=cancel)
            thread.start()
            start.wait()
            context.close()
            thread.join()

    def test_control_c_ends_a_wait_for_another_call(self):
        thread = threading.Thread(target=lambda: self.assertRaises(nwgpu.Error, self.align, deadline=5))
        thread.start()
        time.sleep(0.1)
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        self.assertRaises(KeyboardInterrupt, self.context.align, "A", "A", scoring=DNA)
        self.assertTrue(thread.is_alive())
        self.context.cancel()
        thread.join()
        timer.join()

    def test_the_same_context_inside_a_call(self):
        for inside in (self.context.trim, self.context.close, lambda: self.context.align("A", "A", scoring=DNA)):
            with self.assertRaisesRegex(RuntimeError, "the context that calls it"):
                self.align(progress=lambda done, total: inside())

    def test_a_checkpoint(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder, "run")
            with self.fails(nwgpu.Status.CANCELLED):
                self.align(checkpoint=place, checkpoint_seconds=0.01,
                           progress=lambda done, total: not list(place.glob("slab-*.nwgpu")))
            self.assertTrue(list(place.glob("slab-*.nwgpu")))
            with self.fails(nwgpu.Status.CHECKPOINT):
                self.align(checkpoint=place)
            with self.fails(nwgpu.Status.DEADLINE):
                self.align(checkpoint=str(place), resume=True, deadline=0.1)


class Threads(ContextTest):
    def test_threads_share_a_context(self):
        """Each thread's answers are its own, though the library takes one call at a time."""
        failures, shared = [], self.context.sequences("ACGT" * 40)

        def work(seed):
            draw = random.Random(seed)
            try:
                for _ in range(30):
                    queries = ["ACGT" * draw.randrange(41) for _ in range(20)]
                    found = self.context.align(queries, shared, pairs="all", scoring=DNA,
                                               progress=lambda done, total: None)
                    for a, query in zip(found, queries):
                        gap = 160 - len(query)
                        expected = 2 * len(query) - (4 + 2 * gap if gap else 0)
                        if a.score != expected:
                            failures.append(f"seed {seed}: {len(query)} letters score {a.score}, not {expected}")
            except BaseException as exception:
                failures.append(repr(exception))

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_closing_waits_for_the_call(self):
        entered, ended = threading.Event(), []
        long = ["".join(random.Random(seed).choices("ACGT", k=400_000)) for seed in (1, 2)]

        def work():
            with self.assertRaises(nwgpu.Error):
                self.context.align(*long, scoring=DNA, every_cell=True, deadline=1,
                                   progress=lambda done, total: entered.set())
            ended.append(True)

        thread = threading.Thread(target=work)
        thread.start()
        self.assertTrue(entered.wait(20))
        self.context.close()
        thread.join()
        self.assertEqual(ended, [True])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_fork(self):
        self.context.align("ACGT", "ACGT", scoring=DNA)
        child = os.fork()
        if child == 0:
            os._exit(self.context.align("ACGT", "ACGT", scoring=DNA)[0].score != 8)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Library(ContextTest):
    def test_versions(self):
        self.assertEqual(nwgpu.version(), nwgpu.__version__)
        self.assertRegex(nwgpu.build_info(), r"\bcpu=\w+")

    def test_errors_are_values(self):
        error = nwgpu.Error("why", nwgpu.Status.DEVICE, pair=3, cuda_code=700)
        self.assertEqual(str(error), "why (DEVICE)")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.args, again.status, again.pair, again.cuda_code), (("why",), error.status, 3, 700))

    def test_statuses_of_later_libraries(self):
        later = nwgpu.Status(77)
        self.assertEqual((int(later), later.name), (77, "UNKNOWN_77"))
        self.assertNotEqual(later, nwgpu.Status.OK)

    def test_a_library_that_is_not_there(self):
        """A package whose library is gone says so, and where it is looked for."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(pathlib.Path(nwgpu.__file__).parent, f"{folder}/nwgpu")
            core = next(pathlib.Path(folder).glob("nwgpu/_core*.so"))
            core.write_bytes(core.read_bytes().replace(b"libnwgpu.so.", b"libnwgpu.no."))
            done = subprocess.run([sys.executable, "-c", "import nwgpu"], env={**os.environ, "PYTHONPATH": folder},
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.splitlines()[-1],
                         r"^ImportError: nwgpu: cannot load the library \(libnwgpu.*: cannot open.*LD_LIBRARY_PATH$")

    def test_readmes(self):
        """Their examples print what their comments say."""
        examples = [re.findall(r"```python\n(.*?)```", readme.read_text(), flags=re.S) for readme in READMES]
        self.assertEqual([len(found) for found in examples], [2, 1])
        for code in sum(examples, []):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code, {})
            promised = re.findall(r"# prints: (.*)", code)
            self.assertTrue(promised)
            self.assertEqual(printed.getvalue().splitlines(), promised)


if __name__ == "__main__":
    unittest.main()
