// SPDX-License-Identifier: BSD-3-Clause
//! See overhead.c.
use nwgpu::{Backend, Context, Result, Scoring};
use std::time::Instant;

const LENGTH: u64 = 100;
const CALLS: u32 = 500;

fn align(context: &mut Context, query: &[u8], query_at: &[u64], target: &[u8], target_at: &[u64]) -> Result<i64> {
    let queries = context.sequences_from(query, query_at)?;
    let targets = context.sequences_from(target, target_at)?;
    let alignments = context.align(&queries, &targets).scoring(Scoring::dna()).cigars()?;
    Ok(alignments.scores().iter().sum())
}

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().collect();
    let queries = std::fs::read(&arguments[1]).unwrap();
    let targets = std::fs::read(&arguments[2]).unwrap();
    let offsets: Vec<_> = (0..=queries.len() as u64 / LENGTH).map(|i| i * LENGTH).collect();
    let threads = arguments[3].parse().unwrap();
    let mut context = Context::builder().backend(Backend::Cpu).threads(threads).build()?;
    for line in std::io::stdin().lines() {
        let begun = Instant::now();
        let (mut sum, mut calls) = (0, 1);
        if line.unwrap() == "batch" {
            sum = align(&mut context, &queries, &offsets, &targets, &offsets)?;
        } else {
            calls = CALLS;
            for _ in 0..CALLS {
                sum += align(&mut context, b"GATTACA", &[0, 7], b"GATACA", &[0, 6])?;
            }
        }
        println!("{:.9} {sum}", begun.elapsed().as_secs_f64() / f64::from(calls));
    }
    Ok(())
}
