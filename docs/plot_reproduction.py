#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the papers' figures from what `nwgpu bench --suite ... --json FILE` (or --tsv FILE) has written.

Usage: plot_reproduction.py [-o FOLDER] FILE...     needs matplotlib

One SVG a figure; a figure without data is left out.  Paper A's occupancy is drawn from what nwgpu_gpu_occupancy prints,
its counters from what counters_table.py has made.  The fit of cudalign's prediction is printed, too.
"""
import argparse
import csv
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "nwgpu", "svg.fonttype": "none", "font.size": 9, "axes.grid": True,
                            "grid.alpha": 0.3})
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

plt.rcParams["axes.prop_cycle"] = plt.cycler(linestyle=["-", "--"]) * plt.rcParams["axes.prop_cycle"]

NUMBERS = ["query_length", "target_length", "seconds", "mean", "deviation", "GCUPS", "speedup", "host_bytes",
           "device_bytes", "joules", "published", "gpus", "efficiency", "grid_percent",
           "occupancy_percent", "cycles_per_instruction", "threads_per_warp", "branches", "branch_percent"]


def read(path):
    """The rows that were measured, numbers as numbers; None for what is not known."""
    if path.suffix == ".json":
        rows = json.loads(path.read_text())["measurements"]
    else:
        with path.open() as file:
            rows = [{k: None if v == "*" else v for k, v in row.items()} for row in csv.DictReader(file, delimiter="\t")]
    for row in rows:
        if "kernel" in row or "counted" in row:
            row.update(suite="occupancy" if "kernel" in row else "counters", output="cigar", status="ok")
        # Files of older versions lack the last columns.
        row.update({name: None if row.get(name) is None else float(row[name]) for name in NUMBERS})
        row["cells"] = row["query_length"] * row["target_length"]
    return [row for row in rows if row["status"] == "ok"]


class Figures:
    def __init__(self, rows, folder):
        self.rows, self.folder = rows, folder

    def select(self, suite, output=None, **values):
        return [row for row in self.rows if row["suite"] == suite and output in (None, row["output"])
                and all(row[k] == v for k, v in values.items())]

    def save(self, name, title, xlabel, ylabel, legend=True):
        plt.title(title)
        plt.xlabel(xlabel)
        plt.ylabel(ylabel)
        if legend:
            plt.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))
        plt.tight_layout()
        plt.savefig(self.folder / f"{name}.svg", metadata={"Date": None})
        plt.close()
        print(f"{name}.svg")

    def bars(self, name, title, rows, column, unit, scale=1.0, axis="log"):
        rows = [row for row in rows if row[column]]
        if not rows:
            return
        plt.figure(figsize=(7, 0.6 + 0.25 * len(rows)))
        plt.barh([row["algorithm"] for row in rows][::-1], [row[column] * scale for row in rows][::-1])
        plt.xscale(axis)
        self.save(name, title, unit, "", legend=False)

    def lines(self, name, title, rows, x, y, xlabel, ylabel, published=False):
        """One line an algorithm over x; both axes logarithmic."""
        drawn = False
        for algorithm in dict.fromkeys(row["algorithm"] for row in rows):
            points = sorted((row[x], row[y]) for row in rows if row["algorithm"] == algorithm and row[y])
            if len(points) > 1:
                plt.loglog(*zip(*points), marker="o", markersize=3, label=algorithm)
                drawn = True
        points = sorted((row[x], row["published"]) for row in rows if row["published"]) if published else []
        if drawn and points:
            plt.loglog(*zip(*points), "k--", marker="x", label="the paper")
        if drawn:
            self.save(name, title, xlabel, ylabel)
        plt.close()

    def thesis(self):
        rows = self.select("thesis", "cigar")
        if not rows:
            return
        # The largest size that the baseline was run at.
        largest = max([row["query_length"] for row in rows if row["algorithm"].startswith("cpu1")] or
                      [row["query_length"] for row in rows])
        at_largest = [row for row in rows if row["query_length"] == largest]
        where = f"{largest:.0f} x {largest:.0f}"
        self.bars("thesis_time", f"Time with the path, {where}", at_largest, "seconds", "s")
        self.bars("thesis_memory_host", f"Peak memory of the process, {where}", at_largest, "host_bytes", "MiB", 2**-20)
        self.bars("thesis_memory_device", f"Device memory, {where}", at_largest, "device_bytes", "MiB", 2**-20)
        self.bars("thesis_energy", f"Energy of a call, {where}", at_largest, "joules", "J")
        with_baseline = [row for row in rows if row["query_length"] <= largest]
        self.lines("thesis_speedup", "Speed-up over cpu1-st-row, with the path", with_baseline, "query_length", "speedup",
                   "letters of both", "times")
        self.phases("thesis_phases", "thesis", "Share of the time beyond scores (path, copies)")

    def occupancy(self):
        rows = [{**row, "algorithm": f"{row['algorithm']}: {row['kernel']}"}
                for row in self.select("occupancy", query_length=23000.0)]
        self.bars("thesis_occupancy", "Occupancy that launches allow", rows, "grid_percent",
                  "% of those that it has room for", axis="linear")

    def counters(self):
        """Graphs 6 to 10: what a profiler measured."""
        rows = [{**row, "algorithm": row["algorithm"].partition("-")[0] + ": " + row["counted"]}
                for row in self.select("counters") if row["counted"] != "map_letters"]
        if not rows:
            return
        figure, all_axes = plt.subplots(1, 5, figsize=(14, 0.8 + 0.25 * len(rows)), sharey=True)
        for axes, (column, title) in zip(all_axes, (
                ("occupancy_percent", "Occupancy reached, %"), ("cycles_per_instruction", "Cycles of a warp an instruction"),
                ("threads_per_warp", "Active threads of a warp"), ("branches", "Branch instructions"),
                ("branch_percent", "Branches, % of instructions"))):
            axes.barh([row["algorithm"] for row in rows][::-1], [row[column] for row in rows][::-1])
            axes.set_title(title, fontsize=8)
            if column == "branches":
                axes.set_xscale("log")
        figure.tight_layout()
        figure.savefig(self.folder / "thesis_counters.svg", metadata={"Date": None})
        plt.close(figure)
        print("thesis_counters.svg")

    def phases(self, name, suite, title):
        """How much longer a call takes with the path than without."""
        without = {(row["algorithm"], row["cells"]): row["seconds"] for row in self.select(suite, "score")}
        rows = [{**row, "share": max(0.001, 1 - without[row["algorithm"], row["cells"]] / row["seconds"])}
                for row in self.select(suite, "cigar") if (row["algorithm"], row["cells"]) in without]
        self.lines(name, title, rows, "cells", "share", "cells", "share")

    def rowscan(self):
        rows = self.select("rowscan", "score", query_length=1024.0)
        self.lines("rowscan_time", "Query of 1024 against databases", rows, "target_length", "seconds",
                   "letters of the database", "s", published=True)
        self.lines("rowscan_speed", "Query of 1024 against databases", rows, "target_length", "GCUPS",
                   "letters of the database", "GCUPS")

    def scaling(self):
        """Figures 13.8 and 13.9: the same database on more GPUs, and one that grows with them."""
        for kind, title in (("strong", "Strong scaling, 16M letters"), ("weak", "Weak scaling, 2M letters a GPU")):
            rows = sorted((row for row in self.select("scaling") if row.get("scaling") == kind), key=lambda row: row["gpus"])
            if len(rows) < 2:
                continue
            gpus = [row["gpus"] for row in rows]
            figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2))
            left.plot(gpus, [row["seconds"] * 1e3 for row in rows], marker="o")
            left.set(title=title, xlabel="GPUs", ylabel="ms", xticks=gpus, ylim=(0, None))
            right.plot(gpus, [row["speedup"] for row in rows], marker="o", label="measured")
            right.plot(gpus, gpus, "k:", label="ideal")
            for row in rows:
                right.annotate(f"{row['efficiency']:.0%}", (row["gpus"], row["speedup"]), (0, -12), fontsize=7,
                               textcoords="offset points")
            right.set(title="Speed over one GPU, efficiency", xlabel="GPUs", ylabel="times", xticks=gpus, ylim=(0, None))
            right.legend()
            figure.tight_layout()
            figure.savefig(self.folder / f"scaling_{kind}.svg", metadata={"Date": None})
            plt.close(figure)
            print(f"scaling_{kind}.svg")

    def swat(self):
        rows = self.select("swat", "cigar")
        plain = [row for row in rows if ":" not in row["algorithm"]]
        self.lines("swat_speedup", "Speed-up over swat-serial, with the path", plain, "query_length", "speedup",
                   "letters of both", "times", published=True)
        self.phases("swat_phases", "swat", "Share of the time beyond scores (copy of the matrix, path)")
        largest = max((row["cells"] for row in plain), default=0)
        grids = [row for row in self.select("swat", "score", cells=largest) if ":" in row["algorithm"]]
        self.bars("swat_grid", "Scores, by blocks and threads", grids, "speedup", "times swat-serial", axis="linear")
        without = {row["algorithm"]: row["seconds"] for row in self.select("swat", "score", cells=largest)}
        split = [row for row in plain if row["cells"] == largest and row["algorithm"] in without]
        if split:
            names = [row["algorithm"] for row in split]
            kernels = np.array([without[name] for name in names])
            plt.bar(names, kernels, label="scores: letters and kernels")
            plt.bar(names, np.maximum(0, [row["seconds"] for row in split] - kernels), bottom=kernels,
                    label="the rest: copies and path")
            plt.xticks(rotation=20)
            self.save("swat_split", f"Where the time goes, {np.sqrt(largest):.0f} letters", "", "s")

    def cudalign(self):
        rows = self.select("cudalign", "score")
        by_size = [row for row in rows if ":" not in row["algorithm"]]
        for row in by_size:
            row["published_GCUPS"] = row["cells"] / row["published"] / 1e9 if row["published"] else None
        self.lines("cudalign_speed", "Speed by size, B = 240 and the engine",
                   [{**row, "published": row["published_GCUPS"]} for row in by_size], "cells", "GCUPS", "cells", "GCUPS",
                   published=True)
        blocks = [{**row, "blocks": float(row["algorithm"].partition("=")[2] or 240), "algorithm": "measured"}
                  for row in rows if row["algorithm"].startswith("cudalign")]
        largest = max((sum(b["cells"] == row["cells"] for b in blocks), row["cells"]) for row in blocks)[1] if blocks else 0
        self.lines("cudalign_blocks", "Time by the number of blocks", [b for b in blocks if b["cells"] == largest],
                   "blocks", "seconds", "B", "s", published=True)
        self.prediction([row for row in by_size if row["algorithm"] == "cudalign"])

    def prediction(self, rows):
        """Table 6.10: t(m, n) = c1 + c2 m + c3 n + c4 m n, fitted to least relative squares."""
        sizes = {(row["query_length"], row["target_length"]): row["seconds"] for row in rows}
        if len(sizes) < 5:
            return
        m, n = (np.array(side) for side in zip(*sizes))
        t = np.array(list(sizes.values()))
        terms = np.stack([np.ones_like(m), m, n, m * n], axis=1)
        scale = terms.max(axis=0)
        fit = np.linalg.lstsq(terms / scale / t[:, None], np.ones_like(t), rcond=None)[0] / scale
        error = 100 * (terms @ fit / t - 1)
        print("t(m, n) = {:.4g} + {:.4g} m + {:.4g} n + {:.4g} m n seconds".format(*fit))
        for (rows_of, columns), off in zip(sizes, error):
            print(f"  {rows_of:.0f} x {columns:.0f}: {off:+.1f} %")
        plt.bar([f"{a / 1e3:.0f}K x {b / 1e3:.0f}K" for a, b in sizes], error)
        plt.xticks(rotation=40, ha="right", fontsize=7)
        self.save("cudalign_prediction", "Error of the fitted prediction", "", "%", legend=False)

    def draw(self):
        for suite in (self.thesis, self.occupancy, self.counters, self.rowscan, self.scaling, self.swat, self.cudalign):
            suite()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    Figures([row for path in options.files for row in read(path)], options.output).draw()
