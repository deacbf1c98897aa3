// SPDX-License-Identifier: BSD-3-Clause
//! batch.c in Rust: places reads in a reference, in one call; a read with a letter that is no nucleotide fails alone
//! and says why.
use nwgpu::{Alphabet, Context, FreeEnds, Mode, Scoring};

fn main() -> nwgpu::Result<()> {
    let mut context = Context::builder().build()?;
    let reads = context.sequences(["ACGTAC", "ACG?", "GATACA", ""])?;
    let reference = context.sequences(["TTTACGTACCCGGATTACAGGTTT"])?;
    let scoring = Scoring::uniform(1, 4).gaps(0, 2).alphabet(Alphabet::Dna);
    let ends = FreeEnds::TARGET_BEGIN | FreeEnds::TARGET_END;
    let call = context.align(&reads, &reference).all_pairs(); // each read with the one reference
    let alignments = call.scoring(scoring).mode(Mode::FreeEnds(ends)).cigars()?;
    for (read, result) in alignments.results().enumerate() {
        match result {
            Ok(a) => {
                let at = a.span().unwrap().target();
                println!("read {read}: at {}-{}, score {}, {}", at.start, at.end, a.score(), a.cigar());
            }
            Err(error) => println!("read {read}: {}", error.message()),
        }
    }
    Ok(())
}
