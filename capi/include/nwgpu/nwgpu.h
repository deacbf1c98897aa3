/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nwgpu.h - exact pairwise sequence alignment on CPU and CUDA.
 *
 * Reading order: 1 versions, 2 errors, 3 options, 4 context, 5 scoring
 * matrices, 6 sequences and buffers, 7 align and traceback, 8 results,
 * 9 helpers.
 *
 * Conventions (they hold for every function unless its comment says otherwise)
 *   Strings     Sequences are bytes plus a length; they need no NUL.
 *   Positions   0-based, half open: [begin, end).
 *   CIGAR       SAM meaning: I = in query only, D = in target only.  One
 *               uint32_t per run, BAM encoding (length << 4 | op).  A run
 *               longer than 2^28 - 1 is split.
 *   Scores      Higher is better.  Penalties are given as costs >= 0.
 *               A gap of k letters costs gap_open + k * gap_extend.
 *   Exactness   The score is the optimum, always; the CIGAR is the same on
 *               every backend, instruction set, thread count and memory
 *               limit (docs/exactness.md has the tie rule).
 *   Errors      Functions return nwgpu_status.  On failure outputs are
 *               unchanged and *error, if not NULL, is filled in.
 *   Ownership   *_create / *_destroy come in pairs; *_destroy accepts NULL and
 *               may run in any order and on any thread (finalizers do both):
 *               handles keep what they need of their context alive.
 *               Pointers from a getter live as long as the handle.
 *   Threads     Different contexts: any threads.  One context: one call at a
 *               time.  Getters take const handles and may run concurrently.
 *   Fork        A context made before fork() works in the child: the CPU
 *               engine starts its threads anew.
 *   Process     The library never prints, exits, aborts, installs signal
 *               handlers or lets a C++ exception out.
 */
#ifndef NWGPU_NWGPU_H
#define NWGPU_NWGPU_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#  if defined(NWGPU_BUILDING)
#    define NWGPU_API __declspec(dllexport)
#  elif !defined(NWGPU_STATIC)
#    define NWGPU_API __declspec(dllimport)
#  else
#    define NWGPU_API
#  endif
#else
#  define NWGPU_API __attribute__((visibility("default")))
#endif
#if defined(__GNUC__) || defined(__clang__)
#  define NWGPU_MUST_CHECK __attribute__((warn_unused_result))
#else
#  define NWGPU_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1 Versions --------------------------------------------------------- */

#define NWGPU_VERSION_MAJOR 0
#define NWGPU_VERSION_MINOR 1
#define NWGPU_VERSION_PATCH 0
#define NWGPU_ABI_VERSION   0   /* == SONAME: libnwgpu.so.<this>            */

NWGPU_API uint32_t    nwgpu_abi_version(void);     /* of the loaded library   */
NWGPU_API const char *nwgpu_version_string(void);  /* "0.1.0"                 */
NWGPU_API const char *nwgpu_build_info(void);      /* "cuda=none cpu=avx3,avx2,sse4,sse2 omp=1" */

/* ---- 2 Errors ----------------------------------------------------------- */

/* Values never change meaning.  New ones may be added: treat an unknown
 * non-zero value as an error. */
typedef int32_t nwgpu_status;
enum {
    NWGPU_OK                         = 0,
    NWGPU_ERROR_INVALID_ARGUMENT     = 1,  /* NULL, bad size, bad option value   */
    NWGPU_ERROR_INVALID_SEQUENCE     = 2,  /* a letter outside the alphabet      */
    NWGPU_ERROR_UNSUPPORTED          = 3,  /* valid, but not in this build/device */
    NWGPU_ERROR_TOO_LARGE            = 4,  /* would exceed a documented limit    */
    NWGPU_ERROR_INVALID_MATRIX       = 5,  /* text is not an NCBI scoring matrix */
    NWGPU_ERROR_NOT_FOUND            = 6,  /* no matrix or algorithm of that name */
    NWGPU_ERROR_OUT_OF_HOST_MEMORY   = 10,
    NWGPU_ERROR_OUT_OF_DEVICE_MEMORY = 11,
    NWGPU_ERROR_MEMORY_LIMIT         = 12, /* max_*_bytes would be passed        */
    NWGPU_ERROR_NO_DEVICE            = 20,
    NWGPU_ERROR_DEVICE               = 21, /* CUDA call failed; see error->cuda_code */
    NWGPU_ERROR_DEVICE_LOST          = 22, /* destroy this context, make a new one */
    NWGPU_ERROR_CANCELLED            = 30, /* progress said stop, or the deadline passed */
    NWGPU_ERROR_NO_TRACE             = 31, /* no CIGAR was computed for this pair */
    NWGPU_ERROR_CHECKPOINT           = 32, /* cannot be written, is damaged or of another problem */
    NWGPU_ERROR_INTERNAL             = 99
};

