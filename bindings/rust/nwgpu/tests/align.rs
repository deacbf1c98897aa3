// SPDX-License-Identifier: BSD-3-Clause
use nwgpu::*;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn context() -> Context {
    Context::builder().backend(Backend::Cpu).threads(2).build().unwrap()
}

fn texts(alignments: &Alignments) -> Vec<String> {
    alignments.iter().map(|a| format!("{} {} {}", a.pair(), a.score(), a.cigar())).collect()
}

/// Long enough for minutes.
fn long(context: &Context) -> Sequences<'static> {
    context.sequences([vec![0; 1_000_000]]).unwrap()
}

fn long_call<'a>(context: &'a mut Context, long: &'a Sequences<'a>) -> Align<'a> {
    let bytes = Scoring::uniform(2, 4).gaps(4, 2);
    context.align(long, long).scoring(bytes).every_cell().deadline(Duration::from_secs(60))
}

#[test]
fn a_batch_has_a_result_per_pair() {
    let mut context = context();
    let queries = context.sequences(["GATTACA", "GAT-ACA", "", "ACGTACGT"]).unwrap();
    let targets = context.sequences([&b"GATACA"[..], b"GATACA", b"AC", b"ACGT"]).unwrap();
    let alignments = context.align(&queries, &targets).scoring(Scoring::dna()).cigars().unwrap();
    assert_eq!((alignments.len(), alignments.failed()), (4, 1));
    assert_eq!(texts(&alignments), ["0 6 2=1I4=", "1 0 *", "2 -8 2D", "3 -4 4I4="]);
    assert_eq!(alignments.scores(), [6, 0, -8, -4]);
    assert_eq!(alignments.statuses()[1], Status::INVALID_SEQUENCE);
    assert_eq!(alignments.get(0).unwrap().span().unwrap().query(), 0..7);
    assert!(alignments.get(1).unwrap().span().is_none() && alignments.get(4).is_none());
    let (runs, offsets) = alignments.runs().unwrap();
    assert_eq!((runs.len() as u64, offsets.len()), (offsets[4], 5));
    assert!(std::ptr::eq(runs.as_ptr(), alignments.get(0).unwrap().cigar().runs().as_ptr())); // not copied

    let errors: Vec<_> = alignments.results().filter_map(Result::err).collect();
    assert_eq!(errors.len(), 1);
    assert_eq!((errors[0].status(), errors[0].pair()), (Status::INVALID_SEQUENCE, Some(1)));
    let message = "query: letter '-' at position 3 is not in the alphabet";
    assert_eq!(errors[0].message(), message);
    assert_eq!(errors[0].to_string(), format!("{message} (NWGPU_ERROR_INVALID_SEQUENCE)"));
    assert_eq!(alignments.all().unwrap_err(), errors[0]);
}

#[test]
fn options_reach_the_library() {
    let mut context = context();
    let queries = context.sequences(["WLKAWL", "AWL"]).unwrap();
    let targets = context.sequences(["AWLKWL"]).unwrap();
    let blosum62 = Scoring::matrix("blosum62").unwrap();
    let top =
        context.align(&queries, &targets).all_pairs().scoring(&blosum62).mode(Mode::Local).top(2).cigars().unwrap();
    assert_eq!(texts(&top), ["0 23 3=1I2=", "0 19 3=", "1 19 3=", "1 15 2="]);

    let ends = FreeEnds::TARGET_BEGIN | FreeEnds::TARGET_END;
    let list = [Pair { query: 1, target: 0 }];
    let semiglobal = context.align(&queries, &targets).pairs(&list).scoring(&blosum62).mode(Mode::FreeEnds(ends));
    let semiglobal = semiglobal.cigar_style(CigarStyle::M).cigars().unwrap();
    assert_eq!(texts(&semiglobal), ["0 19 3M"]);
    let extension = |mode, context: &mut Context| {
        texts(&context.align(&queries, &targets).pairs(&list).scoring(&blosum62).mode(mode).cigars().unwrap()).remove(0)
    };
    assert_eq!(extension(Mode::Extend, &mut context), "0 19 3=");
    assert_eq!(extension(Mode::ExtendLeft, &mut context), "0 15 2=");

    let edits = Scoring::uniform(0, 1).gaps(0, 1);
    let (query, target) = (context.sequences(["AA"]).unwrap(), context.sequences(["AAA"]).unwrap());
    let cigar = |ties, context: &mut Context| {
        texts(&context.align(&query, &target).scoring(&edits).ties(ties).cigars().unwrap()).remove(0)
    };
    assert_eq!(cigar(Ties::First, &mut context), "0 -1 1D2=");
    assert_eq!(cigar(Ties::GapsFirst, &mut context), "0 -1 2=1D");
    let band = context.align(&query, &target).scoring(&edits).band(0, 0).scores().unwrap();
    assert_eq!(band.all().unwrap_err().status(), Status::INVALID_ARGUMENT);

    let least = |score, context: &mut Context| {
        let alignments = context.align(&query, &target).scoring(&edits).min_score(score).scores().unwrap();
        alignments.all().map(|all| all.scores()[0]).map_err(|error| error.status())
    };
    assert_eq!((least(-1, &mut context), least(0, &mut context)), (Ok(-1), Err(Status::BELOW_MIN_SCORE)));

    let many = context.sequences(["AAA", "AA", "A", "AA"]).unwrap();
    let best = |all_equal, context: &mut Context| {
        texts(&context.align(&query, &many).scoring(&edits).all_pairs().best(1, all_equal).cigars().unwrap())
    };
    assert_eq!(best(false, &mut context), ["1 0 2="]);
    assert_eq!(best(true, &mut context), ["1 0 2=", "3 0 2="]);

    let estimate = context.align(&query, &target).scoring(&edits).estimate().unwrap();
    assert_eq!((estimate.pairs, estimate.cells), (1, 6));
}

