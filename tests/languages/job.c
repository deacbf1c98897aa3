/* SPDX-License-Identifier: BSD-3-Clause
 * The job of this folder (README.md) in C99: no cast, no warning. */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <nwgpu/nwgpu.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static nwgpu_error error = NWGPU_ERROR_INIT;

static void check(nwgpu_status status)
{
    if (status == NWGPU_OK)
        return;
    printf("failed: %s: %s\n", nwgpu_status_name(status), error.message);
    exit(1);
}

static void refused(const char *what, nwgpu_status status)
{
    printf("%s: %s: %s\n", what, nwgpu_status_name(status), error.message);
}

static void print_entry(const nwgpu_result *result, uint64_t entry, const char *cigar)
{
    nwgpu_result_pair_error(result, entry, &error);
    printf("pair %" PRIu64 ": ", nwgpu_result_pairs(result)[entry]);
    if (error.status == NWGPU_OK)
        printf("%" PRId64 " %s\n", nwgpu_result_scores(result)[entry], cigar);
    else
        printf("%s: %s\n", nwgpu_status_name(error.status), error.message);
}

static void print_cigars(const nwgpu_result *result)
{
    const uint32_t *runs = NULL;
    const uint64_t *offsets = NULL;
    uint64_t entry;
    check(nwgpu_result_cigars(result, &runs, &offsets, &error));
    for (entry = 0; entry < nwgpu_result_count(result); ++entry) {
        char cigar[64];
        nwgpu_cigar_to_text(runs + offsets[entry], offsets[entry + 1] - offsets[entry], cigar, sizeof cigar);
        print_entry(result, entry, cigar);
    }
}

/* Scores of a batch first, then the alignments of some of its pairs. */
static void batch(nwgpu_context *context, const nwgpu_scoring *scoring)
{
    const uint8_t query_letters[] = "GATTACAGAT-ACAACGTACGT", target_letters[] = "GATACAGATACAACACGT";
    const uint64_t query_offsets[] = {0, 7, 14, 14, 22}, target_offsets[] = {0, 6, 12, 14, 18};
    const uint64_t chosen[] = {3, 1, 0};
    nwgpu_sequences *queries = NULL, *targets = NULL;
    nwgpu_result *result = NULL, *traced = NULL;
    const int64_t *scores;
    const uint32_t *runs = NULL;
    const uint64_t *offsets = NULL;
    uint64_t entry;

    check(nwgpu_sequences_create(context, query_letters, query_offsets, 4, &queries, &error));
    check(nwgpu_sequences_create(context, target_letters, target_offsets, 4, &targets, &error));
    check(nwgpu_align(context, queries, targets, NULL, 0, scoring, NULL, &result, &error));
    scores = nwgpu_result_scores(result);
    printf("%" PRIu64 " pairs, %" PRIu64 " failed\n", nwgpu_result_count(result), nwgpu_result_failed(result));
    for (entry = 0; entry < nwgpu_result_count(result); ++entry)
        print_entry(result, entry, "-");
    refused("no CIGARs", nwgpu_result_cigars(result, &runs, &offsets, &error));

    check(nwgpu_traceback(context, queries, targets, result, chosen, 3, NULL, &traced, &error));
    print_cigars(traced);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    nwgpu_result_destroy(traced);
    printf("the first scores: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", scores[0], scores[1], scores[2],
           scores[3]);
    nwgpu_result_destroy(result);
}

/* Several local alignments, with an option struct inside the options. */
static void top(nwgpu_context *context)
{
    const uint8_t query_letters[] = "WLKAWL", target_letters[] = "AWLKWL";
    const uint64_t query_offsets[] = {0, 6}, target_offsets[] = {0, 6};
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    nwgpu_top best = NWGPU_TOP_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    nwgpu_matrix *matrix = NULL;
    nwgpu_sequences *queries = NULL, *targets = NULL;
    nwgpu_result *result = NULL;

    refused("no matrix", nwgpu_matrix_create("BLOSUM63", &matrix, &error));
    check(nwgpu_matrix_create("blosum62", &matrix, &error));
    scoring.gap_open = 11;
    scoring.gap_extend = 1;
    scoring.alphabet_size = nwgpu_matrix_alphabet_size(matrix);
    scoring.matrix = nwgpu_matrix_scores(matrix);
    scoring.letter_codes = nwgpu_matrix_letter_codes(matrix);
    best.alignments = 2;
    options.mode = NWGPU_MODE_LOCAL;
    options.output = NWGPU_OUTPUT_CIGAR;
    options.top = &best;
    check(nwgpu_sequences_create(context, query_letters, query_offsets, 1, &queries, &error));
    check(nwgpu_sequences_create(context, target_letters, target_offsets, 1, &targets, &error));
    check(nwgpu_align(context, queries, targets, NULL, 0, &scoring, &options, &result, &error));
    print_cigars(result);
    nwgpu_result_destroy(result);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    nwgpu_matrix_destroy(matrix);
}

struct call {
    nwgpu_context *context;
    pthread_mutex_t lock;
    int ended;
};

static int has_ended(struct call *call)
{
    int ended;
    pthread_mutex_lock(&call->lock);
    ended = call->ended;
    pthread_mutex_unlock(&call->lock);
    return ended;
}

/* The call may not have begun: asks again until it has ended. */
static void *cancel(void *call)
{
    const struct timespec pause = {0, 1000000};
    struct call *running = call;
    while (!has_ended(running)) {
        nwgpu_context_cancel(running->context);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

/* A call of minutes, ended by another thread. */
static void cancelled(nwgpu_context *context, const nwgpu_scoring *scoring)
{
    static uint8_t letters[1000000]; /* zeros are letters, too, without letter_codes */
    const uint64_t offsets[] = {0, sizeof letters};
    nwgpu_scoring bytes = *scoring;
    nwgpu_control control = NWGPU_CONTROL_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    nwgpu_sequences *sequences = NULL;
    nwgpu_result *result = NULL;
    struct call call = {context, PTHREAD_MUTEX_INITIALIZER, 0};
    pthread_t thread;

    bytes.letter_codes = NULL;
    control.deadline_seconds = 60; /* should cancelling fail */
    options.every_cell = 1;
    options.control = &control;
    check(nwgpu_sequences_create_view(context, letters, offsets, 1, &sequences, &error));
    if (pthread_create(&thread, NULL, cancel, &call) != 0)
        exit(1);
    refused("cancelled", nwgpu_align(context, sequences, sequences, NULL, 0, &bytes, &options, &result, &error));
    pthread_mutex_lock(&call.lock);
    call.ended = 1;
    pthread_mutex_unlock(&call.lock);
    pthread_join(thread, NULL);
    nwgpu_sequences_destroy(sequences);
}

int main(void)
{
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    nwgpu_scoring dna = NWGPU_SCORING_INIT;
    nwgpu_context *context = NULL;

    printf("ABI %" PRIu32 "\n", nwgpu_abi_version());
    options.backend = NWGPU_BACKEND_CPU;
    options.cpu_threads = 2;
    dna.match = 2;
    dna.mismatch = 4;
    dna.gap_open = 4;
    dna.gap_extend = 2;
    dna.letter_codes = nwgpu_alphabet_letter_codes("dna");
    check(nwgpu_context_create(&options, &context, &error));
    batch(context, &dna);
    top(context);
    cancelled(context, &dna);
    nwgpu_context_destroy(context);
    return 0;
}
