// SPDX-License-Identifier: BSD-3-Clause
// nwgpu bench: times published algorithms and the engine on sequences made here, one line each: what is measured, what
// a paper has, and the ratio.
#include "commands.hpp"

#include "bench_meter.hpp"
#include "bench_suites.hpp"
#include "bench_table.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "interrupt.hpp"

#include <nwgpu/nwgpu.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace cli {

namespace {

void check(nwgpu_status status, nwgpu_error const & error)
{
    if (status != NWGPU_OK)
        throw Failure(error.message);
}

// The same on every machine; every tenth letter of the target differs.
struct Pair {
    std::string query, target;
};
Pair make_pair(std::uint64_t m, std::uint64_t n, std::string_view letters)
{
    std::uint64_t state = 1;
    auto const next = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(state >> 33);
    };
    Pair pair;
    for (std::uint64_t k = 0; k < m; ++k)
        pair.query += letters[next() % letters.size()];
    for (std::uint64_t k = 0; k < n; ++k)
        pair.target += next() % 10 == 0 || k >= m ? letters[next() % letters.size()] : pair.query[k];
    return pair;
}

class Bench {
public:
    explicit Bench(BenchOptions const & options) : options_(options)
    {
        nwgpu_context_options context{};
        context.struct_size = sizeof context;
        context.cpu_threads = options.threads;
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_context * created = nullptr;
        check(nwgpu_context_create(&context, &created, &error), error);
        context_.reset(created);
        nwgpu_matrix * matrix = nullptr;
        check(nwgpu_matrix_named("BLOSUM62", &matrix, &error), error);
        blosum_.reset(matrix);
        table_.emplace(options.tsv, options.json, machine());
    }

    // As the paper has it; where that is with a path also without, else with it, so that both phases can be told apart.
    // A paper's parameters are varied for its own output alone.
    void measure(std::string const & suite, Experiment experiment, Measurement const & m)
    {
        load(experiment, m.query_length, m.target_length);
        bool const path = experiment == Experiment::thesis || experiment == Experiment::swat;
        std::int32_t const output = options_.score_only ? NWGPU_OUTPUT_SCORE
                                    : path              ? NWGPU_OUTPUT_CIGAR
                                                        : NWGPU_OUTPUT_END;
        table_->add(measure(suite, experiment, m, output));
        if (!options_.score_only && (path || m.algorithm.find(':') == std::string::npos)) {
            Measurement other = m;
            other.published = 0;
            other.unit = other.where = "";
            table_->add(measure(suite, experiment, other, path ? NWGPU_OUTPUT_SCORE : NWGPU_OUTPUT_CIGAR));
        }
    }

    void close() { table_->close(); }

private:
    // Repeats beyond the first end when they have taken so long.
    static constexpr double enough_seconds = 5;
    // The driver counts energy in steps of some 50 ms.
    static constexpr double least_seconds_for_energy = 0.5;

