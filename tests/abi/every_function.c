/* SPDX-License-Identifier: BSD-3-Clause
 * A C program that calls every function of nwgpu.h and nwgpu_experimental.h once, as a user would, and stops at the first surprise. */
#include <nwgpu/nwgpu.h>
#include <nwgpu/nwgpu_experimental.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static nwgpu_error error = NWGPU_ERROR_INIT;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "failed: %s (%s: %s)\n", what, nwgpu_status_name(error.status), error.message);
    exit(1);
}
#define EXPECT(condition) expect(condition, #condition)
#define EXPECT_OK(call) expect((call) == NWGPU_OK, #call)

static void check_versions(void)
{
    EXPECT(nwgpu_abi_version() == NWGPU_ABI_VERSION);
    EXPECT(strlen(nwgpu_version_string()) >= 5);
    EXPECT(strstr(nwgpu_build_info(), "cuda=") != NULL);
    EXPECT(strcmp(nwgpu_status_name(NWGPU_ERROR_DEVICE), "NWGPU_ERROR_DEVICE") == 0);
}

static void check_devices(void)
{
    nwgpu_device_info info = NWGPU_DEVICE_INFO_INIT;
    EXPECT(nwgpu_device_count(NWGPU_BACKEND_CPU) == 1);
    EXPECT_OK(nwgpu_device_describe(NWGPU_BACKEND_CPU, 0, &info, &error));
    EXPECT(strlen(info.summary) >= 4);
}

static void check_algorithms(void)
{
    nwgpu_algorithm_info info = NWGPU_ALGORITHM_INFO_INIT;
    EXPECT(nwgpu_algorithm_count() > 20);
    EXPECT_OK(nwgpu_algorithm_describe(0, &info, &error));
    EXPECT(strcmp(info.name, "cpu1-st-row") == 0);
    EXPECT(nwgpu_algorithm_describe(nwgpu_algorithm_count(), &info, &error) == NWGPU_ERROR_NOT_FOUND);
}

static void check_matrices(void)
{
    const char *text = " A C\nA 1 -1\nC -1 1\n";
    nwgpu_matrix *matrix = NULL;
    nwgpu_matrix_info info = NWGPU_MATRIX_INFO_INIT;
    EXPECT(nwgpu_matrix_count() == 11);
    EXPECT_OK(nwgpu_matrix_describe(0, &info, &error));
    EXPECT_OK(nwgpu_matrix_create(info.name, &matrix, &error));
    EXPECT(nwgpu_matrix_alphabet_size(matrix) == info.alphabet_size);
    EXPECT(strlen(nwgpu_matrix_letters(matrix)) == info.alphabet_size);
    nwgpu_matrix_destroy(matrix);
    EXPECT_OK(nwgpu_matrix_parse(text, strlen(text), &matrix, &error));
    EXPECT(nwgpu_matrix_scores(matrix)[3] == 1);
    EXPECT(nwgpu_matrix_letter_codes(matrix)['c'] == 1);
    nwgpu_matrix_destroy(matrix);
    EXPECT(nwgpu_alphabet_letter_codes("protein")['a'] == 0);
}

/* Their values are those of the macros: tests/abi/structs_test.cpp. */
static void check_initializers(void)
{
    nwgpu_error fresh;
    nwgpu_context_options context_options;
    nwgpu_communicator communicator;
    nwgpu_scoring scoring;
    nwgpu_band band;
    nwgpu_checkpoint checkpoint;
    nwgpu_top top;
    nwgpu_best best;
    nwgpu_control control;
    nwgpu_align_options options;
    nwgpu_estimate estimate;
    nwgpu_device_info device;
    nwgpu_matrix_info matrix;
    nwgpu_algorithm_info algorithm;
    nwgpu_error_init(&fresh, sizeof fresh);
    nwgpu_context_options_init(&context_options, sizeof context_options);
    nwgpu_communicator_init(&communicator, sizeof communicator);
    nwgpu_scoring_init(&scoring, sizeof scoring);
    nwgpu_band_init(&band, sizeof band);
    nwgpu_checkpoint_init(&checkpoint, sizeof checkpoint);
    nwgpu_top_init(&top, sizeof top);
    nwgpu_best_init(&best, sizeof best);
    nwgpu_control_init(&control, sizeof control);
    nwgpu_align_options_init(&options, sizeof options);
    nwgpu_estimate_init(&estimate, sizeof estimate);
    nwgpu_device_info_init(&device, sizeof device);
    nwgpu_matrix_info_init(&matrix, sizeof matrix);
    nwgpu_algorithm_info_init(&algorithm, sizeof algorithm);
    EXPECT(communicator.size == 1);
    EXPECT(fresh.pair_index == UINT64_MAX && top.alignments == 1 && best.targets == 1 && options.control == NULL);
}