/* Caller-owned, no heap, no thread-local state (safe from cgo and asyncio). */
typedef struct nwgpu_error {
    uint32_t     struct_size;  /* set to sizeof(nwgpu_error)                  */
    nwgpu_status status;
    int32_t      cuda_code;    /* cudaError_t, or 0                           */
    uint32_t     reserved;
    uint64_t     pair_index;   /* offending pair, or UINT64_MAX               */
    char         message[256]; /* NUL terminated, English, not for parsing    */
} nwgpu_error;
#define NWGPU_ERROR_INIT { (uint32_t)sizeof(nwgpu_error), 0, 0, 0, UINT64_MAX, { 0 } }

NWGPU_API const char *nwgpu_status_name(nwgpu_status status); /* "NWGPU_ERROR_DEVICE" */

/* ---- 3 Options ---------------------------------------------------------- */

/* Extensible structs.  Rule: struct_size is the caller's sizeof; fields are
 * only ever appended, and zero in an appended field means "as before it".
 *   caller older  : missing tail is read as zero;
 *   caller newer  : a non-zero byte in the unknown tail is
 *                   NWGPU_ERROR_UNSUPPORTED, so no option is dropped silently.
 * Choices are int32_t fields with named constants, never C enum fields, so
 * their size and range are the same in C, C++, Rust, Go and Python. */

enum { NWGPU_BACKEND_AUTO = 0, NWGPU_BACKEND_CPU = 1, NWGPU_BACKEND_CUDA = 2 };
enum { NWGPU_SPAN_GLOBAL = 0, NWGPU_SPAN_LOCAL = 1, NWGPU_SPAN_FREE_ENDS = 2 };
/* Each level holds what the one before it holds. */
enum {
    NWGPU_OUTPUT_SCORE = 0,  /* scores                                        */
    NWGPU_OUTPUT_END   = 1,  /* + where the alignment ends                    */
    NWGPU_OUTPUT_SPAN  = 2,  /* + where it begins                             */
    NWGPU_OUTPUT_CIGAR = 3   /* + the alignment itself                        */
};
enum { NWGPU_CIGAR_EQX = 0, NWGPU_CIGAR_M = 1 };
enum { /* bits of free_ends */
    NWGPU_FREE_QUERY_BEGIN  = 1, /* query letters before the alignment cost 0  */
    NWGPU_FREE_QUERY_END    = 2,
    NWGPU_FREE_TARGET_BEGIN = 4,
    NWGPU_FREE_TARGET_END   = 8
};
enum { /* which of several best alignments (docs/exactness.md) */
    NWGPU_TIES_FIRST      = 0, /* the first end; pair, insertion, deletion     */
    NWGPU_TIES_LAST_END   = 1, /* the last end, and the same path to it        */
    NWGPU_TIES_GAPS_FIRST = 2  /* the last end; deletion, insertion, pair      */
};
enum { NWGPU_LOG_INFO = 0, NWGPU_LOG_WARNING = 1 };

