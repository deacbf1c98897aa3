// SPDX-License-Identifier: BSD-3-Clause
// The job of this folder (README.md) in Rust, without crates; no enum is cast.  NWGPU_DECLARATIONS names a file with
// the declarations: what bindgen makes of nwgpu.h, or declared.rs.
use std::ffi::{CStr, CString};
use std::mem::{size_of, MaybeUninit};
use std::os::raw::c_char;
use std::ptr::{null, null_mut};
use std::slice::from_raw_parts;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[allow(non_camel_case_types, non_upper_case_globals, dead_code)]
mod nwgpu {
    include!(env!("NWGPU_DECLARATIONS"));
}
use nwgpu::*;

// usize is what Rust counts with, uint64_t what the header does.
fn count(number: usize) -> u64 {
    number.try_into().unwrap()
}

fn made<T>(init: unsafe extern "C" fn(*mut T, u64)) -> T {
    let mut value = MaybeUninit::zeroed();
    unsafe {
        init(value.as_mut_ptr(), count(size_of::<T>()));
        value.assume_init()
    }
}

fn text(chars: *const c_char) -> String {
    unsafe { CStr::from_ptr(chars) }.to_str().unwrap().to_string()
}

struct Failure {
    status: nwgpu_status,
    message: String,
}

// Calls a function that reports by status, with room for its message.
fn call(function: impl FnOnce(*mut nwgpu_error) -> nwgpu_status) -> Result<(), Failure> {
    let mut error = made(nwgpu_error_init);
    match function(&mut error) {
        NWGPU_OK => Ok(()),
        status => Err(Failure { status, message: text(error.message.as_ptr()) }),
    }
}

fn check(function: impl FnOnce(*mut nwgpu_error) -> nwgpu_status) {
    if let Err(failure) = call(function) {
        println!("failed: {}", failure.message);
        std::process::exit(1);
    }
}

fn refused(what: &str, function: impl FnOnce(*mut nwgpu_error) -> nwgpu_status) {
    if let Err(failure) = call(function) {
        println!("{what}: {}: {}", text(unsafe { nwgpu_status_name(failure.status) }), failure.message);
    }
}

unsafe fn print_entry(result: *const nwgpu_result, entry: usize, cigar: &str) {
    let mut error = made(nwgpu_error_init);
    nwgpu_result_pair_error(result, count(entry), &mut error);
    print!("pair {}: ", *nwgpu_result_pairs(result).add(entry));
    if error.status == NWGPU_OK {
        println!("{} {cigar}", *nwgpu_result_scores(result).add(entry));
    } else {
        println!("{}: {}", text(nwgpu_status_name(error.status)), text(error.message.as_ptr()));
    }
}

unsafe fn entries(result: *const nwgpu_result) -> usize {
    nwgpu_result_count(result).try_into().unwrap()
}

unsafe fn print_cigars(result: *const nwgpu_result) {
    let (mut runs, mut offsets) = (null(), null());
    check(|error| nwgpu_result_cigars(result, &mut runs, &mut offsets, error));
    let offsets = from_raw_parts(offsets, entries(result) + 1);
    for entry in 0..entries(result) {
        let mut cigar: [c_char; 64] = [0; 64];
        let (begin, end) = (offsets[entry], offsets[entry + 1]);
        nwgpu_cigar_to_text(runs.add(begin.try_into().unwrap()), end - begin, cigar.as_mut_ptr(), 64);
        print_entry(result, entry, &text(cigar.as_ptr()));
    }
}

unsafe fn sequences(context: *mut nwgpu_context, texts: &[&str]) -> *mut nwgpu_sequences {
    let mut offsets = vec![0];
    for text in texts {
        offsets.push(offsets[offsets.len() - 1] + count(text.len()));
    }
    let (letters, mut handle) = (texts.concat(), null_mut());
    check(|error| {
        nwgpu_sequences_create(context, letters.as_ptr(), offsets.as_ptr(), count(texts.len()), &mut handle, error)
    });
    handle
}

