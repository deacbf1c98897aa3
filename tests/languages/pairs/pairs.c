/* SPDX-License-Identifier: BSD-3-Clause
 * Aligns the pairs of a file that make.py wrote (../README.md), in C99. */
#include <inttypes.h>
#include <nwgpu/nwgpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest_line = 1 << 16, most_pairs = 1000 };

static nwgpu_error error = NWGPU_ERROR_INIT;

static void check(nwgpu_status status)
{
    if (status == NWGPU_OK)
        return;
    printf("failed: %s: %s\n", nwgpu_status_name(status), error.message);
    exit(1);
}

struct texts {
    uint8_t letters[1 << 20];
    uint64_t offsets[most_pairs + 1];
};

static void add(struct texts * texts, uint64_t index, char const * begin, char const * end)
{
    const uint64_t at = texts->offsets[index], length = (uint64_t) (end - begin);
    if (at + length > sizeof texts->letters)
        exit(1);
    memcpy(texts->letters + at, begin, length);
    texts->offsets[index + 1] = at + length;
}

static nwgpu_matrix * set_letters(nwgpu_scoring * scoring, char const * name)
{
    nwgpu_matrix * matrix = NULL;
    scoring->letter_codes = nwgpu_alphabet_letter_codes(name);
    if (scoring->letter_codes != NULL || strcmp(name, "bytes") == 0)
        return NULL;
    check(nwgpu_matrix_create(name, &matrix, &error));
    scoring->alphabet_size = nwgpu_matrix_alphabet_size(matrix);
    scoring->matrix = nwgpu_matrix_scores(matrix);
    scoring->letter_codes = nwgpu_matrix_letter_codes(matrix);
    return matrix;
}

static void print_entry(int section, nwgpu_result const * result, uint64_t entry)
{
    uint64_t const *spans = nwgpu_result_spans(result), *offsets = NULL;
    uint32_t const * runs = NULL;
    int place;
    printf("%d %" PRIu64, section, nwgpu_result_pairs(result)[entry]);
    nwgpu_result_pair_error(result, entry, &error);
    if (error.status != NWGPU_OK) {
        printf(" %s %s\n", nwgpu_status_name(error.status), error.message);
        return;
    }
    printf(" %" PRId64, nwgpu_result_scores(result)[entry]);
    for (place = 0; place < 4; ++place)
        if (spans == NULL || spans[4 * entry + (uint64_t) place] == UINT64_MAX)
            printf(" -");
        else
            printf(" %" PRIu64, spans[4 * entry + (uint64_t) place]);
    if (nwgpu_result_cigars(result, &runs, &offsets, &error) == NWGPU_OK) {
        static char cigar[longest_line];
        nwgpu_cigar_to_text(runs + offsets[entry], offsets[entry + 1] - offsets[entry], cigar, sizeof cigar);
        printf(" %s\n", cigar);
    } else
        printf(" -\n");
}

/* Reads a section from its first line on, aligns its pairs, and prints them. */
static void run_section(nwgpu_context * context, char * line, FILE * file)
{
    static struct texts query_texts, target_texts;
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    nwgpu_band band = NWGPU_BAND_INIT;
    nwgpu_top top = NWGPU_TOP_INIT;
    nwgpu_sequences *queries = NULL, *targets = NULL;
    nwgpu_matrix * matrix = NULL;
    nwgpu_result * result = NULL;
    char name[16];
    int section, has_band;
    uint64_t count, index;

    if (sscanf(line,
               "section %d %" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32 "%d %" SCNd64 "%" SCNd64 "%" SCNu64
               "%15s %" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNd32 "%" SCNu64,
               &section, &options.mode, &options.free_ends, &options.output, &options.cigar_style, &options.ties,
               &has_band, &band.lower, &band.upper, &top.alignments, name, &scoring.match, &scoring.mismatch,
               &scoring.gap_open, &scoring.gap_extend, &count) != 16 ||
        count > most_pairs)
        exit(1);
    for (index = 0; index < count; ++index) {
        char const * tab = fgets(line, longest_line, file) ? strchr(line, '\t') : NULL;
        if (tab == NULL)
            exit(1);
        add(&query_texts, index, line, tab);
        add(&target_texts, index, tab + 1, strchr(tab, '\n'));
    }
    options.band = has_band ? &band : NULL;
    options.top = top.alignments > 1 ? &top : NULL;
    matrix = set_letters(&scoring, name);
    check(nwgpu_sequences_create(context, query_texts.letters, query_texts.offsets, count, &queries, &error));
    check(nwgpu_sequences_create(context, target_texts.letters, target_texts.offsets, count, &targets, &error));
    check(nwgpu_align(context, queries, targets, NULL, 0, &scoring, &options, &result, &error));
    for (index = 0; index < nwgpu_result_count(result); ++index)
        print_entry(section, result, index);
    nwgpu_result_destroy(result);
    nwgpu_sequences_destroy(targets);
    nwgpu_sequences_destroy(queries);
    nwgpu_matrix_destroy(matrix);
}

int main(int count, char ** arguments)
{
    static char line[longest_line];
    FILE * file = count == 2 ? fopen(arguments[1], "r") : NULL;
    nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
    nwgpu_context * context = NULL;

    if (file == NULL)
        return 1;
    options.backend = NWGPU_BACKEND_CPU;
    options.cpu_threads = 2;
    check(nwgpu_context_create(&options, &context, &error));
    while (fgets(line, sizeof line, file))
        run_section(context, line, file);
    nwgpu_context_destroy(context);
    fclose(file);
    return 0;
}