typedef struct nwgpu_context_options {
    uint32_t struct_size;
    int32_t  backend;            /* NWGPU_BACKEND_*                            */
    int32_t  device;             /* CUDA ordinal, counted from 0               */
    int32_t  cpu_threads;        /* 0: all that the process may use            */
    /* 0: what is free, less a margin.  What a path keeps and this cannot hold
     * goes to host memory, or to files under $TMPDIR (or /tmp) where
     * max_host_bytes is too low for it, too: a call says so through log. */
    uint64_t max_device_bytes;
    uint64_t max_host_bytes;     /* 0: no limit; else what one call may allocate */
    void    *cuda_stream;        /* a cudaStream_t, or NULL for an own stream  */
    /* Called on the thread that runs the API call, or NULL. */
    void   (*log)(void *user, int32_t level, const char *text);
    void    *log_user;
    /* "avx3", "avx2", "sse4", "sse2", "neon", or NULL for the best there is
     * (then the environment variable NWGPU_FORCE_ISA, if set, decides).  An
     * instruction set that this CPU or build lacks is an error. */
    const char *cpu_isa;
} nwgpu_context_options;

/* No defaults here: 0 is a valid cost, so every field means what it says.
 * Edit distance is {match 0, mismatch 1, gap_open 0, gap_extend 1}.
 * Limits: every |score| and cost <= 2^30, or NWGPU_ERROR_TOO_LARGE. */
typedef struct nwgpu_scoring {
    uint32_t      struct_size;
    int32_t       match;         /* >= 0, added per equal pair                 */
    int32_t       mismatch;      /* >= 0, a cost                               */
    int32_t       gap_open;      /* >= 0, a cost, once per gap                 */
    int32_t       gap_extend;    /* >= 0, a cost, per gap letter               */
    uint32_t      alphabet_size; /* 0: match/mismatch; else 1..128: the matrix */
    const int32_t *matrix;       /* alphabet_size^2, row = query letter        */
    /* 256 entries: byte -> code (< alphabet_size with a matrix), 255 =
     * invalid.  NULL without a matrix: bytes are compared as they are.  With
     * match/mismatch two letters are equal when their codes are. */
    const uint8_t *letter_codes;
} nwgpu_scoring;

typedef struct nwgpu_align_options {
    uint32_t struct_size;
    int32_t  span;               /* NWGPU_SPAN_*                               */
    uint32_t free_ends;          /* NWGPU_FREE_*; must be 0 without SPAN_FREE_ENDS */
    int32_t  output;             /* NWGPU_OUTPUT_*                             */
    int32_t  cigar_style;        /* NWGPU_CIGAR_*                              */
    uint32_t reserved;           /* 0                                          */
    /* Called on the thread that runs the call, at least every 100 ms of work;
     * units are matrix cells.  A return value != 0 stops the call with
     * NWGPU_ERROR_CANCELLED within 100 ms. */
    int32_t (*progress)(void *user, uint64_t done, uint64_t total);
    void    *progress_user;
    /* NULL: the context's engine.  Else the published algorithm that computes
     * in its place, whatever the context's backend: "NAME", or with parameters
     * "NAME:parameter=value,..." (nwgpu_algorithm_info lists them).  Errors:
     * NOT_FOUND; UNSUPPORTED for a mode, gap model or output outside its
     * limits; pairs too large for it get their own status.  They call progress
     * as seldom as once a pair. */
    const char *algorithm;
    int32_t  ties;               /* NWGPU_TIES_*                               */
    /* Not 0: only the cells with band_lower <= target - query <= band_upper
     * exist, where target and query count the letters before the cell; the
     * alignment is the best inside the band.  A pair whose band holds no path
     * gets the status INVALID_ARGUMENT.  Bands and ties other than FIRST are
     * computed on the CPU: AUTO sees to it, CUDA gives UNSUPPORTED. */
    int32_t  banded;
    int64_t  band_lower;
    int64_t  band_upper;
    /* Not 0: every cell of the matrix is computed, where the engine else leaves
     * out those that provably matter for no optimum.  The answer is the same. */
    int32_t  every_cell;
    /* Checkpoints of a long run: a folder, which is made if it is not there;
     * NULL: none.  Only for one pair per call, without `banded`, `ties` and
     * `algorithm`.  What is needed to go on is saved about every
     * checkpoint_seconds of work (0: every 60) and removed at the end.
     * `resume` not 0: goes on where an earlier run of the same problem was
     * stopped or killed, on whatever engine, with the same result; begins anew
     * where the folder holds nothing.  Errors: CHECKPOINT for a folder that
     * cannot be written or is in use, holds a checkpoint already (without
     * resume), or a damaged one, or one of another problem; INVALID_ARGUMENT;
     * UNSUPPORTED.  docs/checkpoints.md has the files. */
    int32_t  resume;
    const char *checkpoint;
    double   checkpoint_seconds;
    /* More than 0: the call ends with CANCELLED after so many seconds. */
    double   deadline_seconds;
    /* 0 or 1: one alignment a pair.  More, for SPAN_LOCAL without a band and
     * with TIES_FIRST: so many alignments a pair, best first; each is the best
     * that aligns no two letters that an earlier one aligns with each other
     * (docs/exactness.md).  Fewer where no positive score is left.  With CUDA
     * the device sweeps, and the CPU's threads find the alignments. */
    uint32_t top;
    uint32_t reserved2;          /* 0                                          */
} nwgpu_align_options;

