/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places reads in a reference: one call for all of them, free ends on the
 * reference, a CIGAR for each.  A read with a letter that is no nucleotide
 * fails alone and says why.
 *
 *     cc batch.c $(pkg-config --cflags --libs nwgpu) -o batch
 */
#include <nwgpu/nwgpu.h>
#include <stdio.h>
#include <string.h>

static const char reference[] = "TTTACGTACCCGGATTACAGGTTT";
static const char reads[] = "ACGTAC" /* */ "ACG?" /* */ "GATACA" /* */ "";
static const uint64_t read_offsets[] = {0, 6, 10, 16, 16};

static void print_pair(const nwgpu_result *result, uint64_t pair, const uint32_t *runs, const uint64_t *offsets)
{
    const uint64_t *span = nwgpu_result_spans(result) + 4 * pair;
    nwgpu_error error = NWGPU_ERROR_INIT;
    char cigar[64];

    nwgpu_result_pair_error(result, pair, &error);
    if (error.status != NWGPU_OK) {
        printf("read %llu: %s\n", (unsigned long long)pair, error.message);
        return;
    }
    nwgpu_cigar_to_text(runs + offsets[pair], offsets[pair + 1] - offsets[pair], cigar, sizeof cigar);
    printf("read %llu: at %llu-%llu, score %lld, %s\n", (unsigned long long)pair, (unsigned long long)span[2],
           (unsigned long long)span[3], (long long)nwgpu_result_scores(result)[pair], cigar);
}

int main(void)
{
    const uint64_t reference_offsets[] = {0, sizeof reference - 1};
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_context *context = NULL;
    nwgpu_sequences *queries = NULL, *targets = NULL;
    nwgpu_result *result = NULL;
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    const uint32_t *runs = NULL;
    const uint64_t *offsets = NULL;
    uint64_t pair, count = 0;

    scoring.match = 1;
    scoring.mismatch = 4;
    scoring.gap_open = 0;
    scoring.gap_extend = 2;
    scoring.letter_codes = nwgpu_alphabet_letter_codes("dna");
    options.pairing = NWGPU_PAIRING_ALL; /* each read with the one reference */
    options.mode = NWGPU_MODE_FREE_ENDS;
    options.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    options.output = NWGPU_OUTPUT_CIGAR;

    if (nwgpu_context_create(NULL, &context, &error) != NWGPU_OK ||
        nwgpu_sequences_create(context, (const uint8_t *)reads, read_offsets, 4, &queries, &error) != NWGPU_OK ||
        nwgpu_sequences_create(context, (const uint8_t *)reference, reference_offsets, 1, &targets, &error) !=
            NWGPU_OK ||
        nwgpu_align(context, queries, targets, NULL, 0, &scoring, &options, &result, &error) != NWGPU_OK ||
        nwgpu_result_cigars(result, &runs, &offsets, &error) != NWGPU_OK) {
        fprintf(stderr, "%s: %s\n", nwgpu_status_name(error.status), error.message);
    } else {
        count = nwgpu_result_count(result);
        for (pair = 0; pair < count; ++pair)
            print_pair(result, pair, runs, offsets);
    }
    nwgpu_result_destroy(result);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    nwgpu_context_destroy(context);
    return count == 0;
}

/* Prints:
 * read 0: at 3-9, score 6, 6=
 * read 1: query: letter '?' at position 3 is not in the alphabet
 * read 2: at 12-19, score 4, 2=1D4=
 * read 3: at 0-0, score 0, *
 */
