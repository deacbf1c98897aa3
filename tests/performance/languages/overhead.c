/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C call that the other languages are measured against.  Protocol of all these programs: arguments are a file of
 * queries and one of targets, LENGTH letters each without anything between, and the number of threads.  For each line
 * "batch" on standard input the seconds from letters to CIGARs of all pairs are printed, for "small" those of one call
 * for a small pair, a mean over CALLS.
 */
#include <nwgpu/nwgpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LENGTH = 100, CALLS = 500 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint8_t *letters_of(const char *path, uint64_t *count)
{
    FILE *file = fopen(path, "rb");
    uint8_t *letters;
    long bytes;
    if (!file || fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0 || !(letters = malloc((size_t)bytes)))
        exit(1);
    rewind(file);
    if (fread(letters, 1, (size_t)bytes, file) != (size_t)bytes)
        exit(1);
    fclose(file);
    *count = (uint64_t)bytes / LENGTH;
    return letters;
}

/* From letters to CIGARs; returns the sum of the scores. */
static int64_t align(nwgpu_context *context, const uint8_t *query, const uint64_t *query_at, const uint8_t *target,
                     const uint64_t *target_at, uint64_t count)
{
    nwgpu_error error = NWGPU_ERROR_INIT;
    nwgpu_scoring dna = NWGPU_SCORING_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    nwgpu_sequences *queries = NULL, *targets = NULL;
    nwgpu_result *result = NULL;
    const uint32_t *runs;
    const uint64_t *offsets;
    const int64_t *scores;
    int64_t sum = 0;
    uint64_t i;
    dna.match = 2;
    dna.mismatch = 4;
    dna.gap_open = 4;
    dna.gap_extend = 2;
    dna.letter_codes = nwgpu_alphabet_letter_codes("dna");
    options.output = NWGPU_OUTPUT_CIGAR;
    if (nwgpu_sequences_create(context, query, query_at, count, &queries, &error) ||
        nwgpu_sequences_create(context, target, target_at, count, &targets, &error) ||
        nwgpu_align(context, queries, targets, NULL, 0, &dna, &options, &result, &error) ||
        nwgpu_result_cigars(result, &runs, &offsets, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    scores = nwgpu_result_scores(result);
    for (i = 0; i < count; ++i)
        sum += scores[i];
    nwgpu_result_destroy(result);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t count, i, *offsets;
    const uint64_t query_at[] = {0, 7}, target_at[] = {0, 6};
    uint8_t *queries, *targets;
    nwgpu_context *context = NULL;
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    char line[16];
    if (argc != 4)
        return 2;
    queries = letters_of(argv[1], &count);
    targets = letters_of(argv[2], &count);
    offsets = malloc((count + 1) * sizeof *offsets);
    for (i = 0; i <= count; ++i)
        offsets[i] = i * LENGTH;
    options.backend = NWGPU_BACKEND_CPU;
    options.cpu_threads = atoi(argv[3]);
    if (nwgpu_context_create(&options, &context, NULL))
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        double const begun = now();
        if (strcmp(line, "batch\n") == 0) {
            int64_t const sum = align(context, queries, offsets, targets, offsets, count);
            printf("%.9f %lld\n", now() - begun, (long long)sum);
        } else {
            int64_t sum = 0;
            for (i = 0; i < CALLS; ++i)
                sum += align(context, (const uint8_t *)"GATTACA", query_at, (const uint8_t *)"GATACA", target_at, 1);
            printf("%.9f %lld\n", (now() - begun) / CALLS, (long long)sum);
        }
        fflush(stdout);
    }
    nwgpu_context_destroy(context);
    free(offsets);
    free(targets);
    free(queries);
    return 0;
}