#[test]
fn each_output_has_what_was_asked_for() {
    let mut context = context();
    let (query, target) = (context.sequences(["CCGATT"]).unwrap(), context.sequences(["GATTAA"]).unwrap());
    fn call<'a>(context: &'a mut Context, query: &'a Sequences<'a>, target: &'a Sequences<'a>) -> Align<'a> {
        context.align(query, target).scoring(Scoring::dna()).mode(Mode::Local)
    }
    let none = u64::MAX;
    assert!(call(&mut context, &query, &target).scores().unwrap().spans().is_none());
    let span = Span { query_begin: none, query_end: 6, target_begin: none, target_end: 4 };
    assert_eq!(call(&mut context, &query, &target).ends().unwrap().spans().unwrap(), [span]);
    let span = Span { query_begin: 2, query_end: 6, target_begin: 0, target_end: 4 };
    let spans = call(&mut context, &query, &target).spans().unwrap();
    assert_eq!((spans.spans().unwrap(), spans.runs()), (&[span][..], None));
    let cigars = call(&mut context, &query, &target).cigars().unwrap();
    let a = cigars.get(0).unwrap();
    assert_eq!(a.cigar().iter().collect::<Vec<_>>(), [(4, Operation::Equal)]);
    let score = Scoring::dna().score(&b"CCGATT"[span.query()], &b"GATTAA"[span.target()], a.cigar());
    assert_eq!(score, Ok(a.score()));
    assert_eq!(Scoring::dna().score(b"CGATT", b"GATT", a.cigar()).unwrap_err().status(), Status::INVALID_ARGUMENT);
}

#[test]
fn tracebacks_are_new_results() {
    let mut context = context();
    let queries = context.sequences(["GATTACA", "ACGTACGT"]).unwrap();
    let targets = context.sequences(["GATACA", "ACGT"]).unwrap();
    let scores = context.align(&queries, &targets).scoring(Scoring::dna()).scores().unwrap();
    let traced = context.traceback(&queries, &targets, &scores).entries(&[1]).cigars().unwrap();
    assert_eq!(texts(&traced), ["1 -4 4I4="]);
    assert_eq!(context.traceback(&queries, &targets, &scores).cigars().unwrap().len(), 2);
    assert_eq!(context.traceback(&queries, &targets, &scores).entries(&[]).cigars().unwrap().len(), 0);
    let other = context.traceback(&targets, &queries, &scores).cigars().unwrap_err();
    assert_eq!(other.status(), Status::INVALID_ARGUMENT);
    drop(scores);
    assert_eq!(texts(&traced), ["1 -4 4I4="]);
}

#[test]
fn what_cannot_be_is_refused() {
    let mut context = context();
    let (one, two) = (context.sequences(["A"]).unwrap(), context.sequences(["A", "C"]).unwrap());
    assert_eq!(
        context.align(&one, &two).scoring(Scoring::dna()).scores().unwrap_err().status(),
        Status::INVALID_ARGUMENT
    );
    assert_eq!(context.align(&one, &one).scores().unwrap_err().status(), Status::INVALID_ARGUMENT); // no scoring
    for offsets in [&[0, 2][..], &[1, 0]] {
        assert_eq!(context.sequences_from(b"A", offsets).unwrap_err().status(), Status::INVALID_ARGUMENT);
        assert_eq!(context.sequences_view(b"A", offsets).unwrap_err().status(), Status::INVALID_ARGUMENT);
    }
    assert!(context.sequences_view(b"", &[]).unwrap().is_empty());
    assert_eq!(Scoring::parse("   A\nA x").unwrap_err().status(), Status::INVALID_MATRIX);
    assert_eq!(Scoring::matrix("BLOSUM62\0x").map(|_| ()), Ok(())); // C's end of a text
    let isa = Context::builder().instruction_set("z80").build().unwrap_err();
    assert_ne!(isa.message(), "");
}

