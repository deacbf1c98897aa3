# SPDX-License-Identifier: BSD-3-Clause
"""nwgpu plot: what the pictures show, against the alignments they are of; pages are opened in a browser."""
import html
import random
import re
import shutil
import struct
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

import support
from support import DATA, fasta, needs_samtools

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = unittest.skipUnless(BROWSER, "no chromium is installed")
SVG = "{http://www.w3.org/2000/svg}"


def related(length, seed, rate=0.02):
    """(target, query, cs, columns as two strings): a random sequence and a relative of it."""
    print(f"related({length}, {seed}, {rate})", flush=True)
    rng = random.Random(seed)
    target = "".join(rng.choices("ACGT", k=length))
    events = sorted(rng.sample(range(10, length - 10, 10), int(length * rate)))
    above, below, cs, at = [], [], [], 0
    for place in events:
        kind = rng.choice("XXXID")
        above.append(target[at:place])
        below.append(target[at:place])
        cs.append(f":{place - at}")
        letters = target[place:place + 1 if kind == "X" else place + rng.randint(1, 5)]
        if kind == "X":
            other = rng.choice([c for c in "ACGT" if c != letters])
            cs.append(f"*{letters}{other}".lower())
            above.append(letters)
            below.append(other)
        elif kind == "D":
            cs.append(f"-{letters}".lower())
            above.append(letters)
            below.append("-" * len(letters))
        else:
            cs.append(f"+{letters}".lower())
            above.append("-" * len(letters))
            below.append(letters)
        at = place + (len(letters) if kind != "I" else 0)
    above.append(target[at:])
    below.append(target[at:])
    cs.append(f":{length - at}")
    above, below = "".join(above), "".join(below)
    return target, below.replace("-", ""), "".join(cs), above, below


def paf_line(query, query_length, target, target_length, cs, strand="+", query_at=0, target_at=0, used=None, end=None):
    used, end = used or query_length, end or target_length
    return (f"{query}\t{query_length}\t{query_at}\t{query_at + used}\t{strand}\t{target}\t{target_length}\t{target_at}\t"
            f"{target_at + end}\t{sum(map(int, re.findall(r':([0-9]+)', cs)))}\t{max(used, end)}\t60\tcs:Z:{cs}\n")


class Case(support.CommandTest):
    def plot(self, *arguments, **options):
        return self.run_nwgpu("plot", *arguments, **options)

    def svg(self, name="out.svg"):
        return ElementTree.parse(self.folder / name).getroot()

    def lines(self, name="out.svg"):
        """The corners of each alignment's line, in letters."""
        found = []
        for path in self.svg(name).find(f".//{SVG}g[@id='area0']").iter(f"{SVG}path"):
            numbers = [float(n) for n in re.findall(r"-?[0-9.]+", path.get("d"))]
            points = [(numbers[0], numbers[1])]
            for dx, dy in zip(numbers[2::2], numbers[3::2]):
                points.append((points[-1][0] + dx, points[-1][1] + dy))
            found.append(points)
        return found

    def words(self, name="out.svg"):
        return [text.text for text in self.svg(name).iter(f"{SVG}text")]


    def browse(self, name):
        """A file as a browser has it when its scripts have run."""
        return subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1200",
             f"--user-data-dir={self.folder / 'browser'}", "--virtual-time-budget=60000", "--dump-dom",
             f"file://{self.folder / name}"], capture_output=True, text=True, timeout=240)


