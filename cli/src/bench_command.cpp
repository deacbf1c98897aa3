// SPDX-License-Identifier: BSD-3-Clause
// nwgpu bench: times published algorithms and the engine on sequences made here, one line each: what a paper has, what
// is measured, and the ratio.
#include "commands.hpp"

#include "bench_suites.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "interrupt.hpp"

#include <nwgpu/nwgpu.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>

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
        std::printf("algorithm\tquery_length\ttarget_"
                    "length\tstatus\tscore\tseconds\tGCUPS\tspeedup\tpublished\tratio\tpublished_in\n");
    }

    void measure(Experiment experiment, Measurement const & m)
    {
        if (interrupted())
            throw Interrupted();
        std::string status = "ok";
        double seconds = 0;
        std::int64_t score = 0;
        load(experiment, m.query_length, m.target_length);
        for (int k = 0; k < options_.repeat && status == "ok"; ++k) {
            auto const begin = std::chrono::steady_clock::now();
            status = align(experiment, m.algorithm, score);
            double const taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            seconds = k == 0 ? taken : std::min(seconds, taken);
        }
        print(m, status, score, seconds);
    }

private:
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

    // "ok", or why not.
    std::string align(Experiment experiment, std::string const & algorithm, std::int64_t & score)
    {
        nwgpu_scoring const scheme = scoring(experiment);
        nwgpu_align_options options{};
        options.struct_size = sizeof options;
        options.span = experiment == Experiment::thesis ? NWGPU_SPAN_GLOBAL : NWGPU_SPAN_LOCAL;
        bool const path = experiment == Experiment::thesis || experiment == Experiment::swat;
        options.output = options_.score_only ? NWGPU_OUTPUT_SCORE : path ? NWGPU_OUTPUT_CIGAR : NWGPU_OUTPUT_END;
        options.algorithm = algorithm == "engine" ? nullptr : algorithm.c_str();
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

    // Speed-ups are over the first algorithm that was timed at these lengths.
    void print(Measurement const & m, std::string const & status, std::int64_t score, double seconds)
    {
        std::printf("%s\t%llu\t%llu\t%s", m.algorithm.c_str(), static_cast<unsigned long long>(m.query_length),
                    static_cast<unsigned long long>(m.target_length), status.c_str());
        if (status == "ok") {
            double const gcups =
                static_cast<double>(m.query_length) * static_cast<double>(m.target_length) / seconds / 1e9;
            double const first = first_.emplace(std::pair(m.query_length, m.target_length), seconds).first->second;
            std::printf("\t%lld\t%.4g\t%.4g\t%.3g", static_cast<long long>(score), seconds, gcups, first / seconds);
            double const ours = m.unit == "s" ? seconds : m.unit == "x" ? first / seconds : gcups;
            if (m.published > 0)
                std::printf("\t%g %s\t%.3g\t%s\n", m.published, m.unit.c_str(), ours / m.published, m.where.c_str());
            else
                std::printf("\t*\t*\t*\n");
        } else {
            std::printf("\t*\t*\t*\t*\t*\t*\t*\n");
        }
        if (std::fflush(stdout) != 0)
            throw system_failure("standard output");
    }

    BenchOptions const & options_;
    ContextHandle context_;
    MatrixHandle blosum_;
    SequencesHandle query_, target_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, double> first_;
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
    if (!options.suite.empty()) {
        Suite const chosen = suite(options.suite);
        for (Measurement const & m : chosen.measurements)
            if (lengths.empty() ||
                std::count(lengths.begin(), lengths.end(), std::pair(m.query_length, m.target_length)))
                bench.measure(chosen.experiment, m);
        return exit_ok;
    }
    Experiment const experiment = experiment_of(options.algorithms.front());
    for (auto const & [m, n] : lengths)
        for (std::string const & algorithm : options.algorithms)
            bench.measure(experiment, {algorithm, m, n, 0, "", ""});
    return exit_ok;
}

} // namespace cli