#[test]
fn a_flag_set_by_another_thread_cancels() {
    let mut context = context();
    let (long, flag) = (long(&context), AtomicBool::new(false));
    let begun = Instant::now();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            flag.store(true, Ordering::Relaxed);
        });
        long_call(&mut context, &long).cancel_flag(&flag).scores().unwrap_err()
    });
    assert_eq!(error.status(), Status::CANCELLED);
    assert!(begun.elapsed() < Duration::from_secs(30));
    let error = long_call(&mut context, &long).cancel_flag(&flag).scores().unwrap_err(); // the flag is still set
    assert_eq!(error.status(), Status::CANCELLED);
}

#[test]
fn a_deadline_ends_a_call() {
    let mut context = context();
    let long = long(&context);
    for time in [Duration::from_millis(50), Duration::ZERO] {
        let error = long_call(&mut context, &long).deadline(time).scores().unwrap_err();
        assert_eq!(error.status(), Status::DEADLINE);
    }
}

#[test]
fn progress_is_told_and_may_end_a_call() {
    let mut context = context();
    let long = long(&context);
    let mut seen = Vec::new();
    let error = long_call(&mut context, &long)
        .progress(|done, total| {
            seen.push((done, total));
            if seen.len() == 3 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .scores()
        .unwrap_err();
    assert_eq!((error.status(), seen.len()), (Status::CANCELLED, 3));
    assert!(seen.iter().all(|&(done, total)| done <= total && total == 1_000_000_000_000));
}

#[test]
fn a_panic_of_progress_passes_the_library_by() {
    let mut context = context();
    let long = long(&context);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        long_call(&mut context, &long).progress(|_, _| panic!("in the middle")).scores().map(|_| ())
    }));
    assert_eq!(*caught.unwrap_err().downcast::<&str>().unwrap(), "in the middle");
    let (query, target) = (context.sequences(["A"]).unwrap(), context.sequences(["A"]).unwrap());
    assert_eq!(context.align(&query, &target).scoring(Scoring::dna()).scores().unwrap().scores(), [2]);
    // lives on
}

#[test]
fn handles_go_in_any_order_and_to_other_threads() {
    let mut context = context();
    let queries = context.sequences(vec![String::from("GATTACA"); 100]).unwrap();
    let alignments = context.align(&queries, &queries).scoring(Scoring::matrix("NUC.4.4").unwrap()).cigars().unwrap();
    drop(context);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let (queries, alignments) = (&queries, &alignments);
            scope.spawn(move || {
                let mut context = Context::builder().threads(1).build().unwrap(); // sequences serve several contexts
                let again = context.align(queries, queries).scoring(Scoring::matrix("NUC.4.4").unwrap());
                assert_eq!(texts(&again.cigars().unwrap()), texts(alignments));
            });
        }
    });
    drop(queries);
    assert_eq!(alignments.scores(), [35; 100]);
    let sum = std::thread::spawn(move || alignments.scores().iter().sum::<i64>()).join().unwrap();
    assert_eq!(sum, 3500);
}

#[test]
fn the_log_function_lives_as_long_as_the_context() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (dropped, lines) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let build = |backend| {
        let (counted, lines) = (Counted(dropped.clone()), lines.clone());
        Context::builder().backend(backend).log(move |level, line| {
            let _ = &counted;
            lines.lock().unwrap().push((level, line.to_string()));
            panic!("goes no further");
        })
    };
    let context = build(Backend::Auto).build().unwrap(); // says so where there is no GPU
    assert!(lines.lock().unwrap().iter().all(|(_, line)| !line.is_empty()));
    assert_eq!(dropped.load(Ordering::Relaxed), 0);
    drop(context);
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
    assert!(build(Backend::Cuda(99)).build().is_err()); // there are not so many
    assert_eq!(dropped.load(Ordering::Relaxed), 2);
    drop(build(Backend::Auto));
    assert_eq!(dropped.load(Ordering::Relaxed), 3);
}

#[test]
fn the_library_describes_itself() {
    assert!(version().starts_with("0.") && build_info().contains("cpu="));
    assert!(matrix_names().unwrap().contains(&"BLOSUM62"));
    assert_eq!(devices(Backend::Cpu).unwrap().len(), 1);
    assert_eq!(Status::DEVICE.name(), "NWGPU_ERROR_DEVICE");
    let context = context();
    assert!(context.backend_name().starts_with("cpu:") && context.threads() == 2);
}