class DotPlot(Case):
    def test_lines_are_the_alignments(self):
        self.file("t.fa", fasta(t="ACGTTGCAATCGGATC" * 4 + "A" * 30))
        self.file("q.fa", fasta(q="ACGTTGCAATCGGATC" * 4))
        self.plot("-o", "out.svg", "--mode", "semiglobal", "q.fa", "t.fa")
        self.assertEqual(self.lines(), [[(0, 0), (64, 64)]])
        self.assertIn("q \u00d7 t", self.words())
        self.assertIn("query: 64 bp", self.words())
        self.assertIn("1 alignment, 64 bp aligned, 100.00 % identity", self.words())

    def test_a_gap_is_a_step(self):
        self.file("p.paf", paf_line("q", 900, "t", 1000, ":400-" + "a" * 100 + ":500"))
        self.plot("-o", "out.svg", "p.paf")
        self.assertEqual(self.lines(), [[(0, 0), (400, 400), (500, 400), (1000, 900)]])

    def test_the_reverse_strand_falls(self):
        self.file("p.paf", paf_line("q", 100, "t", 300, ":50", "-", 20, 200, 50, 50))
        self.plot("-o", "out.svg", "p.paf")
        self.assertEqual(self.lines(), [[(200, 70), (250, 20)]])
        self.assertIn("reverse", self.words())

    def test_sequences_lie_end_to_end_in_the_order_of_their_places(self):
        lines = [paf_line("second", 100, "chr1", 1000, ":100", target_at=500, end=100),
                 paf_line("first", 200, "chr1", 1000, ":200", target_at=100, end=200),
                 paf_line("third", 300, "chr2", 400, ":300", end=300)]
        self.file("p.paf", "".join(lines))
        self.plot("-o", "out.svg", "p.paf")
        self.assertEqual(sorted(self.lines()), [[(100, 0), (300, 200)], [(500, 200), (600, 300)], [(1000, 300), (1300, 600)]])
        self.file("t.fa", fasta(chr2="A" * 400, chr1="A" * 1000))  # whose order the targets take
        self.plot("-o", "out.svg", "--target", "t.fa", "p.paf")
        self.assertEqual(sorted(self.lines()), [[(0, 0), (300, 300)], [(500, 300), (700, 500)], [(900, 500), (1000, 600)]])
        self.plot("-o", "out.svg", "--order", "file", "p.paf")
        self.assertEqual(sorted(self.lines()), [[(100, 100), (300, 300)], [(500, 0), (600, 100)], [(1000, 300), (1300, 600)]])
        self.plot("-o", "out.svg", "--target-region", "chr1:401-700", "p.paf")
        self.assertEqual(self.lines(), [[(100, 0), (200, 100)]])
        self.plot("-o", "out.svg", "--min-length", "150", "--query-region", "first", "p.paf")
        self.assertEqual(self.lines(), [[(100, 0), (300, 200)]])

    @needs_samtools
    def test_all_inputs_draw_the_same(self):
        arguments = ["--mode", "local", "--both-strands", DATA / "mt_orang.fa.gz", DATA / "mt_human.fa.gz"]
        self.plot("-o", "fasta.svg", *arguments)
        self.assertGreater(len(self.lines("fasta.svg")[0]), 2)
        for name in ("out.paf", "out.sam", "out.bam", "m.paf", "m.bam"):
            self.run_nwgpu("align", "-o", name, *(["--cigar-style", "m"] if name[0] == "m" else []), *arguments)
            self.plot("-o", "out.svg", name)
            for wanted, found in zip(self.lines("fasta.svg"), self.lines(), strict=True):
                self.assertEqual(found, wanted)
            self.assertEqual([w for w in self.words() if "identity" in w],
                             [w for w in self.words("fasta.svg") if "identity" in w], name)

    def test_names_of_any_bytes(self):
        self.file("p.paf", paf_line("a<b>&\"'\x01", 64, "t\u00e4", 64, ":64").encode().replace(b"\x01", b"\xff\x1b"))
        self.plot("-o", "out.svg", "--title", "<x>", "p.paf")
        self.assertIn("<x>", self.words())
        self.plot("-o", "out.svg", "p.paf")
        self.assertIn("a<b>&\"'?? \u00d7 t\u00e4", self.words())

    def test_ten_thousand_alignments(self):
        rng = random.Random(4)
        self.file("p.paf", "".join(
            paf_line(f"read{i}", 1000, "t", 3000000, ":1000", rng.choice("+-"), 0, rng.randrange(2999000), 1000, 1000)
            for i in range(10000)))
        self.plot("-o", "out.svg", "p.paf")
        self.assertEqual(len(self.lines()), 10000)
        self.assertLess((self.folder / "out.svg").stat().st_size, 3_500_000)

    def test_a_genome_is_drawn_by_few_points(self):
        target, query, cs, _, _ = related(1000000, 7)
        self.file("p.paf", paf_line("q", len(query), "t", len(target), cs))
        self.plot("-o", "out.svg", "p.paf")
        self.assertLess((self.folder / "out.svg").stat().st_size, 100_000)
        self.assertEqual(self.lines()[0][-1], (len(target), len(query)))

    @needs_browser
    def test_zoom(self):
        """A turn of the wheel in the middle: the area grows about it, and the axes follow."""
        self.file("p.paf", paf_line("q", 100000, "t", 100000, ":100000"))
        self.plot("-o", "out.svg", "p.paf")
        self.assertIn("80 kb", self.words())
        wheel = 'svg.dispatchEvent(new WheelEvent("wheel", {deltaY: -1, clientX: 100 + 435, clientY: 78 + 425}));'
        text = (self.folder / "out.svg").read_text().replace("</svg>", f"<script>{wheel * 4}</script></svg>")
        self.file("zoomed.svg", text)
        self.file("zoomed.svg", self.browse("zoomed.svg").stdout)
        numbers = re.findall(r"[-0-9.e]+", self.svg("zoomed.svg").find(f".//{SVG}g[@id='area0']").get("transform")[7:])
        a, _, _, d, e, f = map(float, numbers)
        self.assertAlmostEqual(a, 0.0087 * 2.718281828, 6)
        self.assertAlmostEqual(d, -0.0085 * 2.718281828, 6)
        self.assertAlmostEqual(e + 50000 * a, 535, 3)
        self.assertAlmostEqual(f + 50000 * d, 503, 3)
        self.assertIn("50 kb", self.words("zoomed.svg"))
        self.assertNotIn("80 kb", self.words("zoomed.svg"))
        self.assertIn("target: 1 of 1 in view, 36,788 bp", self.words("zoomed.svg"))

    def test_png(self):
        self.file("p.paf", paf_line("q", 900, "t", 1000, ":400-" + "a" * 100 + ":500"))
        done = subprocess.run([support.NWGPU, "plot", "-o", "out.png", "--size", "400,300", "p.paf"], cwd=self.folder,
                              capture_output=True, text=True, timeout=100)
        if "cairo" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        width, height, pixel = read_png((self.folder / "out.png").read_bytes())
        self.assertEqual((width, height), (800, 600))
        # The area begins at (100, 78) and has 270 x 150 units of two pixels: the line rises through it.
        for share in (0.1, 0.3, 0.9):
            x = 200 + 540 * share
            y = 156 + 300 * (1 - (share if share < 0.4 else share - 0.1) / 0.9)
            self.assertEqual(pixel(round(x), round(y)), (64, 145, 208), share)
        self.assertEqual(pixel(240, 180), (255, 255, 255))


