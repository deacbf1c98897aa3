/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nwgpu.h - exact pairwise sequence alignment on CPU and CUDA.
 *
 * Reading order: 1 versions, 2 errors, 3 choices, 4 options, 5 context and
 * devices, 6 scoring matrices, 7 sequences and buffers, 8 align and traceback,
 * 9 results, 10 helpers.  The published algorithms, whose interface may still
 * change, are in nwgpu_experimental.h; nwgpu.hpp wraps both for C++20.
 *
 * Conventions (they hold for every function unless its comment says otherwise)
 *   Strings     Sequences are bytes plus a length; they need no NUL.  Names and
 *               messages are UTF-8 with a NUL.
 *   Counts      Counts, lengths, positions and indices are uint64_t.
 *   Positions   0-based, half open: [begin, end).
 *   CIGAR       SAM meaning: I = in query only, D = in target only.  One
 *               uint32_t per run, BAM encoding (length << 4 | op).  A run
 *               longer than 2^28 - 1 is split.
 *   Scores      Higher is better.  Penalties are given as costs >= 0.
 *               A gap of k letters costs gap_open + k * gap_extend.
 *   Exactness   The score is the optimum, always; the CIGAR is the same on
 *               every backend, instruction set, thread count and memory
 *               limit (docs/exactness.md has the tie rule).
 *   Errors      Functions that can fail return nwgpu_status and take a last
 *               parameter `error`, which may be NULL.  On failure outputs are
 *               unchanged and *error says why; on success *error is cleared
 *               (status NWGPU_OK, empty message).
 *   NULL        A function that returns a status answers INVALID_ARGUMENT to a
 *               NULL that it cannot use.  *_destroy, *_free, *_init and
 *               nwgpu_context_cancel do nothing with NULL.  A getter answers
 *               NULL with 0 or with a pointer to an empty text or array: only
 *               where its comment says so may a getter return NULL.
 *   Reading     What a pointer parameter or a pointer in an options struct
 *               points to is read during the call and never kept, except for
 *               the bytes of nwgpu_sequences_create_view and for the log
 *               function and log_user of a context.
 *   Ownership   *_create / *_destroy come in pairs; *_destroy may run in any
 *               order and on any thread (finalizers do both): handles keep what
 *               they need of their context alive.
 *   Lifetimes   A pointer from a getter lives, and what it points to stays as
 *               it is, until its handle is destroyed: no other function moves
 *               or changes it.
 *   Threads     Different contexts: any threads.  One context: one call at a
 *               time; a second one, from another thread or from a callback,
 *               returns BUSY.  nwgpu_context_cancel may be called at any time.
 *               Getters take const handles and may run concurrently.  Sequences
 *               may be used by calls of several contexts at once.
 *   Callbacks   log and progress run on the thread that made the call.  They
 *               must return: no longjmp.  A C++ exception that leaves one ends
 *               the call with NWGPU_ERROR_CALLBACK.  A callback that forks must
 *               let the child do nothing but exec or _exit.
 *   Fork        A context made before fork() works in the child, unless a call
 *               was running in it: the CPU engine starts its threads anew.
 *   Process     The library never prints, exits, aborts, installs signal
 *               handlers or lets a C++ exception out.  Threads that cannot be
 *               started mean fewer threads.
 *   Limits      A count or size that no machine could hold is TOO_LARGE.
 */
#ifndef NWGPU_NWGPU_H
#define NWGPU_NWGPU_H

#include <stddef.h>
#include <stdint.h>

#define NWGPU_API __attribute__((visibility("default")))
#define NWGPU_MUST_CHECK __attribute__((warn_unused_result))

/* Every choice is a named enum for the eyes and an int32_t field in structs and
 * parameters, so that its size and range are the same in C, C++, Rust, Go and
 * Python.  Where the language lets a header say so (C++, C23, and clang, which
 * is what bindgen reads headers with), the enum itself is an int32_t. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#  define NWGPU_ENUM(name) enum name : int32_t
#elif defined(__clang__)
#  define NWGPU_ENUM(name) __extension__ enum name : int32_t
#else
#  define NWGPU_ENUM(name) enum name
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1 Versions --------------------------------------------------------- */

#define NWGPU_VERSION_MAJOR 0
#define NWGPU_VERSION_MINOR 1
#define NWGPU_VERSION_PATCH 0
#define NWGPU_ABI_VERSION   1   /* == SONAME: libnwgpu.so.<this>            */

NWGPU_API uint32_t    nwgpu_abi_version(void);     /* of the loaded library   */
NWGPU_API const char *nwgpu_version_string(void);  /* "0.1.0"                 */
NWGPU_API const char *nwgpu_build_info(void);      /* "cuda=none cpu=avx3,avx2,sse4,sse2" */

