/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares one protein with several: BLOSUM62, local scores first, then the
 * alignment of the best one only.
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
    nwgpu_result *result = NULL;
    nwgpu_scoring scoring = {0};
    nwgpu_align_options options = {0};
    const uint32_t *runs = NULL;
    const uint64_t *offsets = NULL;
    uint64_t best = 0;
    char cigar[64];
    int failed = 1;

    scoring.struct_size = sizeof scoring;
    scoring.gap_open = 10;
    scoring.gap_extend = 1;
    options.struct_size = sizeof options;
    options.span = NWGPU_SPAN_LOCAL;
    options.output = NWGPU_OUTPUT_SCORE;

    if (nwgpu_context_create(NULL, &context, &error) != NWGPU_OK ||
        nwgpu_matrix_named("BLOSUM62", &matrix, &error) != NWGPU_OK)
        goto done;
    scoring.alphabet_size = nwgpu_matrix_size(matrix);
    scoring.matrix = nwgpu_matrix_scores(matrix);
    scoring.letter_codes = nwgpu_matrix_codes(matrix);

    if (nwgpu_sequences_create(context, (const uint8_t *)query, query_offsets, 1, &queries, &error) != NWGPU_OK ||
        nwgpu_sequences_create(context, (const uint8_t *)targets_text, target_offsets, 3, &targets, &error) !=
            NWGPU_OK ||
        nwgpu_align(context, queries, targets, NULL, 0, &scoring, &options, &result, &error) != NWGPU_OK)
        goto done;
    best = best_of(result);
    if (nwgpu_traceback(context, queries, targets, result, &best, 1, &error) != NWGPU_OK ||
        nwgpu_result_cigars(result, &runs, &offsets, &error) != NWGPU_OK)
        goto done;
    nwgpu_cigar_to_text(runs + offsets[best], (size_t)(offsets[best + 1] - offsets[best]), cigar, sizeof cigar);
    printf("best: target %llu, %s\n", (unsigned long long)best, cigar);
    failed = 0;

done:
    if (failed)
        fprintf(stderr, "%s: %s\n", nwgpu_status_name(error.status), error.message);
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