// Scores of a batch first, then the alignments of some of its pairs.
unsafe fn batch(context: *mut nwgpu_context, scoring: &nwgpu_scoring) {
    let queries = sequences(context, &["GATTACA", "GAT-ACA", "", "ACGTACGT"]);
    let targets = sequences(context, &["GATACA", "GATACA", "AC", "ACGT"]);
    let mut result = null_mut();
    check(|error| nwgpu_align(context, queries, targets, null(), 0, scoring, null(), &mut result, error));
    println!("{} pairs, {} failed", nwgpu_result_count(result), nwgpu_result_failed(result));
    for entry in 0..entries(result) {
        print_entry(result, entry, "-");
    }
    let (mut runs, mut offsets) = (null(), null());
    refused("no CIGARs", |error| nwgpu_result_cigars(result, &mut runs, &mut offsets, error));

    let scores = from_raw_parts(nwgpu_result_scores(result), entries(result));
    let chosen = [3, 1, 0];
    let mut traced = null_mut();
    check(|error| {
        let chosen_count = count(chosen.len());
        nwgpu_traceback(context, queries, targets, result, chosen.as_ptr(), chosen_count, null(), &mut traced, error)
    });
    print_cigars(traced);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    nwgpu_result_destroy(traced);
    println!("the first scores: {} {} {} {}", scores[0], scores[1], scores[2], scores[3]);
    nwgpu_result_destroy(result);
}

// Several local alignments, with an option struct inside the options.
unsafe fn top(context: *mut nwgpu_context) {
    let mut matrix = null_mut();
    let [none, blosum62] = ["BLOSUM63", "blosum62"].map(|name| CString::new(name).unwrap());
    refused("no matrix", |error| nwgpu_matrix_create(none.as_ptr(), &mut matrix, error));
    check(|error| nwgpu_matrix_create(blosum62.as_ptr(), &mut matrix, error));
    let mut scoring = made(nwgpu_scoring_init);
    scoring.gap_open = 11;
    scoring.gap_extend = 1;
    scoring.alphabet_size = nwgpu_matrix_alphabet_size(matrix);
    scoring.matrix = nwgpu_matrix_scores(matrix);
    scoring.letter_codes = nwgpu_matrix_letter_codes(matrix);
    let mut best = made(nwgpu_top_init);
    best.alignments = 2;
    let mut options = made(nwgpu_align_options_init);
    options.mode = NWGPU_MODE_LOCAL;
    options.output = NWGPU_OUTPUT_CIGAR;
    options.top = &best;
    let (query, target, mut result) = (sequences(context, &["WLKAWL"]), sequences(context, &["AWLKWL"]), null_mut());
    check(|error| nwgpu_align(context, query, target, null(), 0, &scoring, &options, &mut result, error));
    print_cigars(result);
    nwgpu_result_destroy(result);
    nwgpu_sequences_destroy(target);
    nwgpu_sequences_destroy(query);
    nwgpu_matrix_destroy(matrix);
}

// A context that another thread may cancel.
struct Cancel(*mut nwgpu_context);
unsafe impl Sync for Cancel {}
impl Cancel {
    fn cancel(&self) {
        unsafe { nwgpu_context_cancel(self.0) }
    }
}

// A call of minutes, ended by another thread.
unsafe fn cancelled(context: *mut nwgpu_context, scoring: &nwgpu_scoring) {
    let mut bytes = *scoring;
    bytes.letter_codes = null(); // zeros are letters, too
    let mut control = made(nwgpu_control_init);
    control.deadline_seconds = 60.0; // should cancelling fail
    let mut options = made(nwgpu_align_options_init);
    options.every_cell = 1;
    options.control = &control;
    let letters = vec![0; 1_000_000];
    let offsets = [0, count(letters.len())];
    let (mut view, mut result) = (null_mut(), null_mut());
    check(|error| nwgpu_sequences_create_view(context, letters.as_ptr(), offsets.as_ptr(), 1, &mut view, error));
    let (ended, running) = (AtomicBool::new(false), Cancel(context));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // The call may not have begun: asks again until it has ended.
            while !ended.load(Ordering::Relaxed) {
                running.cancel();
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        refused("cancelled", |error| {
            nwgpu_align(context, view, view, null(), 0, &bytes, &options, &mut result, error)
        });
        ended.store(true, Ordering::Relaxed);
    });
    nwgpu_sequences_destroy(view);
}

fn main() {
    unsafe {
        println!("ABI {}", nwgpu_abi_version());
        let mut options = made(nwgpu_context_options_init);
        options.backend = NWGPU_BACKEND_CPU;
        options.cpu_threads = 2;
        let mut context = null_mut();
        check(|error| nwgpu_context_create(&options, &mut context, error));
        let dna = CString::new("dna").unwrap();
        let mut scoring = made(nwgpu_scoring_init);
        scoring.match_ = 2;
        scoring.mismatch = 4;
        scoring.gap_open = 4;
        scoring.gap_extend = 2;
        scoring.letter_codes = nwgpu_alphabet_letter_codes(dna.as_ptr());
        batch(context, &scoring);
        top(context);
        cancelled(context, &scoring);
        nwgpu_context_destroy(context);
    }
}