/* ---- 2 Errors ----------------------------------------------------------- */

/* A value of nwgpu_status_code.  Values never change meaning.  New ones may be
 * added: treat an unknown non-zero value as an error. */
typedef int32_t nwgpu_status;
NWGPU_ENUM(nwgpu_status_code) {
    NWGPU_OK                         = 0,
    NWGPU_ERROR_INVALID_ARGUMENT     = 1,  /* NULL, bad size, bad option value   */
    NWGPU_ERROR_INVALID_SEQUENCE     = 2,  /* a letter outside the alphabet      */
    NWGPU_ERROR_UNSUPPORTED          = 3,  /* valid, but not in this build/device */
    NWGPU_ERROR_TOO_LARGE            = 4,  /* would exceed a documented limit    */
    NWGPU_ERROR_INVALID_MATRIX       = 5,  /* text is not an NCBI scoring matrix */
    NWGPU_ERROR_NOT_FOUND            = 6,  /* nothing of that name or index      */
    NWGPU_ERROR_BUSY                 = 7,  /* another call runs on this context  */
    NWGPU_ERROR_OUT_OF_HOST_MEMORY   = 10,
    NWGPU_ERROR_OUT_OF_DEVICE_MEMORY = 11,
    NWGPU_ERROR_MEMORY_LIMIT         = 12, /* max_*_bytes would be passed        */
    NWGPU_ERROR_NO_DEVICE            = 20,
    NWGPU_ERROR_DEVICE               = 21, /* CUDA call failed; see error->cuda_code */
    NWGPU_ERROR_DEVICE_LOST          = 22, /* destroy this context, make a new one */
    NWGPU_ERROR_CANCELLED            = 30, /* progress or nwgpu_context_cancel said stop */
    NWGPU_ERROR_NO_TRACE             = 31, /* no CIGAR was computed for this pair */
    NWGPU_ERROR_CHECKPOINT           = 32, /* cannot be written, is damaged or of another problem */
    NWGPU_ERROR_DEADLINE             = 33, /* deadline_seconds are over          */
    NWGPU_ERROR_CALLBACK             = 34, /* a callback threw                   */
    NWGPU_ERROR_COMMUNICATION        = 35, /* another rank failed, or a message did not get there */
    NWGPU_BELOW_MIN_SCORE            = 40, /* of a pair: the answer to options.min_score */
    NWGPU_ERROR_INTERNAL             = 99
};

/* Owned by the caller, without heap and thread-local state (safe from cgo and
 * asyncio).  As much of it is written as struct_size says; the fields shown
 * here are always those of ABI 1, so a program that was compiled with them gets
 * them from every later library.  With struct_size 0 nothing is written. */
typedef struct nwgpu_error {
    uint32_t     struct_size;  /* set to sizeof(nwgpu_error)                  */
    nwgpu_status status;
    uint64_t     pair_index;   /* offending pair, or UINT64_MAX               */
    int32_t      cuda_code;    /* cudaError_t, or 0                           */
    char         message[252]; /* NUL terminated, English, not for parsing    */
} nwgpu_error;
#define NWGPU_ERROR_INIT { sizeof(nwgpu_error), NWGPU_OK, UINT64_MAX, 0, { 0 } }

NWGPU_API const char *nwgpu_status_name(nwgpu_status status); /* "NWGPU_ERROR_DEVICE" */

/* ---- 3 Choices ---------------------------------------------------------- */

