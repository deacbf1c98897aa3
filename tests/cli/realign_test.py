# SPDX-License-Identifier: BSD-3-Clause
"""nwgpu realign: clips, flags, tags, margins, and every mapped read of ex1.bam."""
import gzip
import hashlib
import unittest

import support
from support import DATA, affine_score, columns, edits_and_md, fasta, needs_samtools, runs, sam_records

REFERENCE = "ACGTTGCATGGCATTACGGATCCATGCAAGTCCGATAGGCTTAACGATCGT"


class Realign(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("ref.fa", fasta(chr1=REFERENCE, chr2="ACGT"))

    def realign(self, *records, options=(), header="@HD\tVN:1.6\tSO:coordinate\n", style=("--cigar-style", "eqx")):
        text = header + f"@SQ\tSN:chr1\tLN:{len(REFERENCE)}\n@SQ\tSN:chr2\tLN:4\n" + "".join(r + "\n" for r in records)
        self.file("reads.sam", text)
        self.output = self.run_nwgpu("realign", "--verify", *style, *options, "reads.sam", "ref.fa").stdout
        return sam_records(self.output)

    @staticmethod
    def read(cigar, letters, pos=11, flag=0, tags="", name="r"):
        return f"{name}\t{flag}\tchr1\t{pos}\t37\t{cigar}\t=\t40\t99\t{letters}\t{'I' * len(letters)}" + tags

    def test_alignment_and_tags_are_new(self):
        part = REFERENCE[10:30]
        letters = part[:10] + part[12:]  # the mapper missed the deletion of two letters
        record, = self.realign(self.read("18M", letters, tags="\tNM:i:9\tXX:Z:kept\tMD:Z:9\tSA:Z:x\tXS:i:3"))
        self.assertEqual((record["pos"], record["flag"], record["mapq"], record["pnext"], record["tlen"], record["qual"]),
                         ("11", "0", "37", "40", "99", "I" * 18))
        aligned = list(columns(record["cigar"], letters, REFERENCE, 0, 10))
        edits, md = edits_and_md(aligned)
        self.assertEqual(record["tags"], {"XX": "kept", "NM": str(edits), "MD": md, "AS": str(affine_score(aligned))})

    def test_m_stays_m(self):
        """Of a CIGAR with = and X the programs that come next may make something else than of one with M."""
        part = REFERENCE[10:30]
        letters = part[:4] + "A" + part[5:9] + part[11:]
        self.assertEqual(part[4], "T")
        for style, old, new in (((), "5M2D13M", "9M2D9M"), ((), "4=1X4=2D9=", "4=1X4=2D9="),
                                (("--cigar-style", "m"), "4=1X4=2D9=", "9M2D9M"),
                                (("--cigar-style", "eqx"), "5M2D13M", "4=1X4=2D9=")):
            record, = self.realign(self.read(old, letters), style=style)
            self.assertEqual((record["cigar"], record["tags"]["NM"]), (new, "3"), f"{style} {old}")
        record, = self.realign(self.read("2H3S9M2D9M4S", "TTT" + letters + "AAAA"), style=())
        self.assertEqual(record["cigar"], "2H3S9M2D9M4S")

    def test_a_read_with_a_wrong_path_is_mended(self):
        part = REFERENCE[10:30]
        letters = part[:9] + part[11:]
        record, = self.realign(self.read("5M2D13M", letters))
        self.assertEqual((record["cigar"], record["tags"]["MD"]), ("9=2D9=", "9^" + part[9:11] + "9"))

    def test_clips_stay(self):
        record, = self.realign(self.read("2H3S10M4S5H", "TTT" + REFERENCE[10:20] + "AAAA"))
        self.assertEqual((record["cigar"], record["pos"], record["seq"][:3]), ("2H3S10=4S5H", "11", "TTT"))

    def test_local_adds_to_the_clips(self):
        letters = "GA" + REFERENCE[10:22] + "AAA"
        record, = self.realign(self.read("1S14M2S", letters, pos=10), options=["--mode", "local"])
        self.assertEqual((record["cigar"], record["pos"]), ("2S12=3S", "11"))

    def test_margin_lets_a_read_move(self):
        letters = REFERENCE[10:24]
        record, = self.realign(self.read("14M", letters, pos=9), options=["--mode", "semiglobal", "--margin", 4])
        self.assertEqual((record["cigar"], record["pos"]), ("14=", "11"))

    def test_margin_ends_with_the_reference(self):
        record, = self.realign(self.read("10M", REFERENCE[:10], pos=1), options=["--mode", "semiglobal", "--margin", 999])
        self.assertEqual((record["cigar"], record["pos"]), ("10=", "1"))

    def test_a_read_may_end_on_the_last_letter_of_the_reference(self):
        end = len(REFERENCE)
        read = self.read("5M2I3M", REFERENCE[-10:], pos=end - 7)  # the mapper took two matches for an insertion
        for options, cigar, pos in (((), "2I8=", end - 7), (("--mode", "semiglobal"), "2I8=", end - 7),
                                    (("--mode", "semiglobal", "--margin", 5), "10=", end - 9)):
            record, = self.realign(read, options=options)
            self.assertEqual((record["cigar"], record["pos"]), (cigar, str(pos)))
        record, = self.realign(self.read("10M", REFERENCE[-10:], pos=end - 9))
        self.assertEqual((record["cigar"], record["pos"]), ("10=", str(end - 9)))

    def test_deletions_at_the_end_are_dropped(self):
        letters = REFERENCE[14:30]
        record, = self.realign(self.read("1M4D15M", letters, pos=11), options=["-O", 0])
        self.assertNotIn("D", record["cigar"][:3])
        self.assertEqual(int(record["pos"]) - 1 + sum(n for n, op in runs(record["cigar"]) if op in "=XD"), 30)

    def test_what_cannot_be_realigned_is_kept(self):
        reads = [self.read("5M9N5M", "ACGTACGTAC", tags="\tNM:i:7"), "u\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\tNM:i:1",
                 "s\t256\tchr1\t5\t0\t4M\t*\t0\t0\t*\t*\tNM:i:0"]
        self.realign(*reads)
        self.assertEqual(self.output.splitlines()[-3:], reads)

    def test_header(self):
        self.realign(self.read("10M", REFERENCE[10:20]), options=["--rg", "ID:lane\\tSM:s"])
        header = [line for line in self.output.splitlines() if line.startswith("@")]
        self.assertEqual(header[0], "@HD\tVN:1.6\tSO:unsorted")
        self.assertIn("@RG\tID:lane\tSM:s", header)
        self.assertTrue(header[-1].startswith("@PG\tID:nwgpu\t"))
        self.assertIn("RG:Z:lane", self.output.splitlines()[-1])

    def test_a_read_that_fails_is_kept_and_counted(self):
        text = f"@SQ\tSN:chr1\tLN:{len(REFERENCE)}\n" + self.read("4M", "TTTT") + "\n"
        self.file("reads.sam", text)
        self.file("a.fa", fasta(chr1="A" * len(REFERENCE)))
        done = self.run_nwgpu("realign", "--mode", "local", "reads.sam", "a.fa", code=2)
        self.assertIn("read 'r' left as it was", done.stderr)
        self.assertEqual(sam_records(done.stdout)[0]["cigar"], "4M")


    def test_mates_and_parts_follow(self):
        """SA, MC, PNEXT and TLEN tell of the others as these are now, in files of any order."""
        first, second = REFERENCE[4:18], REFERENCE[30:36] + REFERENCE[38:46]  # moved by two; a deletion missed
        kept = "\tMC:Z:{}\tSA:Z:{}"
        def records(name):
            return [
                self.read("8M20S", first[:8] + REFERENCE[20:40], 7, 65 | 32, kept.format("14M", "chr1,23,+,8S20M,30,5;chrX,9,-,8M,1,2;"), name)
                    .replace("\t=\t40\t99\t", "\t=\t33\t40\t"),
                self.read("8S20M", first[:8] + REFERENCE[20:40], 23, 65 | 32 | 2048, kept.format("14M", "chr1,7,+,8M20S,30,5;"), name)
                    .replace("\t=\t40\t99\t", "\t=\t33\t0\t"),
                self.read("14M", second, 33, 129 | 16, "\tMC:Z:8M20S", name).replace("\t=\t40\t99\t", "\t=\t7\t-40\t")]
        options = ["--mode", "semiglobal", "--margin", 4]
        for header, mixed in (("@HD\tVN:1.6\tSO:unsorted\tGO:query\n", False), ("@HD\tVN:1.6\tSO:queryname\n", False),
                              ("@HD\tVN:1.6\tSO:coordinate\n", True), ("", True)):
            one, two = records("a"), records("b")
            lines = [record for pair in zip(one, two) for record in pair] if mixed else one + two
            found = self.realign(*lines, options=options, header=header)
            self.assertEqual([r["qname"] for r in found], [line.split("\t")[0] for line in lines])
            part, other, mate = [r for r in found if r["qname"] == "b"]
            self.assertEqual((part["pos"], part["cigar"], other["pos"], other["cigar"]), ("5", "8=20S", "21", "8S20="))
            self.assertEqual((mate["pos"], mate["cigar"]), ("31", "6=2D8="))
            self.assertEqual(part["tags"]["SA"], "chr1,21,+,8S20=,37,0;chrX,9,-,8M,1,2;".replace(",37,", ",30,"))
            self.assertEqual(other["tags"]["SA"], "chr1,5,+,8=20S,30,0;")
            self.assertEqual((part["tags"]["MC"], other["tags"]["MC"], mate["tags"]["MC"]), ("6=2D8=", "6=2D8=", "8=20S"))
            self.assertEqual((part["pnext"], other["pnext"], mate["pnext"]), ("31", "31", "5"))
            self.assertEqual((part["tlen"], mate["tlen"]), ("42", "-42"))

    def test_unmapped_mate(self):
        """It stands where its mate stands, and its MC is the mate's CIGAR."""
        reads = ["r\t73\tchr1\t9\t37\t14M\t=\t9\t0\t" + REFERENCE[10:24] + "\t*",
                 "r\t133\tchr1\t9\t0\t*\t=\t9\t0\tACGT\t*\tMC:Z:14M"]
        for lines in (reads, reads[::-1]):
            found = self.realign(*lines, options=["--mode", "semiglobal", "--margin", 4])
            for record in found:
                self.assertEqual((record["pos"], record["pnext"]), ("11", "11"))
            self.assertEqual([r["tags"]["MC"] for r in found if r["flag"] == "133"], ["14="])

    def test_score_is_that_of_the_cigar(self):
        letters = REFERENCE[14:30]
        record, = self.realign(self.read("1M4D15M", letters, pos=11), options=["-O", 0])
        aligned = columns(record["cigar"], letters, REFERENCE, 0, int(record["pos"]) - 1)
        self.assertEqual(int(record["tags"]["AS"]), affine_score(aligned, gap_open=0))

    def test_read_group_covers_all(self):
        self.realign(self.read("10M", REFERENCE[10:20]), "u\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII",
                     options=["--rg", "ID:lane\\tSM:s"])
        self.assertTrue(all(line.endswith("RG:Z:lane") for line in self.output.splitlines()[-2:]))

    def test_wrong_reference(self):
        digest = hashlib.md5(REFERENCE.encode()).hexdigest()
        header = f"@SQ\tSN:chr1\tLN:{len(REFERENCE)}\tM5:{digest}\n"
        self.file("reads.sam", header + self.read("10M", REFERENCE[10:20]) + "\n")
        self.run_nwgpu("realign", "reads.sam", "ref.fa")
        self.file("lower.fa", fasta(chr1=REFERENCE.lower()))
        self.run_nwgpu("realign", "reads.sam", "lower.fa")
        self.file("wrong.fa", fasta(chr1=REFERENCE[::-1]))
        done = self.run_nwgpu("realign", "reads.sam", "wrong.fa", code=1)
        self.assertIn("wrong.fa: 'chr1' is not the reference of the reads: its M5 is ", done.stderr)
        self.assertIn(f"the reads' header says {digest}", done.stderr)

    @needs_samtools
    def test_wrong_reference_of_cram(self):
        self.file("reads.sam", f"@SQ\tSN:chr1\tLN:{len(REFERENCE)}\n" + self.read("10M", REFERENCE[10:20]) + "\n")
        self.samtools("view", "-C", "-T", "ref.fa", "-o", "reads.cram", "reads.sam")
        self.file("wrong.fa", fasta(chr1=REFERENCE[::-1]))
        self.run_nwgpu("realign", "reads.cram", "ref.fa")
        self.assertIn("is not the reference of the reads", self.run_nwgpu("realign", "reads.cram", "wrong.fa", code=1).stderr)

    def test_batches_do_not_show(self):
        """More records than one batch holds, some of them passed through: all come out, in their order."""
        reads = [self.read("18M", REFERENCE[10:20] + REFERENCE[22:30]), self.read("*", "ACGT", flag=4)]
        once = self.realign(*reads)
        many = self.realign(*(read.replace("r", f"r{i}", 1) for i in range(40_000) for read in reads))
        self.assertEqual([record["qname"] for record in many], [f"r{i}" for i in range(40_000) for _ in reads])
        for i, record in enumerate(many):
            self.assertEqual({**record, "qname": "r"}, once[i % 2])


class Ex1(support.CommandTest):
    @needs_samtools
    @support.needs_picard
    def test_picard(self):
        """Mates agree, as they do after samtools fixmate before: no error that the input has not."""
        self.file("ref.fa", gzip.decompress((DATA / "ex1_ref.fa.gz").read_bytes()))
        self.samtools("sort", "-n", "-o", "names.bam", DATA / "ex1.bam")
        self.samtools("fixmate", "-m", "names.bam", "fixed.bam")
        self.samtools("sort", "-o", "sorted.bam", "fixed.bam")
        for name in ("fixed", "sorted"):
            self.run_nwgpu("realign", "--rg", "ID:a\\tSM:b\\tPL:ILLUMINA", "--mode", "semiglobal", "--margin", 5,
                           "-o", "out.bam", f"{name}.bam", "ref.fa")
            self.samtools("sort", "-o", "out.sorted.bam", "out.bam")
            errors, before = self.picard("out.sorted.bam", "ref.fa"), self.picard("sorted.bam", "ref.fa")
            self.assertLessEqual(set(errors), set(before), f"{errors} {before}")
            self.assertFalse([kind for kind in errors if "MISMATCH" in kind], errors)

    @needs_samtools
    def test_all_reads(self):
        """Never a worse score than before, the same letters and flags, NM and MD by the definition."""
        reference = support.read_fasta(gzip.decompress((DATA / "ex1_ref.fa.gz").read_bytes()).decode())
        old = sam_records(self.samtools("view", DATA / "ex1.bam"))
        for name in ("sam", "bam", "cram"):
            # CRAM needs a reference file that can have an index.
            self.file("ref.fa", gzip.decompress((DATA / "ex1_ref.fa.gz").read_bytes()))
            self.run_nwgpu("realign", "--verify", "-o", f"out.{name}", DATA / "ex1.bam", "ref.fa")
            self.samtools("quickcheck", "-v", f"out.{name}")
            new = sam_records(self.samtools("view", "-T", "ref.fa", f"out.{name}"))
            for before, after in zip(old, new, strict=True):
                for field in ("qname", "flag", "rname", "seq", "qual", "mapq", "rnext"):
                    self.assertEqual(before[field], after[field])
                if before["cigar"] == "*":
                    self.assertEqual(before, after)
                    continue
                letters = reference[after["rname"]]
                aligned = list(columns(after["cigar"], after["seq"], letters, 0, int(after["pos"]) - 1))
                edits, md = edits_and_md(aligned)
                self.assertEqual((after["tags"]["NM"], after["tags"]["MD"]), (str(edits), md))
                score = affine_score(columns(before["cigar"], before["seq"], letters, 0, int(before["pos"]) - 1))
                self.assertGreaterEqual(int(after["tags"]["AS"]), score)


if __name__ == "__main__":
    unittest.main()