static nwgpu_sequences *sequence(nwgpu_context *context, const char *letters)
{
    const uint64_t offsets[2] = {0, strlen(letters)};
    nwgpu_sequences *result = NULL;
    EXPECT_OK(nwgpu_sequences_create_view(context, (const uint8_t *)letters, offsets, 1, &result, &error));
    nwgpu_sequences_destroy(result);
    EXPECT_OK(nwgpu_sequences_create(context, (const uint8_t *)letters, offsets, 1, &result, &error));
    EXPECT(nwgpu_sequences_count(result) == 1);
    return result;
}

static void check_result(nwgpu_result *result, const char *query, const char *target, const nwgpu_scoring *scoring)
{
    const uint32_t *runs = NULL;
    const uint64_t *offsets = NULL;
    char text[32];
    int64_t score = 0;
    EXPECT(nwgpu_result_count(result) == 1);
    EXPECT(nwgpu_result_pairs(result)[0] == 0);
    EXPECT(nwgpu_result_failed(result) == 0);
    EXPECT(nwgpu_result_statuses(result)[0] == NWGPU_OK);
    nwgpu_result_pair_error(result, 0, &error);
    EXPECT(error.status == NWGPU_OK);
    EXPECT(nwgpu_result_scores(result)[0] == 4);
    EXPECT(nwgpu_result_spans(result)[3] == 6);
    EXPECT_OK(nwgpu_result_cigars(result, &runs, &offsets, &error));
    EXPECT(nwgpu_cigar_to_text(runs, offsets[1], text, sizeof text) == 6);
    EXPECT(strcmp(text, "1=2D3=") == 0);
    EXPECT_OK(nwgpu_cigar_score((const uint8_t *)query, strlen(query), (const uint8_t *)target, strlen(target), scoring,
                                runs, offsets[1], &score, &error));
    EXPECT(score == 4);
}

static int32_t keep_going(void *user, uint64_t done, uint64_t total)
{
    *(int *)user += done <= total;
    return 0;
}

static void check_alignment(nwgpu_context *context)
{
    nwgpu_scoring scoring = NWGPU_SCORING_INIT;
    nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
    nwgpu_control control = NWGPU_CONTROL_INIT;
    nwgpu_estimate estimate = NWGPU_ESTIMATE_INIT;
    nwgpu_result *scores = NULL, *paths = NULL;
    nwgpu_sequences *query = sequence(context, "GAAC");
    nwgpu_sequences *target = sequence(context, "GAAAAC");
    int reports = 0;

    scoring.match = 4;
    scoring.mismatch = 5;
    scoring.gap_open = 10;
    scoring.gap_extend = 1;
    control.progress = keep_going;
    control.progress_user = &reports;
    options.control = &control;
    EXPECT_OK(nwgpu_align_estimate(context, query, target, NULL, 0, &scoring, &options, &estimate, &error));
    EXPECT(estimate.cells == 24);
    EXPECT_OK(nwgpu_align(context, query, target, NULL, 0, &scoring, &options, &scores, &error));
    EXPECT_OK(nwgpu_traceback(context, query, target, scores, NULL, 0, &control, &paths, &error));
    check_result(paths, "GAAC", "GAAAAC", &scoring);
    nwgpu_result_destroy(paths);
    nwgpu_result_destroy(scores);
    nwgpu_sequences_destroy(target);
    nwgpu_sequences_destroy(query);
}

int main(void)
{
    nwgpu_context *context = NULL;
    void *memory = NULL;
    check_versions();
    check_devices();
    check_algorithms();
    check_matrices();
    check_initializers();
    EXPECT_OK(nwgpu_context_create(NULL, &context, &error));
    EXPECT(strlen(nwgpu_context_backend_name(context)) > 4);
    EXPECT(nwgpu_context_threads(context) >= 1);
    EXPECT_OK(nwgpu_host_alloc(context, 4096, &memory, &error));
    memset(memory, 1, 4096);
    nwgpu_host_free(memory);
    EXPECT_OK(nwgpu_context_set_algorithm(context, NULL, &error));
    nwgpu_context_cancel(context);
    EXPECT(nwgpu_context_serve(context, &error) == NWGPU_ERROR_INVALID_ARGUMENT); /* without ranks */
    check_alignment(context);
    EXPECT_OK(nwgpu_context_trim(context, &error));
    nwgpu_context_destroy(context);
    return 0;
}