NWGPU_ENUM(nwgpu_backend) {
    NWGPU_BACKEND_AUTO = 0,      /* GPU and CPU, pair by pair, whichever is faster */
    NWGPU_BACKEND_CPU  = 1,
    NWGPU_BACKEND_CUDA = 2
};
NWGPU_ENUM(nwgpu_mode) {         /* what an alignment spans                    */
    NWGPU_MODE_GLOBAL    = 0,    /* both sequences from end to end             */
    NWGPU_MODE_LOCAL     = 1,    /* the best part of both                      */
    NWGPU_MODE_FREE_ENDS = 2,    /* global, but the ends in free_ends cost 0   */
    /* An extension without a positive score is empty.                         */
    NWGPU_MODE_EXTEND      = 3,  /* from both begins to the best end anywhere  */
    NWGPU_MODE_EXTEND_LEFT = 4   /* from the best begin anywhere to both ends  */
};
NWGPU_ENUM(nwgpu_free_end) {     /* bits of free_ends                          */
    NWGPU_FREE_QUERY_BEGIN  = 1, /* query letters before the alignment cost 0  */
    NWGPU_FREE_QUERY_END    = 2,
    NWGPU_FREE_TARGET_BEGIN = 4,
    NWGPU_FREE_TARGET_END   = 8
};
NWGPU_ENUM(nwgpu_output) {       /* each level holds what the one before it holds */
    NWGPU_OUTPUT_SCORE = 0,      /* scores                                     */
    NWGPU_OUTPUT_END   = 1,      /* + where the alignment ends                 */
    NWGPU_OUTPUT_SPAN  = 2,      /* + where it begins                          */
    NWGPU_OUTPUT_CIGAR = 3       /* + the alignment itself                     */
};
NWGPU_ENUM(nwgpu_cigar_style) {
    NWGPU_CIGAR_EQX = 0,         /* = and X                                    */
    NWGPU_CIGAR_M   = 1          /* M for both                                 */
};
NWGPU_ENUM(nwgpu_ties) {         /* which of several best alignments (docs/exactness.md) */
    NWGPU_TIES_FIRST      = 0,   /* the first end; pair, insertion, deletion   */
    NWGPU_TIES_LAST_END   = 1,   /* the last end, and the same path to it      */
    NWGPU_TIES_GAPS_FIRST = 2    /* the last end; deletion, insertion, pair    */
};
NWGPU_ENUM(nwgpu_pairing) {      /* which query goes with which target         */
    NWGPU_PAIRING_ZIP  = 0,      /* the i-th with the i-th, in equal numbers   */
    NWGPU_PAIRING_ALL  = 1,      /* each query with each target; pair number
                                    query * (number of targets) + target       */
    NWGPU_PAIRING_LIST = 2       /* those of the parameter `pairs`             */
};
NWGPU_ENUM(nwgpu_log_level) {
    NWGPU_LOG_INFO    = 0,
    NWGPU_LOG_WARNING = 1
};

/* ---- 4 Options ---------------------------------------------------------- */

/* Extensible structs.  Rule: struct_size is the caller's sizeof; fields are
 * only ever appended, and zero in an appended field means "as before it".
 *   caller older  : the missing tail is read as zero;
 *   caller newer  : a non-zero byte in the unknown tail is
 *                   NWGPU_ERROR_UNSUPPORTED, so no option is dropped silently;
 *   below the size that the struct has in ABI 1, or above 4096: INVALID_ARGUMENT.
 * Each has an initializer NWGPU_*_INIT and a function nwgpu_*_init for languages
 * that see no macros: it sets size bytes of *options (or as many as a struct
 * may have) to the defaults, and struct_size to size = sizeof the caller's. */

/* One process among several that work together, on one machine or many: a rank
 * of a world.  libnwgpu_mpi.so makes one from MPI (nwgpu_mpi.h).  Rank 0 makes
 * the calls; every other rank makes a context and calls nwgpu_context_serve.
 * The functions are called on the thread that called the library, one at a
 * time, and return 0, or another number when they fail.  What a rank sends to
 * another one arrives whole, once and in order. */
typedef struct nwgpu_communicator {
    uint32_t struct_size;
    int32_t  rank;               /* of this process, 0 .. size - 1             */
    int32_t  size;               /* ranks of the world, >= 1                   */
    int32_t  reserved;           /* 0                                          */
    uint64_t fingerprint;        /* of what has to be equal on all ranks, as
                                    arguments of the program, or 0             */
    void    *user;               /* first argument of the functions            */
    /* Takes a copy of the bytes; does not wait until rank `to` receives them. */
    int32_t (*send)(void *user, int32_t to, const void *bytes, uint64_t count);
    /* Whether a message is there, from any rank; does not wait.  Sets *from to
     * its sender, or to -1 where there is none, and *count to its length.     */
    int32_t (*probe)(void *user, int32_t *from, uint64_t *count);
    /* Takes the next message of rank `from`, which probe has told of.         */
    int32_t (*receive)(void *user, int32_t from, void *bytes, uint64_t count);
} nwgpu_communicator;
#define NWGPU_COMMUNICATOR_INIT \
    { sizeof(nwgpu_communicator), 0, 1, 0, 0, NULL, NULL, NULL, NULL }

#define NWGPU_ALL_DEVICES UINT64_MAX