/* ---- 4 Context ---------------------------------------------------------- */

typedef struct nwgpu_context   nwgpu_context;   /* backend, threads, workspace */
typedef struct nwgpu_matrix    nwgpu_matrix;    /* a named or parsed matrix    */
typedef struct nwgpu_sequences nwgpu_sequences; /* reusable input              */
typedef struct nwgpu_result    nwgpu_result;    /* scores, ends, CIGARs        */

/* Errors: INVALID_ARGUMENT; NO_DEVICE or UNSUPPORTED when CUDA is asked for by
 * name and cannot be had (AUTO falls back to the CPU and says so in the log). */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_context_create(const nwgpu_context_options *options, /* NULL: defaults   */
                     nwgpu_context **context, nwgpu_error *error);
NWGPU_API void        nwgpu_context_destroy(nwgpu_context *context);
/* "cpu:avx3", "cuda:sm_90", or "cuda:sm_90+cpu:avx3" where AUTO chooses between
 * them, pair by pair. */
NWGPU_API const char *nwgpu_context_backend_name(const nwgpu_context *context);
NWGPU_API int32_t     nwgpu_context_threads(const nwgpu_context *context);
/* Give cached workspace back to the system; results stay valid. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_context_trim(nwgpu_context *context, nwgpu_error *error);

/* Devices of a backend.  The CPU counts as one device.  For CUDA, *count is 0
 * and the status OK where no GPU can be used; `error->message` then says why. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_device_count(int32_t backend, int32_t *count, nwgpu_error *error);
/* One line: name, memory, capabilities; "avx3 avx2 sse4 sse2" for the CPU, the
 * one in use first.  snprintf rule (see nwgpu_cigar_to_text); 0 = no such
 * device. */
NWGPU_API size_t
nwgpu_device_describe(int32_t backend, int32_t device, char *text, size_t size);

/* Published algorithms, for comparison and study: each is written as its paper
 * has it, and is slower than the engine or takes more memory.  None is ever
 * chosen but by name. */
typedef struct nwgpu_algorithm {
    uint32_t struct_size;
    int32_t  backend;            /* NWGPU_BACKEND_CPU or _CUDA                 */
    int32_t  affine;             /* 0: linear gaps alone, gap_open 0           */
    uint32_t spans;              /* bit 1 << NWGPU_SPAN_* for each it can      */
    int32_t  output;             /* NWGPU_OUTPUT_*: the most that it finds     */
    int32_t  reserved;
    /* All static, never NULL. */
    const char *name;            /* "gpu8-mlsp-diagdiag"                       */
    const char *paper;           /* letter of the paper and section            */
    const char *trace;           /* how the path is found: "none", "plain", "sparse" */
    const char *parameters;      /* "cols=128 side=16" with their usual values */
    const char *limits;
    const char *summary;         /* one line                                   */
} nwgpu_algorithm;
NWGPU_API size_t nwgpu_algorithm_count(void);
/* Number `index`, in the order of the papers.  Errors: NOT_FOUND past the last. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_algorithm_info(size_t index, nwgpu_algorithm *algorithm, nwgpu_error *error);

/* ---- 5 Scoring matrices ------------------------------------------------- */

