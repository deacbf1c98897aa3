# SPDX-License-Identifier: BSD-3-Clause
"""The launchers of MPI, and the ranks that they have started.

NWGPU_MPIRUN names the launchers, NAME=program with a comma between; the launcher's own MPI is the one that is used.
"""
import os
import pathlib
import time

MPIRUN = dict(entry.split("=") for entry in os.environ.get("NWGPU_MPIRUN", "").split(",") if entry)
LAUNCHED = ("OMPI_", "PMI_", "PMIX_", "SLURM_")
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith(LAUNCHED)},
               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def ranks_of(word, count, seconds=30):
    """The process numbers of the command with this argument, once there are so many (0: none any more)."""
    end = time.monotonic() + seconds
    while True:
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(b"nwgpu") and word.encode() in words:
                found.append(int(entry.parent.name))
        if len(found) == count or time.monotonic() > end:
            return sorted(found)
        time.sleep(0.02)