typedef struct nwgpu_context_options {
    uint32_t struct_size;
    int32_t  backend;            /* nwgpu_backend                              */
    int32_t  device;             /* CUDA ordinal, counted from 0               */
    int32_t  cpu_threads;        /* 0: all that the process may use            */
    /* 0: what is free, less a margin.  Boundaries that a path needs and that do
     * not fit go to host memory or, where max_host_bytes is too low for them as
     * well, to files under $TMPDIR (or /tmp); log is told so.  Letters that are
     * kept from call to call (section 7) count, and give way to other work. */
    uint64_t max_device_bytes;
    uint64_t max_host_bytes;     /* 0: no limit; else what one call may allocate */
    void    *cuda_stream;        /* a cudaStream_t that outlives the context, or
                                    NULL for an own stream                     */
    /* Called on the thread that runs the API call, or NULL; log and log_user
     * must stay valid until the context is destroyed. */
    void   (*log)(void *user, int32_t level, const char *text);
    void    *log_user;
    /* "avx3", "avx2", "sse4", "sse2", "neon", or NULL for the best there is
     * (then the environment variable NWGPU_FORCE_ISA, if set, decides).  An
     * instruction set that this CPU or build lacks is an error. */
    const char *cpu_isa;
    /* Several GPUs, to which the pairs of a call are dealt out; max_device_bytes
     * is that of each.  device_count 0: `device` alone.  NWGPU_ALL_DEVICES, with
     * devices NULL: all that there are.  Else device_count different ordinals. */
    const int32_t *devices;
    uint64_t device_count;
    /* NULL: this process alone.  Else a context is made on all ranks together,
     * each with the devices and limits of its own options, and pairs are dealt
     * out to the ranks.  The functions must stay valid until the context is
     * destroyed. */
    const nwgpu_communicator *communicator;
} nwgpu_context_options;
#define NWGPU_CONTEXT_OPTIONS_INIT \
    { sizeof(nwgpu_context_options), NWGPU_BACKEND_AUTO, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL }

/* Every field is taken as it is, since 0 is a valid cost; the defaults are all 0.
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
#define NWGPU_SCORING_INIT { sizeof(nwgpu_scoring), 0, 0, 0, 0, 0, NULL, NULL }

/* Only the cells with lower <= target - query <= upper exist, where target and
 * query count the letters before the cell; the alignment is the best inside the
 * band.  A pair whose band holds no path gets the status INVALID_ARGUMENT. */
typedef struct nwgpu_band {
    uint32_t struct_size;
    int64_t  lower;
    int64_t  upper;
} nwgpu_band;
#define NWGPU_BAND_INIT { sizeof(nwgpu_band), 0, 0 }

/* Checkpoints of a long run: what is needed to go on is saved in a folder about
 * every `seconds` of work and removed at the end.  docs/checkpoints.md. */
typedef struct nwgpu_checkpoint {
    uint32_t struct_size;
    /* Not 0: goes on where an earlier run of the same problem was stopped or
     * killed, on whatever engine, with the same result; begins anew where the
     * folder holds nothing. */
    int32_t  resume;
    const char *folder;          /* is made if it is not there                 */
    double   seconds;            /* 0: 60                                      */
} nwgpu_checkpoint;
#define NWGPU_CHECKPOINT_INIT { sizeof(nwgpu_checkpoint), 0, NULL, 0 }

/* Several alignments per pair, best first; each is the best that aligns no two
 * letters that an earlier one aligns with each other (docs/exactness.md).
 * Fewer where no positive score is left. */
typedef struct nwgpu_top {
    uint32_t struct_size;
    uint64_t alignments;         /* per pair, 1 .. 2^32 - 1                    */
} nwgpu_top;
#define NWGPU_TOP_INIT { sizeof(nwgpu_top), 1 }

/* Of all pairs of a query, entries for those with the best scores alone, best
 * first, and of equal scores in the order of the pairs' numbers; then the next
 * query's.  A pair whose score is below min_score has no entry; one that failed
 * has one, behind the best of its query, as nobody knows its score.  Scores are
 * computed first, and what options.output asks for then for the chosen pairs
 * alone: neither a list of all pairs, but for the caller's, nor a result for each
 * of them is ever in memory. */
typedef struct nwgpu_best {
    uint32_t struct_size;
    int32_t  all_equal;          /* not 0: and all others with the score of the last one */
    uint64_t targets;            /* per query, >= 1                            */
} nwgpu_best;
#define NWGPU_BEST_INIT { sizeof(nwgpu_best), 0, 1 }

/* How the caller watches and ends a call. */
typedef struct nwgpu_control {
    uint32_t struct_size;
    /* Called at least every 100 ms of work, or NULL; units are matrix cells.  A
     * return value != 0 ends the call with CANCELLED within 100 ms.  total may be
     * another number while done is 0; it is never 0 then. */
    int32_t (*progress)(void *user, uint64_t done, uint64_t total);
    void    *progress_user;
    double   deadline_seconds;   /* > 0: after so many the call ends with DEADLINE */
} nwgpu_control;
#define NWGPU_CONTROL_INIT { sizeof(nwgpu_control), NULL, NULL, 0 }

