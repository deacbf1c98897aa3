// SPDX-License-Identifier: BSD-3-Clause
//! Aligns the pairs of a file that make.py wrote (../../README.md), with the crate nwgpu.
use nwgpu::{Alphabet, Backend, CigarStyle, Context, FreeEnds, Mode, Scoring, Span, Ties};
use std::io::Write;

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

fn mode(mode: &str, ends: u32) -> Mode {
    let all = [FreeEnds::QUERY_BEGIN, FreeEnds::QUERY_END, FreeEnds::TARGET_BEGIN, FreeEnds::TARGET_END];
    let free = (0..4).filter(|bit| ends >> bit & 1 == 1).fold(FreeEnds::NONE, |free, bit| free | all[bit]);
    match mode {
        "0" => Mode::Global,
        "1" => Mode::Local,
        _ => Mode::FreeEnds(free),
    }
}

fn scoring(name: &str, costs: &[&str]) -> Anything<Scoring> {
    let alphabet = match name {
        "bytes" => Alphabet::Bytes,
        "dna" => Alphabet::Dna,
        "protein" => Alphabet::Protein,
        _ => return Ok(Scoring::matrix(name)?.gaps(costs[2].parse()?, costs[3].parse()?)),
    };
    let uniform = Scoring::uniform(costs[0].parse()?, costs[1].parse()?);
    Ok(uniform.gaps(costs[2].parse()?, costs[3].parse()?).alphabet(alphabet))
}

fn place(position: u64) -> String {
    Some(position).filter(|&p| p != u64::MAX).map_or("-".to_string(), |p| p.to_string())
}

/// Reads a section after its first line, aligns its pairs, and prints them.
fn run_section<'l>(
    context: &mut Context,
    first: &str,
    lines: &mut impl Iterator<Item = &'l str>,
    out: &mut impl Write,
) -> Anything<()> {
    let words: Vec<_> = first.split(' ').collect();
    let (section, output) = (words[1], words[4]);
    let pairs = lines.take(words[16].parse()?).map(|line| line.split_once('\t').ok_or("not a pair"));
    let (queries, targets): (Vec<_>, Vec<_>) = pairs.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let (queries, targets) = (context.sequences(queries)?, context.sequences(targets)?);

    let call = context.align(&queries, &targets).scoring(scoring(words[11], &words[12..16])?);
    let mut call = call.mode(mode(words[2], words[3].parse()?));
    call = call.cigar_style(if words[5] == "1" { CigarStyle::M } else { CigarStyle::Eqx });
    call = call.ties([Ties::First, Ties::LastEnd, Ties::GapsFirst][words[6].parse::<usize>()?]);
    if words[7] == "1" {
        call = call.band(words[8].parse()?, words[9].parse()?);
    }
    call = call.top(words[10].parse()?);
    let alignments = match output {
        "0" => call.scores()?,
        "1" => call.ends()?,
        "2" => call.spans()?,
        _ => call.cigars()?,
    };

    let nowhere =
        Span { query_begin: u64::MAX, query_end: u64::MAX, target_begin: u64::MAX, target_end: u64::MAX };
    for a in &alignments {
        write!(out, "{section} {} ", a.pair())?;
        if let Some(error) = a.error() {
            writeln!(out, "{} {}", error.status(), error.message())?;
            continue;
        }
        let at = a.span().unwrap_or(nowhere);
        let [qb, qe, tb, te] = [at.query_begin, at.query_end, at.target_begin, at.target_end].map(place);
        let cigar = alignments.runs().map_or("-".to_string(), |_| a.cigar().to_string());
        writeln!(out, "{} {qb} {qe} {tb} {te} {cigar}", a.score())?;
    }
    Ok(())
}

fn main() -> Anything<()> {
    let text = std::fs::read_to_string(std::env::args().nth(1).ok_or("which file?")?)?;
    let mut context = Context::builder().backend(Backend::Cpu).threads(2).build()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut lines = text.lines();
    while let Some(first) = lines.next() {
        run_section(&mut context, first, &mut lines, &mut out)?;
    }
    Ok(out.flush()?)
}