/* Built in: BLOSUM45 BLOSUM50 BLOSUM62 BLOSUM80 BLOSUM90 PAM30 PAM70 PAM120
 * PAM250 NUC.4.4 EDNAFULL; case does not matter.  Errors: NOT_FOUND. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_matrix_named(const char *name, nwgpu_matrix **matrix, nwgpu_error *error);
/* Name number `index`, or NULL past the last. */
NWGPU_API const char *nwgpu_matrix_name(size_t index);
/* A matrix in NCBI text format: '#' comments, a header row of letters, then
 * one row per query letter (in any order; every letter of the header needs
 * one).  Lower case letters mean the same as upper case ones.  In a matrix
 * with X every ASCII letter that is missing is read as X; in one without X
 * U is read as T and other missing letters are invalid.
 * Errors: INVALID_MATRIX with the line number in the message. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_matrix_parse(const char *text, size_t length, nwgpu_matrix **matrix,
                   nwgpu_error *error);
NWGPU_API void nwgpu_matrix_destroy(nwgpu_matrix *matrix);
NWGPU_API uint32_t       nwgpu_matrix_size(const nwgpu_matrix *matrix);    /* letters */
NWGPU_API const int32_t *nwgpu_matrix_scores(const nwgpu_matrix *matrix);  /* [size][size] */
NWGPU_API const uint8_t *nwgpu_matrix_codes(const nwgpu_matrix *matrix);   /* [256] */
NWGPU_API const char    *nwgpu_matrix_letters(const nwgpu_matrix *matrix); /* [size], NUL */
/* Letter codes for match/mismatch scoring: "dna" = ACGT and the IUPAC codes,
 * U = T, case folded; "protein" = A-Z and '*', case folded.  256 entries,
 * static; NULL for another name. */
NWGPU_API const uint8_t *nwgpu_alphabet_codes(const char *name);

/* ---- 6 Sequences and buffers -------------------------------------------- */

/* count sequences laid end to end; offsets has count + 1 entries.  The bytes
 * are copied before the call returns, so they may be freed at once and the
 * handle used in many nwgpu_align calls, of several threads and contexts, too.
 * It keeps their codes (as many bytes again) under the letter codes of the last
 * call, for the next one. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_sequences_create(nwgpu_context *context, const uint8_t *bytes,
                       const uint64_t *offsets, uint64_t count,
                       nwgpu_sequences **sequences, nwgpu_error *error);
NWGPU_API uint64_t nwgpu_sequences_count(const nwgpu_sequences *sequences);
NWGPU_API void     nwgpu_sequences_destroy(nwgpu_sequences *sequences);

/* Page-locked host memory for fast transfer; plain memory on CPU backends. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_host_alloc(nwgpu_context *context, size_t bytes, void **memory, nwgpu_error *error);
NWGPU_API void nwgpu_host_free(nwgpu_context *context, void *memory);

/* ---- 7 Align and traceback ---------------------------------------------- */

typedef struct nwgpu_pair { uint64_t query, target; } nwgpu_pair; /* indices */

/* What a call would take, before it is made.  host_bytes and device_bytes are
 * upper bounds that the call keeps to (inputs and results included, with
 * options.top the first alignment of each pair only), unless what is free on
 * the device shrinks meanwhile: then host memory may take its place, as far as
 * max_host_bytes allows.  seconds is a prediction for this machine; it takes
 * some milliseconds, as parts of such work are computed to measure it. */
typedef struct nwgpu_estimate {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t pairs;
    uint64_t cells;              /* sum of query length x target length       */
    uint64_t host_bytes;
    uint64_t device_bytes;
    double   seconds;
    char     plan[512];          /* one line per group of pairs, for people   */
} nwgpu_estimate;
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_align_estimate(nwgpu_context *context, const nwgpu_sequences *queries,
                     const nwgpu_sequences *targets, const nwgpu_pair *pairs,
                     uint64_t pair_count, const nwgpu_scoring *scoring,
                     const nwgpu_align_options *options,
                     nwgpu_estimate *estimate, nwgpu_error *error);