typedef struct nwgpu_align_options {
    uint32_t struct_size;
    int32_t  mode;               /* nwgpu_mode                                 */
    int32_t  free_ends;          /* nwgpu_free_end; 0 without MODE_FREE_ENDS   */
    int32_t  output;             /* nwgpu_output                               */
    int32_t  cigar_style;        /* nwgpu_cigar_style                          */
    int32_t  ties;               /* nwgpu_ties                                 */
    int32_t  pairing;            /* nwgpu_pairing                              */
    /* Not 0: every cell of the matrix is computed, where the engine else leaves
     * out those that provably matter for no optimum.  The answer is the same. */
    int32_t  every_cell;
    /* NULL: none.  Bands and ties other than FIRST are computed on the CPU, with
     * CUDA too, unless the ties make no difference (output SCORE). */
    const nwgpu_band *band;
    /* NULL: one alignment per pair.  Only with MODE_LOCAL and TIES_FIRST and
     * without a band.  With CUDA the device sweeps the matrix, and the CPU's
     * threads find the alignments. */
    const nwgpu_top *top;
    /* NULL: none.  Only for one pair per call, with TIES_FIRST and without band
     * and top.  Errors: CHECKPOINT for a folder that cannot be written or is in
     * use, holds a checkpoint already (without resume), or a damaged one, or one
     * of another problem. */
    const nwgpu_checkpoint *checkpoint;
    const nwgpu_control *control; /* NULL: unwatched, without a deadline       */
    /* NULL: none.  A pair whose best score is lower gets the status
     * BELOW_MIN_SCORE, and no score, positions and CIGAR; with options.top,
     * lower alignments are left out.  A global pair that cannot reach it is
     * given up early: with match 0, mismatch 1, gap_open 0 and gap_extend 1, -k
     * asks for an edit distance of k at most, which takes O(k n) time. */
    const int64_t *min_score;
    /* NULL: entries for all pairs.  Not with top and checkpoint.              */
    const nwgpu_best *best;
} nwgpu_align_options;
#define NWGPU_ALIGN_OPTIONS_INIT \
    { sizeof(nwgpu_align_options), NWGPU_MODE_GLOBAL, 0, NWGPU_OUTPUT_SCORE, NWGPU_CIGAR_EQX, \
      NWGPU_TIES_FIRST, NWGPU_PAIRING_ZIP, 0, NULL, NULL, NULL, NULL, NULL, NULL }

/* What a call would take.  See nwgpu_align_estimate. */
typedef struct nwgpu_estimate {
    uint32_t struct_size;
    uint64_t pairs;
    uint64_t cells;              /* sum of query length x target length        */
    uint64_t host_bytes;
    uint64_t device_bytes;
    double   seconds;
    char     plan[512];          /* one line per group of pairs, for people    */
} nwgpu_estimate;
#define NWGPU_ESTIMATE_INIT { sizeof(nwgpu_estimate), 0, 0, 0, 0, 0, { 0 } }

typedef struct nwgpu_device_info {
    uint32_t struct_size;
    int32_t  backend;            /* nwgpu_backend: CPU or CUDA                 */
    uint64_t memory_bytes;       /* of the GPU, or of the machine              */
    char     summary[240];       /* one line: name, memory, capability; for the
                                    CPU its instruction sets, the one in use first */
} nwgpu_device_info;
#define NWGPU_DEVICE_INFO_INIT { sizeof(nwgpu_device_info), 0, 0, { 0 } }

typedef struct nwgpu_matrix_info {
    uint32_t struct_size;
    uint32_t alphabet_size;      /* letters                                    */
    const char *name;            /* static, never NULL                         */
} nwgpu_matrix_info;
#define NWGPU_MATRIX_INFO_INIT { sizeof(nwgpu_matrix_info), 0, NULL }

/* The initializers as functions.  size: sizeof the caller's struct. */
NWGPU_API void nwgpu_error_init(nwgpu_error *error, uint64_t size);
NWGPU_API void nwgpu_context_options_init(nwgpu_context_options *options, uint64_t size);
NWGPU_API void nwgpu_communicator_init(nwgpu_communicator *communicator, uint64_t size);
NWGPU_API void nwgpu_scoring_init(nwgpu_scoring *scoring, uint64_t size);
NWGPU_API void nwgpu_band_init(nwgpu_band *band, uint64_t size);
NWGPU_API void nwgpu_checkpoint_init(nwgpu_checkpoint *checkpoint, uint64_t size);
NWGPU_API void nwgpu_top_init(nwgpu_top *top, uint64_t size);
NWGPU_API void nwgpu_best_init(nwgpu_best *best, uint64_t size);
NWGPU_API void nwgpu_control_init(nwgpu_control *control, uint64_t size);
NWGPU_API void nwgpu_align_options_init(nwgpu_align_options *options, uint64_t size);
NWGPU_API void nwgpu_estimate_init(nwgpu_estimate *estimate, uint64_t size);
NWGPU_API void nwgpu_device_info_init(nwgpu_device_info *info, uint64_t size);
NWGPU_API void nwgpu_matrix_info_init(nwgpu_matrix_info *info, uint64_t size);