    BenchRow measure(std::string const & suite, Experiment experiment, Measurement const & m, std::int32_t output)
    {
        if (interrupted())
            throw Interrupted();
        BenchRow row;
        row.suite = suite;
        row.measurement = m;
        row.output = output == NWGPU_OUTPUT_CIGAR ? "cigar" : output == NWGPU_OUTPUT_END ? "end" : "score";
        row.status = "ok";
        std::vector<double> times;
        double sum = 0;
        reset_peak_memory();
        std::optional<double> const joules_before = energy_.joules();
        while (row.status == "ok" && (sum < options_.time || (row.repeats < options_.repeat && sum < enough_seconds))) {
            auto const begin = std::chrono::steady_clock::now();
            row.status = align(experiment, m.algorithm, output, row.score);
            times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            sum += times.back();
            ++row.repeats;
        }
        std::optional<double> const joules_after = energy_.joules();
        if (row.status != "ok")
            return row;
        row.host_bytes = peak_memory();
        row.device_bytes = device_bytes(experiment, m.algorithm, output);
        row.seconds = *std::min_element(times.begin(), times.end());
        row.mean_seconds = sum / row.repeats;
        double squares = 0;
        for (double const time : times)
            squares += (time - row.mean_seconds) * (time - row.mean_seconds);
        row.deviation = row.repeats > 1 ? std::sqrt(squares / (row.repeats - 1)) : 0;
        if (joules_before && joules_after && sum >= least_seconds_for_energy && m.gpus() < 2) // the first GPU's
            row.joules = (*joules_after - *joules_before) / row.repeats;
        // Over the first algorithm that was timed at these lengths; for weak scaling, at these lengths a GPU.
        std::uint64_t const letters = m.scaling == "weak" ? m.target_length / m.gpus() : m.target_length;
        auto const key = std::tuple(suite + m.scaling, output, m.query_length, letters);
        row.speedup = row.gcups() / first_.emplace(key, row.gcups()).first->second;
        return row;
    }

    std::string machine() const
    {
        std::string text = nwgpu_context_backend_name(context_.get());
        char device[256];
        if (nwgpu_device_describe(NWGPU_BACKEND_CUDA, 0, device, sizeof device) > 0)
            text += std::string("; ") + device;
        std::int32_t count = 0;
        nwgpu_error error = NWGPU_ERROR_INIT;
        if (nwgpu_device_count(NWGPU_BACKEND_CUDA, &count, &error) == NWGPU_OK && count > 1)
            text += "; the first of " + std::to_string(count) + " GPUs";
        return text;
    }

    nwgpu_scoring scoring(Experiment experiment) const
    {
        nwgpu_scoring scoring{};
        scoring.struct_size = sizeof scoring;
        if (experiment == Experiment::thesis) {
            scoring.gap_extend = 11;
            scoring.alphabet_size = nwgpu_matrix_size(blosum_.get());
            scoring.matrix = nwgpu_matrix_scores(blosum_.get());
            scoring.letter_codes = nwgpu_matrix_codes(blosum_.get());
            return scoring;
        }
        bool const cudalign = experiment == Experiment::cudalign;
        scoring.match = cudalign ? 1 : 5;
        scoring.mismatch = 3;
        scoring.gap_open = cudalign ? 3 : 8;
        scoring.gap_extend = cudalign ? 2 : 1;
        return scoring;
    }

    void load(Experiment experiment, std::uint64_t m, std::uint64_t n)
    {
        Pair const pair = make_pair(m, n, experiment == Experiment::thesis ? "ARNDCQEGHILKMFPSTWYV" : "ACGT");
        auto const copy = [&](std::string const & letters) {
            std::uint64_t const offsets[] = {0, letters.size()};
            nwgpu_sequences * sequences = nullptr;
            nwgpu_error error = NWGPU_ERROR_INIT;
            check(nwgpu_sequences_create(context_.get(), reinterpret_cast<std::uint8_t const *>(letters.data()),
                                         offsets, 1, &sequences, &error),
                  error);
            return SequencesHandle(sequences);
        };
        query_ = copy(pair.query);
        target_ = copy(pair.target);
    }

    nwgpu_align_options align_options(Experiment experiment, std::string const & algorithm, std::int32_t output) const
    {
        nwgpu_align_options options{};
        options.struct_size = sizeof options;
        options.span = experiment == Experiment::thesis ? NWGPU_SPAN_GLOBAL : NWGPU_SPAN_LOCAL;
        options.output = output;
        options.algorithm = algorithm == "engine" ? nullptr : algorithm.c_str();
        return options;
    }

