// SPDX-License-Identifier: BSD-3-Clause
// nwgpu bench: times published algorithms and the engine on sequences made here, one line each: what is measured, what
// a paper has, and the ratio.
#include "commands.hpp"

#include "bench_meter.hpp"
#include "bench_suites.hpp"
#include "bench_table.hpp"
#include "failure.hpp"
#include "interrupt.hpp"

#include <nwgpu/nwgpu.hpp>

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
    explicit Bench(BenchOptions const & options) :
        options_(options), context_(make_context(options.threads)), table_(options.tsv, options.json, machine())
    {}

    // As the paper has it; where that is with a path also without, else with it, so that both phases can be told apart.
    // A paper's parameters are varied for its own output alone.
    void measure(std::string const & suite, Experiment experiment, Measurement const & m)
    {
        load(experiment, m.query_length, m.target_length);
        bool const path = experiment == Experiment::thesis || experiment == Experiment::swat;
        std::int32_t const output = options_.score_only ? NWGPU_OUTPUT_SCORE
                                    : path              ? NWGPU_OUTPUT_CIGAR
                                                        : NWGPU_OUTPUT_END;
        table_.add(measure(suite, experiment, m, output));
        if (!options_.score_only && (path || m.algorithm.find(':') == std::string::npos)) {
            Measurement other = m;
            other.published = 0;
            other.unit = other.where = "";
            table_.add(measure(suite, experiment, other, path ? NWGPU_OUTPUT_SCORE : NWGPU_OUTPUT_CIGAR));
        }
    }

    void close() { table_.close(); }

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
        try {
            context_.set_algorithm(m.algorithm == "engine" ? nullptr : m.algorithm.c_str());
            while (sum < options_.time || (row.repeats < options_.repeat && sum < enough_seconds)) {
                auto const begin = std::chrono::steady_clock::now();
                ++row.repeats;
                row.score = align(experiment, output);
                times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
                sum += times.back();
            }
        } catch (nwgpu::Error const & error) {
            row.status = error.what();
            return row;
        }
        std::optional<double> const joules_after = energy_.joules();
        row.host_bytes = peak_memory();
        row.device_bytes = device_bytes(experiment, output);
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

    static nwgpu::Context make_context(std::int32_t threads)
    {
        nwgpu_context_options options = NWGPU_CONTEXT_OPTIONS_INIT;
        options.cpu_threads = threads;
        return nwgpu::Context(options);
    }

    std::string machine() const
    {
        std::string machine(context_.backend_name());
        std::uint64_t const gpus = nwgpu_device_count(NWGPU_BACKEND_CUDA);
        if (gpus > 0)
            machine += text("; ", nwgpu::describe_device(NWGPU_BACKEND_CUDA, 0).summary);
        if (gpus > 1)
            machine += text("; the first of ", gpus, " GPUs");
        return machine;
    }

    nwgpu_scoring scoring(Experiment experiment) const
    {
        if (experiment == Experiment::thesis)
            return blosum_.scoring(0, 11);
        nwgpu_scoring scoring = NWGPU_SCORING_INIT;
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
        query_.emplace(context_, std::span(&pair.query, 1));
        target_.emplace(context_, std::span(&pair.target, 1));
    }

    static nwgpu_align_options align_options(Experiment experiment, std::int32_t output)
    {
        nwgpu_align_options options = NWGPU_ALIGN_OPTIONS_INIT;
        options.mode = experiment == Experiment::thesis ? NWGPU_MODE_GLOBAL : NWGPU_MODE_LOCAL;
        options.output = output;
        return options;
    }

    // The score; throws nwgpu::Error where there is none.
    std::int64_t align(Experiment experiment, std::int32_t output)
    {
        nwgpu::Result const result =
            context_.align(*query_, *target_, scoring(experiment), align_options(experiment, output));
        if (result.failed() > 0)
            throw nwgpu::Error(result.error(0));
        return result.scores()[0];
    }

    std::uint64_t device_bytes(Experiment experiment, std::int32_t output)
    {
        return context_.estimate(*query_, *target_, scoring(experiment), align_options(experiment, output))
            .device_bytes;
    }

    BenchOptions const & options_;
    nwgpu::Context context_;
    nwgpu::Matrix const blosum_{"BLOSUM62"};
    std::optional<nwgpu::Sequences> query_, target_;
    GpuEnergy energy_;
    BenchTable table_;
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