/* ---- 5 Context and devices ---------------------------------------------- */

typedef struct nwgpu_context   nwgpu_context;   /* backend, threads, workspace */
typedef struct nwgpu_matrix    nwgpu_matrix;    /* a named or parsed matrix    */
typedef struct nwgpu_sequences nwgpu_sequences; /* reusable input              */
typedef struct nwgpu_result    nwgpu_result;    /* scores, ends, CIGARs        */

/* Errors: INVALID_ARGUMENT; NO_DEVICE or UNSUPPORTED when CUDA is asked for by
 * name and cannot be had (AUTO falls back to the CPU and says so in the log).
 * With a communicator it waits for the other ranks, and what is an error on one
 * of them is COMMUNICATION on the others, with rank, host and reason. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_context_create(const nwgpu_context_options *options, /* NULL: defaults   */
                     nwgpu_context **context, nwgpu_error *error);
/* No call may be running on it.  That of rank 0 ends nwgpu_context_serve of the
 * other ranks. */
NWGPU_API void        nwgpu_context_destroy(nwgpu_context *context);
/* What every rank but 0 calls: computes what rank 0 hands out, until the context
 * of rank 0 is destroyed.  Errors: INVALID_ARGUMENT on rank 0 and without a
 * communicator; BUSY; COMMUNICATION; CANCELLED by nwgpu_context_cancel, after
 * which the other ranks go on without this one.  (A call that fails on a rank
 * fails on rank 0, and the rank serves on.) */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_context_serve(nwgpu_context *context, nwgpu_error *error);
/* "cpu:avx3", "cuda:sm_90", or "cuda:sm_90+cpu:avx3" where AUTO chooses between
 * them, pair by pair; "2xcuda:sm_90" of several GPUs, "4 ranks, cpu:avx3" of
 * several ranks. */
NWGPU_API const char *nwgpu_context_backend_name(const nwgpu_context *context);
NWGPU_API int32_t     nwgpu_context_threads(const nwgpu_context *context);
/* Gives cached workspace back to the system, letters that are kept on a device
 * included (section 7); results stay valid.  Errors: BUSY.
 * On the CPU a context without max_host_bytes keeps up to 1 MiB per thread. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_context_trim(nwgpu_context *context, nwgpu_error *error);
/* Ends the call that runs on the context at this moment with CANCELLED, within
 * 100 ms; does nothing where none runs, so a caller that may be too early repeats
 * it until the call has returned.  Any thread, any time before nwgpu_context_destroy;
 * async-signal-safe. */
NWGPU_API void        nwgpu_context_cancel(nwgpu_context *context);

/* Devices of a backend: the CPU counts as one; AUTO stands for CUDA where there
 * is a GPU, else for the CPU.  0 for CUDA where no GPU can be used:
 * nwgpu_device_describe of number 0 then says why.  Matrices (and published
 * algorithms) are counted and described in the same way. */
NWGPU_API uint64_t nwgpu_device_count(int32_t backend);
/* Errors: NO_DEVICE past the last; INVALID_ARGUMENT. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_device_describe(int32_t backend, uint64_t index, nwgpu_device_info *info,
                      nwgpu_error *error);

/* ---- 6 Scoring matrices ------------------------------------------------- */

/* The built-in matrices: BLOSUM45 BLOSUM50 BLOSUM62 BLOSUM80 BLOSUM90 PAM30
 * PAM70 PAM120 PAM250 NUC.4.4 EDNAFULL. */
NWGPU_API uint64_t nwgpu_matrix_count(void);
/* Errors: NOT_FOUND past the last. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_matrix_describe(uint64_t index, nwgpu_matrix_info *info, nwgpu_error *error);
/* A built-in one; case does not matter.  Errors: NOT_FOUND. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_matrix_create(const char *name, nwgpu_matrix **matrix, nwgpu_error *error);
/* A matrix in NCBI text format: '#' comments, a header row of letters, then
 * one row per query letter (in any order; every letter of the header needs
 * one).  Lower case letters mean the same as upper case ones.  In a matrix
 * with X every ASCII letter that is missing is read as X; in one without X
 * U is read as T and other missing letters are invalid.
 * Errors: INVALID_MATRIX with the line number in the message. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_matrix_parse(const char *text, uint64_t length, nwgpu_matrix **matrix,
                   nwgpu_error *error);
NWGPU_API void nwgpu_matrix_destroy(nwgpu_matrix *matrix);
NWGPU_API uint32_t       nwgpu_matrix_alphabet_size(const nwgpu_matrix *matrix);
NWGPU_API const int32_t *nwgpu_matrix_scores(const nwgpu_matrix *matrix);  /* [size][size] */
/* [256]; for NULL, codes that make every letter invalid. */
NWGPU_API const uint8_t *nwgpu_matrix_letter_codes(const nwgpu_matrix *matrix);
NWGPU_API const char    *nwgpu_matrix_letters(const nwgpu_matrix *matrix); /* [size], NUL */
/* Letter codes for match/mismatch scoring: "dna" = ACGT and the IUPAC codes,
 * U = T, case folded; "protein" = A-Z and '*', case folded.  256 entries,
 * static; NULL for another name. */