/* Aligns the chosen pairs.  pairs == NULL (then pair_count must be 0): queries
 * and targets must be of equal number, and the i-th go together; or one of
 * them holds one sequence, which goes with each of the other.
 *
 * A pair that cannot be aligned (a letter outside the alphabet, more memory
 * than the limit allows) gets its own status in the result and harms no other:
 * the call itself still returns NWGPU_OK.  Empty sequences are legal.
 * Memory: O(query + target) per thread, see docs/exactness.md.  Blocks until
 * done. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status   /* options NULL: global, score only */
nwgpu_align(nwgpu_context *context, const nwgpu_sequences *queries,
            const nwgpu_sequences *targets, const nwgpu_pair *pairs,
            uint64_t pair_count, const nwgpu_scoring *scoring,
            const nwgpu_align_options *options,
            nwgpu_result **result, nwgpu_error *error);

/* Computes spans and CIGARs for count chosen pairs (indices into the result)
 * of an earlier nwgpu_align call of lower output; chosen == NULL means all, and
 * must be where options.top was above 1.  Queries, targets and context must be
 * those of that call. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_traceback(nwgpu_context *context, const nwgpu_sequences *queries,
                const nwgpu_sequences *targets, nwgpu_result *result,
                const uint64_t *chosen, uint64_t count, nwgpu_error *error);

/* ---- 8 Results ---------------------------------------------------------- */

/* One entry a pair, in order.  With options.top above 1 one entry for each
 * alignment: those of a pair are neighbours, best first, and a pair that failed
 * or has none (score 0) has one entry. */
NWGPU_API uint64_t        nwgpu_result_count(const nwgpu_result *result);
/* [count]: the pair that each entry belongs to. */
NWGPU_API const uint64_t *nwgpu_result_pairs(const nwgpu_result *result);
NWGPU_API uint64_t        nwgpu_result_failed(const nwgpu_result *result); /* pairs != OK */
NWGPU_API const nwgpu_status *nwgpu_result_statuses(const nwgpu_result *result); /* [count] */
/* Why the pair of entry `entry` failed (status NWGPU_OK in *error when it did
 * not). */
NWGPU_API void            nwgpu_result_pair_error(const nwgpu_result *result,
                                                  uint64_t entry, nwgpu_error *error);
/* [count]; 0 for failed pairs. */
NWGPU_API const int64_t  *nwgpu_result_scores(const nwgpu_result *result);
/* [count][4]: query begin, query end, target begin, target end.  Positions
 * below the asked output level are UINT64_MAX; NULL with OUTPUT_SCORE. */
NWGPU_API const uint64_t *nwgpu_result_spans(const nwgpu_result *result);
/* All CIGARs in one array: entry i owns runs[offsets[i]] .. runs[offsets[i+1]-1].
 * Errors: NO_TRACE when no CIGARs were asked for. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_result_cigars(const nwgpu_result *result, const uint32_t **runs,
                    const uint64_t **offsets, nwgpu_error *error);
NWGPU_API void nwgpu_result_destroy(nwgpu_result *result);

/* ---- 9 Helpers ---------------------------------------------------------- */

/* snprintf rule: returns the length needed without the NUL; writes at most
 * size bytes, NUL included; text may be NULL if size is 0.  "*" for no runs. */
NWGPU_API size_t nwgpu_cigar_to_text(const uint32_t *runs, size_t run_count,
                                     char *text, size_t size);
/* Re-scores a CIGAR from nothing but the two sequences (the aligned parts: from
 * begin to end): what tests, bindings and distrustful users call to check an
 * answer.  Errors: INVALID_ARGUMENT when the CIGAR does not fit the lengths or
 * an = or X run does not hold, INVALID_SEQUENCE. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_cigar_score(const uint8_t *query, uint64_t query_length,
                  const uint8_t *target, uint64_t target_length,
                  const nwgpu_scoring *scoring, const uint32_t *runs,
                  size_t run_count, int64_t *score, nwgpu_error *error);

#ifdef __cplusplus
}
#endif
#endif /* NWGPU_NWGPU_H */
