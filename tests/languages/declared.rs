// SPDX-License-Identifier: BSD-3-Clause
// What job.rs needs of nwgpu.h, declared by hand: enums are i32, handles are pointers to what nobody sees.
use std::os::raw::{c_char, c_void};

pub type nwgpu_status = i32;
pub const NWGPU_OK: i32 = 0;
pub const NWGPU_BACKEND_CPU: i32 = 1;
pub const NWGPU_MODE_LOCAL: i32 = 1;
pub const NWGPU_OUTPUT_CIGAR: i32 = 3;

#[repr(C)]
pub struct nwgpu_error {
    pub struct_size: u32,
    pub status: nwgpu_status,
    pub pair_index: u64,
    pub cuda_code: i32,
    pub message: [c_char; 252],
}

#[repr(C)]
pub struct nwgpu_context_options {
    pub struct_size: u32,
    pub backend: i32,
    pub device: i32,
    pub cpu_threads: i32,
    pub max_device_bytes: u64,
    pub max_host_bytes: u64,
    pub cuda_stream: *mut c_void,
    pub log: Option<unsafe extern "C" fn(*mut c_void, i32, *const c_char)>,
    pub log_user: *mut c_void,
    pub cpu_isa: *const c_char,
    pub devices: *const i32,
    pub device_count: u64,
    pub communicator: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct nwgpu_scoring {
    pub struct_size: u32,
    pub match_: i32,
    pub mismatch: i32,
    pub gap_open: i32,
    pub gap_extend: i32,
    pub alphabet_size: u32,
    pub matrix: *const i32,
    pub letter_codes: *const u8,
}

#[repr(C)]
pub struct nwgpu_top {
    pub struct_size: u32,
    pub alignments: u64,
}

#[repr(C)]
pub struct nwgpu_control {
    pub struct_size: u32,
    pub progress: Option<unsafe extern "C" fn(*mut c_void, u64, u64) -> i32>,
    pub progress_user: *mut c_void,
    pub deadline_seconds: f64,
}

#[repr(C)]
pub struct nwgpu_align_options {
    pub struct_size: u32,
    pub mode: i32,
    pub free_ends: i32,
    pub output: i32,
    pub cigar_style: i32,
    pub ties: i32,
    pub pairing: i32,
    pub every_cell: i32,
    pub band: *const c_void,
    pub top: *const nwgpu_top,
    pub checkpoint: *const c_void,
    pub control: *const nwgpu_control,
}

#[repr(C)]
pub struct nwgpu_pair {
    pub query: u64,
    pub target: u64,
}

#[repr(C)]
pub struct nwgpu_context {
    _private: [u8; 0],
}
#[repr(C)]
pub struct nwgpu_matrix {
    _private: [u8; 0],
}
#[repr(C)]
pub struct nwgpu_sequences {
    _private: [u8; 0],
}
#[repr(C)]
pub struct nwgpu_result {
    _private: [u8; 0],
}

extern "C" {
    pub fn nwgpu_abi_version() -> u32;
    pub fn nwgpu_status_name(status: nwgpu_status) -> *const c_char;
    pub fn nwgpu_error_init(error: *mut nwgpu_error, size: u64);
    pub fn nwgpu_context_options_init(options: *mut nwgpu_context_options, size: u64);
    pub fn nwgpu_scoring_init(scoring: *mut nwgpu_scoring, size: u64);
    pub fn nwgpu_top_init(top: *mut nwgpu_top, size: u64);
    pub fn nwgpu_control_init(control: *mut nwgpu_control, size: u64);
    pub fn nwgpu_align_options_init(options: *mut nwgpu_align_options, size: u64);
    pub fn nwgpu_context_create(
        options: *const nwgpu_context_options,
        context: *mut *mut nwgpu_context,
        error: *mut nwgpu_error,
    ) -> nwgpu_status;
    pub fn nwgpu_context_destroy(context: *mut nwgpu_context);
    pub fn nwgpu_context_cancel(context: *mut nwgpu_context);
    pub fn nwgpu_matrix_create(
        name: *const c_char,
        matrix: *mut *mut nwgpu_matrix,
        error: *mut nwgpu_error,
    ) -> nwgpu_status;
    pub fn nwgpu_matrix_destroy(matrix: *mut nwgpu_matrix);
    pub fn nwgpu_matrix_alphabet_size(matrix: *const nwgpu_matrix) -> u32;
    pub fn nwgpu_matrix_scores(matrix: *const nwgpu_matrix) -> *const i32;
    pub fn nwgpu_matrix_letter_codes(matrix: *const nwgpu_matrix) -> *const u8;
    pub fn nwgpu_alphabet_letter_codes(name: *const c_char) -> *const u8;
    pub fn nwgpu_sequences_create(
        context: *mut nwgpu_context,
        bytes: *const u8,
        offsets: *const u64,
        count: u64,
        sequences: *mut *mut nwgpu_sequences,
        error: *mut nwgpu_error,
    ) -> nwgpu_status;
    pub fn nwgpu_sequences_create_view(
        context: *mut nwgpu_context,
        bytes: *const u8,
        offsets: *const u64,
        count: u64,
        sequences: *mut *mut nwgpu_sequences,
        error: *mut nwgpu_error,
    ) -> nwgpu_status;
    pub fn nwgpu_sequences_destroy(sequences: *mut nwgpu_sequences);
    pub fn nwgpu_align(
        context: *mut nwgpu_context,
        queries: *const nwgpu_sequences,
        targets: *const nwgpu_sequences,
        pairs: *const nwgpu_pair,
        pair_count: u64,
        scoring: *const nwgpu_scoring,
        options: *const nwgpu_align_options,
        result: *mut *mut nwgpu_result,
        error: *mut nwgpu_error,
    ) -> nwgpu_status;
    pub fn nwgpu_traceback(
        context: *mut nwgpu_context,
        queries: *const nwgpu_sequences,
        targets: *const nwgpu_sequences,
        result: *const nwgpu_result,
        chosen: *const u64,
        count: u64,
        control: *const nwgpu_control,
        traced: *mut *mut nwgpu_result,
        error: *mut nwgpu_error,
    ) -> nwgpu_status;
    pub fn nwgpu_result_count(result: *const nwgpu_result) -> u64;
    pub fn nwgpu_result_pairs(result: *const nwgpu_result) -> *const u64;
    pub fn nwgpu_result_failed(result: *const nwgpu_result) -> u64;
    pub fn nwgpu_result_pair_error(
        result: *const nwgpu_result,
        entry: u64,
        error: *mut nwgpu_error,
    );
    pub fn nwgpu_result_scores(result: *const nwgpu_result) -> *const i64;
    pub fn nwgpu_result_cigars(
        result: *const nwgpu_result,
        runs: *mut *const u32,
        offsets: *mut *const u64,
        error: *mut nwgpu_error,
    ) -> nwgpu_status;
    pub fn nwgpu_result_destroy(result: *mut nwgpu_result);
    pub fn nwgpu_cigar_to_text(
        runs: *const u32,
        run_count: u64,
        text: *mut c_char,
        size: u64,
    ) -> u64;
}