    // "ok", or why not.
    std::string align(Experiment experiment, std::string const & algorithm, std::int32_t output, std::int64_t & score)
    {
        nwgpu_scoring const scheme = scoring(experiment);
        nwgpu_align_options const options = align_options(experiment, algorithm, output);
        nwgpu_error error = NWGPU_ERROR_INIT;
        nwgpu_result * created = nullptr;
        nwgpu_status const status =
            nwgpu_align(context_.get(), query_.get(), target_.get(), nullptr, 0, &scheme, &options, &created, &error);
        ResultHandle const result(created);
        if (status != NWGPU_OK)
            return error.message;
        nwgpu_result_pair_error(result.get(), 0, &error);
        score = nwgpu_result_scores(result.get())[0];
        return error.status == NWGPU_OK ? "ok" : error.message;
    }

    std::uint64_t device_bytes(Experiment experiment, std::string const & algorithm, std::int32_t output)
    {
        nwgpu_scoring const scheme = scoring(experiment);
        nwgpu_align_options const options = align_options(experiment, algorithm, output);
        nwgpu_estimate estimate{};
        estimate.struct_size = sizeof estimate;
        nwgpu_error error = NWGPU_ERROR_INIT;
        check(nwgpu_align_estimate(context_.get(), query_.get(), target_.get(), nullptr, 0, &scheme, &options,
                                   &estimate, &error),
              error);
        return estimate.device_bytes;
    }

    BenchOptions const & options_;
    ContextHandle context_;
    MatrixHandle blosum_;
    SequencesHandle query_, target_;
    GpuEnergy energy_;
    std::optional<BenchTable> table_;
    std::map<std::tuple<std::string, std::int32_t, std::uint64_t, std::uint64_t>, double> first_; // GCUPS
};

// "5000" or "1024x65536"
std::pair<std::uint64_t, std::uint64_t> parse_lengths(std::string const & lengths)
{
    std::uint64_t m = 0, n = 0;
    char const * const end = lengths.data() + lengths.size();
    auto parsed = std::from_chars(lengths.data(), end, m);
    n = m;
    if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == 'x')
        parsed = std::from_chars(parsed.ptr + 1, end, n);
    if (parsed.ec != std::errc() || parsed.ptr != end || m == 0 || n == 0)
        throw Failure(text("--lengths ", lengths, ": must be letters of both, such as 5000 or 1024x65536"));
    return {m, n};
}

std::vector<std::string> suites_of(BenchOptions const & options)
{
    if (options.suite == "all")
        return suite_names();
    return options.suite.empty() ? std::vector<std::string>{} : std::vector<std::string>{options.suite};
}

} // namespace

int bench_command(BenchOptions const & options)
{
    if (options.list) {
        for (std::string const & name : suite_names())
            for (Measurement const & m : suite(name).measurements)
                std::printf("%s\t%s\t%llux%llu\n", name.c_str(), m.algorithm.c_str(),
                            static_cast<unsigned long long>(m.query_length),
                            static_cast<unsigned long long>(m.target_length));
        return std::fflush(stdout) == 0 ? exit_ok : throw system_failure("standard output");
    }
    if (options.suite.empty() == options.algorithms.empty())
        throw Failure("say either --suite or --algorithm; --list shows the suites");
    std::vector<std::pair<std::uint64_t, std::uint64_t>> lengths;
    for (std::string const & each : options.lengths)
        lengths.push_back(parse_lengths(each));
    Bench bench(options);
    for (std::string const & name : suites_of(options)) {
        Suite const chosen = suite(name);
        for (Measurement const & m : chosen.measurements)
            if (lengths.empty() ||
                std::count(lengths.begin(), lengths.end(), std::pair(m.query_length, m.target_length)))
                bench.measure(name, chosen.experiment, m);
    }
    if (!options.algorithms.empty()) {
        Experiment const experiment = experiment_of(options.algorithms.front());
        for (auto const & [m, n] : lengths)
            for (std::string const & algorithm : options.algorithms)
                bench.measure("", experiment, {algorithm, m, n, 0, "", ""});
    }
    bench.close();
    return exit_ok;
}

} // namespace cli
