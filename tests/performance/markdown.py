# SPDX-License-Identifier: BSD-3-Clause
# A machine's results as a section of docs/benchmarks.md: what was measured on, one table with the missed bars first,
# and what was not timed.
import re

import report

HEADER = ("workload", "nwgpu", "GCUPS", "fastest exact peer", "its time", "ratio", "bar", "of SIMD limit")


def ordered(rows, verdict_column):
    """Missed bars, then met ones, then rows without a bar; else the order stays."""
    return sorted(rows, key=lambda row: 0 if "MISSED" in row[verdict_column] else 1 if row[verdict_column] else 2)


def table(header, rows, verdict_column):
    """A Markdown table; the verdict ">= 3: MISSED" becomes ">= 3, **missed**"."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for row in ordered(rows, verdict_column):
        cells = [cell.replace(": MISSED", ", **missed**").replace(": met", ", met") for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def section(results):
    """All of a report.Table."""
    facts = dict(line.split(": ", 1) for line in results.head if ": " in line)
    facts["date"] = facts.pop("commit", "date: unknown").rpartition("date: ")[2]
    name, _, isa = facts.pop("processor", "unknown").partition("; ")
    lines = [f"### {name}", ""]
    lines.append("; ".join([facts.pop("date"), isa] + [f"{key}: {text}" for key, text in facts.items()]) + ".")
    lines += ["", table(HEADER, list(results.rows()), HEADER.index("bar"))]
    reasons = {}
    for (workload, peer), medians in results.results.items():
        if "error" in medians:
            reasons.setdefault((peer, medians["error"]), []).append(workload)
    for (peer, why), workloads in sorted(reasons.items()):
        lines.append(f"- {peer} not timed in {', '.join(f'`{workload}`' for workload in workloads)}: {why}.")
    disturbed = sum(medians.get("spread", 1) > report.DISTURBED for medians in results.results.values())
    if disturbed:
        lines.append(f"- Repetitions differ by more than {report.DISTURBED - 1:.0%} in {disturbed} measurements.")
    return re.sub(r"\n*$", "\n", "\n".join(lines))