NWGPU_API const uint8_t *nwgpu_alphabet_letter_codes(const char *name);

/* ---- 7 Sequences and buffers -------------------------------------------- */

/* count sequences laid end to end: sequence i is bytes[offsets[i]] to
 * bytes[offsets[i + 1] - 1]; offsets has count + 1 entries, which never go down
 * and need not begin at 0.  bytes may be NULL where there are no letters,
 * offsets where count is 0.
 * The bytes are copied before the call returns, so they may be freed at once and
 * the handle used in many calls, of several threads and contexts, too.  The
 * handle keeps the codes of the letters (as many bytes again) of its last call
 * for the next one.  A context with a GPU keeps the letters of handles, views
 * included, on the device after a call for many pairs, so that later calls with
 * them copy nothing: up to a quarter of its device memory, those used last, until
 * other work of the context needs the memory, nwgpu_context_trim, or its next call
 * after the handle was destroyed.  Errors: TOO_LARGE, OUT_OF_HOST_MEMORY. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_sequences_create(nwgpu_context *context, const uint8_t *bytes,
                       const uint64_t *offsets, uint64_t count,
                       nwgpu_sequences **sequences, nwgpu_error *error);
/* The same without a copy of the bytes: they must stay as they are until the
 * handle is destroyed (offsets are copied).  For memory of Arrow or numpy, and
 * of nwgpu_host_alloc, which a GPU reads at full speed. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_sequences_create_view(nwgpu_context *context, const uint8_t *bytes,
                            const uint64_t *offsets, uint64_t count,
                            nwgpu_sequences **sequences, nwgpu_error *error);
NWGPU_API uint64_t nwgpu_sequences_count(const nwgpu_sequences *sequences);
NWGPU_API void     nwgpu_sequences_destroy(nwgpu_sequences *sequences);

/* Host memory, aligned to 64 bytes: page-locked where the context has a GPU, so
 * that copies to and from it run at full speed; ordinary memory otherwise.
 * Errors: TOO_LARGE, OUT_OF_HOST_MEMORY, DEVICE. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_host_alloc(nwgpu_context *context, uint64_t bytes, void **memory, nwgpu_error *error);
/* Also after the context of nwgpu_host_alloc was destroyed. */
NWGPU_API void nwgpu_host_free(void *memory);

/* ---- 8 Align and traceback ---------------------------------------------- */

typedef struct nwgpu_pair { uint64_t query, target; } nwgpu_pair; /* indices */

