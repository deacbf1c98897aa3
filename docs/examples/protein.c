/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares one protein with several: BLOSUM62, local scores first, then the
 * alignment of the best one only, in a result of its own.
 *
 *     cc protein.c $(pkg-config --cflags --libs nwgpu) -o protein
 */
#include <nwgpu/nwgpu.h>
#include <stdio.h>
#include <string.h>

static const char query[] = "MEANLYPRTEINSTRING";
static const char targets_text[] = "PLEASANTLYEINSTEIN" /* */ "KKKKWWWW" /* */ "MEANLYPROTEIN";
static const uint64_t target_offsets[] = {0, 18, 26, 39};

static uint64_t best_of(const nwgpu_result *result)
{
    const int64_t *scores = nwgpu_result_scores(result);
    uint64_t pair, best = 0;
    for (pair = 0; pair < nwgpu_result_count(result); ++pair) {
        printf("target %llu: %lld\n", (unsigned long long)pair, (long long)scores[pair]);
        if (scores[pair] > scores[best])
            best = pair;
    }
    return best;
}

int main(void)
{
    const uint64_t query_offsets[] = {0, sizeof query - 1};
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_context *context = NULL;
    nwgpu_matrix *matrix = NULL;
    nwgpu_sequences *queries = NULL, *targets = NULL;
    nwgpu_result *result = NULL, *traced = NULL;
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    const uint32_t *runs = NULL;
    const uint64_t *offsets = NULL;
    uint64_t best = 0;
    char cigar[64];
    int failed = 1;

    scoring.gap_open = 10;
    scoring.gap_extend = 1;
    options.pairing = NWGPU_PAIRING_ALL; /* the one query with each target */
    options.mode = NWGPU_MODE_LOCAL;
    options.output = NWGPU_OUTPUT_SCORE;

    if (nwgpu_context_create(NULL, &context, &error) != NWGPU_OK ||
        nwgpu_matrix_create("BLOSUM62", &matrix, &error) != NWGPU_OK)
        goto done;
    scoring.alphabet_size = nwgpu_matrix_alphabet_size(matrix);
    scoring.matrix = nwgpu_matrix_scores(matrix);
    scoring.letter_codes = nwgpu_matrix_letter_codes(matrix);

    if (nwgpu_sequences_create(context, (const uint8_t *)query, query_offsets, 1, &queries, &error) != NWGPU_OK ||
        nwgpu_sequences_create(context, (const uint8_t *)targets_text, target_offsets, 3, &targets, &error) !=
            NWGPU_OK ||
        nwgpu_align(context, queries, targets, NULL, 0, &scoring, &options, &result, &error) != NWGPU_OK)
        goto done;
    best = best_of(result);
    if (nwgpu_traceback(context, queries, targets, result, &best, 1, NULL, &traced, &error) != NWGPU_OK ||
        nwgpu_result_cigars(traced, &runs, &offsets, &error) != NWGPU_OK)
        goto done;
    nwgpu_cigar_to_text(runs, offsets[1], cigar, sizeof cigar); /* the new result has one entry */
    printf("best: target %llu, %s\n", (unsigned long long)best, cigar);
    failed = 0;

done:
    if (failed)
        fprintf(stderr, "%s: %s\n", nwgpu_status_name(error.status), error.message);
    nwgpu_result_destroy(traced);
    nwgpu_result_destroy(result);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    nwgpu_matrix_destroy(matrix);
    nwgpu_context_destroy(context);
    return failed;
}

/* Prints:
 * target 0: 38
 * target 1: 2
 * target 2: 52
 * best: target 2, 8=1D4=
 */