def read_png(data):
    """(width, height, pixel(x, y)) of a PNG of three or four bytes a pixel."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", data[at + 8:at + 18])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    assert depth == 8
    size, raw = {2: 3, 6: 4}[colours], zlib.decompress(packed)
    rows, before = [], bytearray(width * size)
    for y in range(height):
        way, row = raw[y * (width * size + 1)], bytearray(raw[y * (width * size + 1) + 1:(y + 1) * (width * size + 1)])
        for i in range(len(row) if way else 0):
            left, up = (row[i - size] if i >= size else 0), before[i]
            corner = before[i - size] if i >= size else 0
            nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, nearest)[way]) & 255
        rows.append(row)
        before = row
    return width, height, lambda x, y: tuple(rows[y][x * size:x * size + 3])


class IdentityTrack(Case):
    def shares(self, area):
        """The heights of the windows of the first shape of an area."""
        path = self.svg().find(f".//{SVG}g[@id='{area}']").find(f"{SVG}path")
        numbers = [float(n) for n in re.findall(r"-?[0-9.]+", path.get("d"))]
        y, heights = numbers[1], [numbers[1]]
        for dy in numbers[3::2]:
            y += dy
            heights.append(round(y, 2))
        return heights[:len(heights) // 2:2]

    def test_windows(self):
        self.file("p.paf", paf_line("q", 400, "t", 500, ":100*ac:199-" + "a" * 100 + ":100"))
        self.plot("-o", "out.svg", "--kind", "identity", "p.paf")
        expected = [100] * 100 + [0] + [100] * 199 + [0] * 100 + [100] * 100
        self.assertEqual(self.shares("area0"), expected)
        self.assertEqual(self.shares("area1"), [100 if i == 100 else 0 for i in range(500)])
        self.plot("-o", "out.svg", "--kind", "identity", "--target-region", "t:291-310", "p.paf")
        self.assertEqual(self.shares("area0"), [100] * 10 + [0] * 10)

    def test_the_chosen_one(self):
        self.file("p.paf", paf_line("a", 60, "t", 500, ":60", end=60) + paf_line("b", 50, "t", 500, ":50", end=50))
        for options, name in (([], "a"), (["--alignment", "2"], "b")):
            self.plot("-o", "out.svg", "--kind", "identity", *options, "p.paf")
            self.assertIn(f"{name} \u00d7 t", self.words())
        self.assertIn("there are 2", self.plot("-o", "x.svg", "--kind", "identity", "--alignment", "3", "p.paf", code=1).stderr)

    def test_without_letters_it_is_refused(self):
        self.file("p.paf", "q\t8\t0\t8\t+\tt\t8\t0\t8\t8\t8\t60\tcg:Z:8M\n")
        done = self.plot("--kind", "identity", "p.paf", code=1)
        self.assertIn("give --query and --target", done.stderr)
        self.file("q.fa", fasta(q="ACGTACGT"))
        self.plot("--kind", "identity", "--query", "q.fa", "--target", "q.fa", "p.paf", code=1)
        self.file("t.fa", fasta(t="ACGTACCT"))
        self.plot("-o", "out.svg", "--kind", "identity", "--query", "q.fa", "--target", "t.fa", "p.paf")
        self.assertEqual(self.shares("area0"), [100] * 6 + [0, 100])


class Page(Case):
    def page(self, place="", name="out.html"):
        """The text of the elements of the page, as a browser has them when its script has run."""
        done = self.browse(name + place)
        ready = re.search(r'<body data-ready="([0-9]+)">', done.stdout)
        self.assertTrue(ready, done.stdout[:2000] + done.stderr[-2000:])
        self.milliseconds = int(ready[1])
        return {name: html.unescape(re.sub("<[^>]*>", "", text)) for name, text in re.findall(
            r'<(?:p|span|pre|tbody|h1)[^>]* ?id="([a-z-]+)"[^>]*>(.*?)</(?:p|pre|tbody|h1|span)>', letters_whole(done.stdout), re.S)}

    def letters(self, page):
        """(first column from 0, target's letters, query's letters) of the columns that the page shows."""
        first = int(re.search(r"columns ([0-9,]+) to", page["letters"])[1].replace(",", "")) - 1
        blocks = [block.split("\n") for block in page["letters"].split("\n\n")[1:] if block.strip()]
        column = lambda line: line[30:].rsplit(" ", 1)[0]
        return first, "".join(column(b[0]) for b in blocks), "".join(column(b[2]) for b in blocks)

    def check_letters(self, page, above, below):
        first, target, query = self.letters(page)
        self.assertGreater(len(target), 100)
        self.assertEqual((target, query), (above[first:first + len(target)], below[first:first + len(query)]))
        return first, first + len(target)

    def self_contained(self, name="out.html"):
        text = (self.folder / name).read_text()
        for outside in ("<link", "<img", " src=", "@import", "url(", "http:", "https:", "fetch(", "XMLHttpRequest"):
            self.assertNotIn(outside, text.replace("http-equiv", ""))
        return len(text)

    def make(self, length, seed):
        target, query, cs, above, below = related(length, seed)
        self.file("t.fa", fasta(target=target))
        self.file("p.paf", paf_line("query", len(query), "target", length, cs))
        self.plot("-o", "out.html", "--target", "t.fa", "p.paf")
        return target, query, above, below

    @needs_browser
    def test_small(self):
        target, query, above, below = self.make(1000, 1)
        self.self_contained()
        page = self.page()
        self.check_letters(page, above, below)
        self.assertIn("query \u00d7 target", page["summary"] + page.get("h1", "") + (self.folder / "out.html").read_text())
        differences = sum(a != b for a, b in zip(above, below))
        self.assertIn(f"{differences} differences", page["summary"])
        self.assertEqual(page["message"], "")

    @needs_browser
    def test_search(self):
        target, query, above, below = self.make(20000, 2)
        for what, sequence, aligned in (("target", target, above), ("query", query, below)):
            for position in (1, 7777, 19000):
                page = self.page(f"#{what}={position}")
                begin, end = self.check_letters(page, above, below)
                column = [i for i, c in enumerate(aligned) if c != "-"][position - 1]
                self.assertTrue(begin <= column < end, (what, position))
                self.assertEqual(page["message"], "")
        begin, end = self.check_letters(self.page("#column=5000"), above, below)
        self.assertTrue(begin <= 4999 < end)
        self.assertEqual(self.page("#target=20001")["message"], "target has 20,000 letters")
        self.assertEqual(self.page("#target=x:5")["message"], "no target is named x")

    @needs_browser
    def test_megabases(self):
        for length, bytes_limit in ((1000000, 700_000), (5000000, 3_000_000)):
            target, query, above, below = self.make(length, length)
            self.assertLess(self.self_contained(), bytes_limit)
            page = self.page(f"#target={length // 2}")
            self.check_letters(page, above, below)
            self.assertLess(self.milliseconds, 15000) # of a busy machine; an idle one takes a second

    @needs_browser
    def test_ten_thousand_alignments(self):
        rng = random.Random(9)
        target = "".join(rng.choices("ACGT", k=200000))
        lines, read = [], ""
        for i in range(10000):
            at, length = rng.randrange(198000), rng.randint(200, 2000)
            cs = f":{length // 2}*{target[at + length // 2].lower()}{'g' if target[at + length // 2] != 'G' else 'c'}:{length - length // 2 - 1}"
            lines.append(paf_line(f"read{i}", length, "target", 200000, cs, rng.choice("+-"), 0, at, length, length))
            if i == 1234:
                read = (at, length)
        self.file("t.fa", fasta(target=target))
        self.file("p.paf", "".join(lines))
        self.plot("-o", "out.html", "--target", "t.fa", "p.paf")
        self.assertLess(self.self_contained(), 2_000_000)
        page = self.page("#alignment=1235&column=1")
        at, length = read
        _, letters, _ = self.letters(page)
        self.assertEqual(letters, target[at:at + length][:len(letters)])
        self.assertIn("10,000 alignments of 10,000 queries with 1 target", page["summary"])
        self.assertLess(self.milliseconds, 15000)

    @needs_browser
    def test_strands_letters_and_proteins(self):
        self.file("t.fa", fasta(t="ACGTTGNNATCGGATCCAGATTACA" * 5))
        self.file("q.fa", fasta(q=support.read_fasta(fasta(q=("ACGTTGNNATCGCATCCAGATTACA" * 5)))["q"][::-1].translate(str.maketrans("ACGT", "TGCA"))))
        self.plot("-o", "out.html", "--both-strands", "q.fa", "t.fa")
        first, target, query = self.letters(self.page())
        self.assertEqual((first, target, query), (0, "ACGTTGNNATCGGATCCAGATTACA" * 5, "ACGTTGNNATCGCATCCAGATTACA" * 5))
        self.file("p.fa", fasta(p="MKVLAAGWWFMKVLAAGWWF" * 6))
        self.plot("-o", "out.html", "p.fa", "p.fa")
        self.assertEqual(self.letters(self.page())[1:], ("MKVLAAGWWFMKVLAAGWWF" * 6,) * 2)

    @needs_browser
    @needs_samtools
    def test_bam_needs_nothing_else(self):
        """The letters of the target come from MD."""
        self.run_nwgpu("align", "-o", "out.bam", DATA / "mt_orang.fa.gz", DATA / "mt_human.fa.gz")
        self.plot("-o", "out.html", "out.bam")
        self.plot("-o", "fasta.html", DATA / "mt_orang.fa.gz", DATA / "mt_human.fa.gz")
        self.assertEqual(self.letters(self.page("#target=9000")), self.letters(self.page("#target=9000", "fasta.html")))

    def test_letters_that_are_missing(self):
        self.file("p.paf", "q\t8\t0\t8\t+\tt\t8\t0\t8\t8\t8\t60\tcg:Z:8=\n")
        self.assertIn("a page needs the letters of 'q' x 't'", self.plot("-o", "x.html", "p.paf", code=1).stderr)


def letters_whole(dom):
    """Without the spans within the letters, so that a simple pattern finds their end."""
    return re.sub(r'(<pre id="letters">)(.*?)(</pre>)', lambda m: m[1] + re.sub("<[^>]*>", "", m[2]) + m[3], dom, flags=re.S)


class Refused(Case):
    def test_wrong_usage(self):
        self.file("q.fa", fasta(q="ACGT"))
        self.file("p.paf", paf_line("q", 64, "t", 64, ":64"))
        for arguments, message in (
                (["-o", "x.paf", "p.paf"], "plot draws svg, png or html, not paf"),
                (["q.fa"], "a second file goes with it"),
                (["-o", "x.html", "--kind", "dots", "p.paf"], "--kind goes with svg and png"),
                (["--query", "q.fa", "q.fa", "q.fa"], "go with a file of alignments"),
                (["--target-region", "u", "p.paf"], "no alignment has a target named 'u'"),
                (["--target-region", "t:9-3", "p.paf"], "must be NAME:BEGIN-END"),
                (["--min-length", "65", "p.paf"], "no alignment is left to draw"),
                (["--size", "100,100", "p.paf"], "too small"),
                (["missing.paf"], "No such file")):
            self.assertIn(message, self.plot(*arguments, code=1).stderr)

    def test_damaged_paf(self):
        good = paf_line("q", 64, "t", 64, ":64")
        for bad, message in (("q\t64\n", "not a line of PAF"), (good.replace("\t64\t0", "\tx\t0", 1), "'x' is not a number"),
                             (good.replace(":64", ":63"), "cs does not fit"), (good.replace("cs:Z::64", "cs:Z::6?"), "not a number"),
                             (good.replace("cs:Z::64", "cg:Z:9M"), "does not fit"), (good.replace("cs:Z::64", "cg:Z:64"), "not a CIGAR"),
                             (good.replace("0\t64\t+", "9\t4\t+"), "ends before it begins")):
            self.file("p.paf", good + bad)
            self.assertIn(f"p.paf:2: ", self.plot("p.paf", code=1).stderr)
            self.assertIn(message, self.plot("p.paf", code=1).stderr)

    def test_wrong_sequences(self):
        self.file("p.paf", "q\t8\t0\t8\t+\tt\t8\t0\t8\t8\t8\t60\tcg:Z:8=\n")
        self.file("q.fa", fasta(q="ACGTACGT"))
        self.file("t.fa", fasta(t="ACGTACCT"))
        self.file("s.fa", fasta(t="ACGTACC"))
        run = lambda target: self.plot("-o", "x.html", "--query", "q.fa", "--target", target, "p.paf", code=1).stderr
        self.assertIn("= stands where two letters differ", run("t.fa"))
        self.assertIn("'t' has 7 letters, in the alignments it has 8", run("s.fa"))


if __name__ == "__main__":
    unittest.main()
