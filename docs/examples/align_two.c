/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Aligns two sequences from end to end and prints score and CIGAR.
 *
 *     cc align_two.c $(pkg-config --cflags --libs nwgpu) -o align_two
 */
#include <nwgpu/nwgpu.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *query = "ACGTTGCA";
    const char *target = "ACGTGCCA";
    const uint64_t query_offsets[] = {0, strlen(query)};
    const uint64_t target_offsets[] = {0, strlen(target)};
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_context *context = NULL;
    nwgpu_sequences *queries = NULL, *targets = NULL;
    nwgpu_result *result = NULL;
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    const uint32_t *runs = NULL;
    const uint64_t *offsets = NULL;
    char cigar[64];
    int failed = 1;

    scoring.match = 2;
    scoring.mismatch = 4;
    scoring.gap_open = 1; /* a gap of k letters costs 1 + 2 k */
    scoring.gap_extend = 2;
    options.output = NWGPU_OUTPUT_CIGAR;

    if (nwgpu_context_create(NULL, &context, &error) != NWGPU_OK ||
        nwgpu_sequences_create(context, (const uint8_t *)query, query_offsets, 1, &queries, &error) != NWGPU_OK ||
        nwgpu_sequences_create(context, (const uint8_t *)target, target_offsets, 1, &targets, &error) != NWGPU_OK ||
        nwgpu_align(context, queries, targets, NULL, 0, &scoring, &options, &result, &error) != NWGPU_OK ||
        nwgpu_result_cigars(result, &runs, &offsets, &error) != NWGPU_OK) {
        fprintf(stderr, "%s: %s\n", nwgpu_status_name(error.status), error.message);
    } else {
        nwgpu_cigar_to_text(runs, offsets[1], cigar, sizeof cigar);
        printf("score %lld, CIGAR %s\n", (long long)nwgpu_result_scores(result)[0], cigar);
        failed = 0;
    }
    nwgpu_result_destroy(result);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    nwgpu_context_destroy(context);
    return failed;
}

/* Prints:
 * score 8, CIGAR 3=1I2=1D2=
 */