/* What nwgpu_align would take with these arguments.  host_bytes and device_bytes
 * are upper bounds that the call keeps to (inputs and results included; with
 * options.top the first alignment of each pair only, and with options.best
 * without the pairs that all_equal adds), unless what is free on the device
 * shrinks meanwhile: then host memory may take its place, as far as
 * max_host_bytes allows.  seconds is a prediction for this machine; it takes
 * some milliseconds, as parts of such work are computed to measure it. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_align_estimate(nwgpu_context *context, const nwgpu_sequences *queries,
                     const nwgpu_sequences *targets, const nwgpu_pair *pairs,
                     uint64_t pair_count, const nwgpu_scoring *scoring,
                     const nwgpu_align_options *options,
                     nwgpu_estimate *estimate, nwgpu_error *error);

/* Aligns queries with targets as options.pairing says (options NULL: zip, global,
 * score only).  pairs and pair_count belong to PAIRING_LIST; NULL and 0 without.
 *
 * A pair that cannot be aligned (a letter outside the alphabet, more memory
 * than the limit allows) gets its own status in the result and harms no other:
 * the call itself still returns NWGPU_OK.  Empty sequences are legal, and so are
 * no pairs at all.  Memory: O(query + target) per thread, see docs/exactness.md.
 * Blocks until done.
 * Errors: INVALID_ARGUMENT, UNSUPPORTED, TOO_LARGE, BUSY, MEMORY_LIMIT or
 * OUT_OF_HOST_MEMORY where the call as a whole does not fit, CANCELLED, DEADLINE,
 * CALLBACK, CHECKPOINT, DEVICE, DEVICE_LOST. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_align(nwgpu_context *context, const nwgpu_sequences *queries,
            const nwgpu_sequences *targets, const nwgpu_pair *pairs,
            uint64_t pair_count, const nwgpu_scoring *scoring,
            const nwgpu_align_options *options,
            nwgpu_result **result, nwgpu_error *error);

/* A new result, of output level CIGAR, for some entries of an earlier one:
 * chosen[k] is the entry that entry k of the new result stands for, and
 * nwgpu_result_pairs gives its pair in the earlier call.  chosen NULL and count 0
 * means all, and must be so where options.top was above 1.  The earlier result
 * stays as it is.  Scoring and options are those of the earlier call (without its
 * checkpoint and control); queries and targets must hold the same letters.
 * control: NULL, or how this call is watched and ended.  Errors: as nwgpu_align;
 * INVALID_ARGUMENT for other sequences (a fingerprint of their letters and
 * lengths tells) and for an entry that does not exist. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_traceback(nwgpu_context *context, const nwgpu_sequences *queries,
                const nwgpu_sequences *targets, const nwgpu_result *result,
                const uint64_t *chosen, uint64_t count,
                const nwgpu_control *control, nwgpu_result **traced,
                nwgpu_error *error);

/* ---- 9 Results ---------------------------------------------------------- */

/* One entry per pair, in order.  With options.top above 1 one entry per
 * alignment: those of a pair are neighbours, best first, and a pair that failed
 * or has none (score 0) has one entry.  With options.best one entry per pair that
 * it asks for, and per pair that failed, in its order. */
NWGPU_API uint64_t        nwgpu_result_count(const nwgpu_result *result);
/* [count]: the pair that each entry belongs to. */
NWGPU_API const uint64_t *nwgpu_result_pairs(const nwgpu_result *result);
NWGPU_API uint64_t        nwgpu_result_failed(const nwgpu_result *result); /* entries != OK */
NWGPU_API const nwgpu_status *nwgpu_result_statuses(const nwgpu_result *result); /* [count] */
/* Fills in *error: why the pair of entry `entry` failed; status NWGPU_OK where it
 * did not; NOT_FOUND for an entry that does not exist. */
NWGPU_API void            nwgpu_result_pair_error(const nwgpu_result *result,
                                                  uint64_t entry, nwgpu_error *error);
/* [count]; 0 for failed pairs. */
NWGPU_API const int64_t  *nwgpu_result_scores(const nwgpu_result *result);
/* [count][4]: query begin, query end, target begin, target end.  Positions
 * below the asked output level are UINT64_MAX; NULL with OUTPUT_SCORE, and for a
 * NULL result. */
NWGPU_API const uint64_t *nwgpu_result_spans(const nwgpu_result *result);
/* All CIGARs in one array: entry i owns runs[offsets[i]] .. runs[offsets[i+1]-1].
 * Errors: NO_TRACE when no CIGARs were asked for. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_result_cigars(const nwgpu_result *result, const uint32_t **runs,
                    const uint64_t **offsets, nwgpu_error *error);
/* On any thread, also after the result's context.  A context with a GPU and without
 * max_host_bytes keeps the memory of large results for later calls, until
 * nwgpu_context_trim: up to 1 GiB, and up to 1 GiB that is page-locked of CIGARs. */
NWGPU_API void nwgpu_result_destroy(nwgpu_result *result);

/* ---- 10 Helpers --------------------------------------------------------- */

/* snprintf rule: returns the length needed without the NUL; writes at most
 * size bytes, NUL included; text may be NULL if size is 0.  "*" for no runs. */
NWGPU_API uint64_t nwgpu_cigar_to_text(const uint32_t *runs, uint64_t run_count,
                                       char *text, uint64_t size);
/* Re-scores a CIGAR from nothing but the two sequences (the aligned parts: from
 * begin to end): what tests, bindings and distrustful users call to check an
 * answer.  Errors: INVALID_ARGUMENT when the CIGAR does not fit the lengths or
 * an = or X run does not hold, INVALID_SEQUENCE. */
NWGPU_API NWGPU_MUST_CHECK nwgpu_status
nwgpu_cigar_score(const uint8_t *query, uint64_t query_length,
                  const uint8_t *target, uint64_t target_length,
                  const nwgpu_scoring *scoring, const uint32_t *runs,
                  uint64_t run_count, int64_t *score, nwgpu_error *error);

#ifdef __cplusplus
}
#endif
#endif /* NWGPU_NWGPU_H */
