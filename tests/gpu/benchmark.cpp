// SPDX-License-Identifier: BSD-3-Clause
// Times the CUDA engine, transfers included, on a warm context: one line per work.  Arguments: words that a work's name
// must contain, all works otherwise; --repeat N; --full (every cell: no band, nothing skipped); --rows N (of a
// lane's half); --warps N (a multiprocessor); --memory MIB (of the device); --kept-in N (kept boundaries: 1 host, 2
// files); --checkpoint FOLDER SECONDS (saves, or resumes); --devices N (the first N together, by rows, beside the
// first alone), --together (without the first alone); --calibrate (a table instead).
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cpu/kernels/kernel_table.hpp"
#include "cuda/engine.hpp"
#include "cuda/sweep/device_speed.hpp"
#include "model/alphabet.hpp"
#include "places/devices_backend.hpp"
#include "support/cases.hpp"

namespace {

using namespace nwgpu;
using namespace nwgpu::test;

struct Work {
    char const * name;
    std::uint64_t m, n;
    Mode mode;
    Output output;
    double divergence; // 1: unrelated
    bool protein;
    GapCost gap;
    std::uint32_t top = 1;      // more: the CPU engine is timed, too
    std::uint64_t homology = 0; // so many letters in the middle of unrelated sequences are 5 % different
};

constexpr std::uint64_t M = 1000000;
Mode const local{.local = true};

std::vector<Work> const works{
    {"local score 1M", M, M, local, Output::score, 1, false, {3, 2}},
    {"local score 5M", 5 * M, 5 * M, local, Output::score, 1, false, {3, 2}},
    {"global affine score 1M", M, M, {}, Output::score, 1, false, {3, 2}},
    {"global affine score 5M", 5 * M, 5 * M, {}, Output::score, 1, false, {3, 2}},
    {"global linear score 1M", M, M, {}, Output::score, 1, false, {0, 2}},
    {"global linear score 5M", 5 * M, 5 * M, {}, Output::score, 1, false, {0, 2}},
    {"local score 1M 5%", M, M, local, Output::score, 0.05, false, {3, 2}},
    {"local score 5M 5%", 5 * M, 5 * M, local, Output::score, 0.05, false, {3, 2}},
    {"local path 100K 5%", M / 10, M / 10, local, Output::cigar, 0.05, false, {3, 2}},
    {"local path 1M 5%", M, M, local, Output::cigar, 0.05, false, {3, 2}},
    {"local path 5M 1%", 5 * M, 5 * M, local, Output::cigar, 0.01, false, {3, 2}},
    {"local path 5M 5%", 5 * M, 5 * M, local, Output::cigar, 0.05, false, {3, 2}},
    {"global path 1M 1%", M, M, {}, Output::cigar, 0.01, false, {3, 2}},
    {"global path 5M 1%", 5 * M, 5 * M, {}, Output::cigar, 0.01, false, {3, 2}},
    {"protein affine score 23K", 23000, 23000, {}, Output::score, 0.3, true, {10, 1}},
    {"protein affine path 23K", 23000, 23000, {}, Output::cigar, 0.3, true, {10, 1}},
    {"protein linear path 23K", 23000, 23000, {}, Output::cigar, 0.3, true, {0, 11}},
    // Where they are named.
    {"global path 20M 1%", 20 * M, 20 * M, {}, Output::cigar, 0.01, false, {3, 2}},
    {"local path 5M, unrelated", 5 * M, 5 * M, local, Output::cigar, 1, false, {3, 2}},
    {"local score 20M", 20 * M, 20 * M, local, Output::score, 1, false, {3, 2}},
    {"local path 20M 5%", 20 * M, 20 * M, local, Output::cigar, 0.05, false, {3, 2}},
    {"local path 20M 1%", 20 * M, 20 * M, local, Output::cigar, 0.01, false, {3, 2}},
    {"local path 33M x 47M", 33 * M, 47 * M, local, Output::cigar, 1, false, {3, 2}, 1, 3 * M},
    {"unrelated path 33M x 47M", 33 * M, 47 * M, local, Output::cigar, 1, false, {3, 2}},
    {"local path 250M x 230M 10%", 250 * M, 230 * M, local, Output::cigar, 0.1, false, {3, 2}},
    {"local score 1024 x 1M", 1024, M, local, Output::score, 1, false, {3, 2}},
    {"local path 1024 x 16M", 1024, 16 * M, local, Output::cigar, 1, false, {3, 2}},
    {"local score 128 x 16M", 128, 16 * M, local, Output::score, 1, false, {3, 2}},
    {"local score 10K", 10000, 10000, local, Output::score, 1, false, {3, 2}},
    {"local score 100K", 100000, 100000, local, Output::score, 1, false, {3, 2}},
    {"global affine score 100K", 100000, 100000, {}, Output::score, 1, false, {3, 2}},
    {"local top 200 100K", M / 10, M / 10, local, Output::cigar, 1, false, {3, 2}, 200},
    {"local top 200 1M", M, M, local, Output::cigar, 1, false, {3, 2}, 200},
};

Scoring scoring_of(Work const & work)
{
    if (work.protein)
        return named_matrix("BLOSUM62", work.gap, "ARNDCQEGHILKMFPSTWYV").scoring;
    static LetterCodes const codes = codes_of("ACGT");
    return Scoring::uniform(1, 3, work.gap, &codes);
}

std::uint64_t hash(Runs const & runs)
{
    std::uint64_t sum = 1469598103934665603u;
    for (std::uint32_t const run : runs)
        sum = (sum ^ run) * 1099511628211u;
    return sum;
}

// The first devices as one engine.
std::unique_ptr<Backend> several(int count, cuda::EngineOptions options)
{
    std::vector<places::Device> devices;
    int const threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / count);
    for (options.device = 0; options.device < count; ++options.device)
        devices.push_back({cuda::make_engine(options), std::make_shared<Team>(threads)});
    return places::make_devices_backend(std::move(devices), {30e-9, 0.03e-9, 1 / 4e12, 1e-4}, {}, options.warn);
}

struct Devices {
    int count = 1;
    bool beside_one = true; // the first alone is timed, too
};

void print_time(char const * name, Work const & work, double seconds)
{
    double const cells = static_cast<double>(work.m) * static_cast<double>(work.n);
    std::printf("%-26s %9.2f ms  %7.3f T  ", name, seconds * 1e3, cells / seconds / 1e12);
}

void print_answer(BatchResult const & result)
{
    std::printf("score %lld  cigar %016llx  ", static_cast<long long>(result.score[0]),
                static_cast<unsigned long long>(hash(result.runs)));
}

SequencePair pair_of(Work const & work, std::string_view letters)
{
    Random random{99};
    SequencePair pair = random_pair(random, work.divergence >= 1 ? Model::uniform : Model::mutated, work.m, work.n,
                                    letters, work.divergence);
    if (work.homology > 0) {
        std::string const shared = pair.query.substr((work.m - work.homology) / 2, work.homology);
        pair.target.replace((work.n - work.homology) / 2, work.homology, mutated(random, shared, letters, 0.05));
    }
    return pair;
}

void run_work(Work const & work, int repeat, cuda::EngineOptions const & options, CheckpointRequest const & checkpoint,
              Devices const & devices)
{
    Scoring const scoring = scoring_of(work);
    PairSet const set{{pair_of(work, work.protein ? "ARNDCQEGHILKMFPSTWYV" : "ACGT")}, scoring};
    Request request{work.mode, work.output, CigarStyle::eqx, work.top};
    request.checkpoint = checkpoint;
    auto const time = [&](Backend & backend, BatchResult & result) {
        double best = 1e9;
        for (int k = 0; k < repeat; ++k) {
            auto const begin = std::chrono::steady_clock::now();
            result = align(backend, set.batch(), scoring, request);
            best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        return best;
    };
    BatchResult result;
    double best = 0;
    if (devices.beside_one) {
        auto const gpu = cuda::make_engine(options);
        Estimate const predicted = estimate(*gpu, set.batch(), scoring, request);
        best = time(*gpu, result);
        print_time(work.name, work, best);
        print_answer(result);
        std::printf("predicted %.2f ms, %.0f MiB: %s\n", predicted.seconds * 1e3,
                    static_cast<double>(predicted.device_bytes) / (1 << 20), predicted.plan.c_str());
    }
    if (devices.count > 1 || !devices.beside_one) {
        auto const together = several(devices.count, options);
        std::string const plan = estimate(*together, set.batch(), scoring, request).plan;
        BatchResult by_all;
        double const seconds = time(*together, by_all);
        bool const same = by_all.score == result.score && by_all.span == result.span && by_all.runs == result.runs;
        print_time(devices.beside_one ? "" : work.name, work, seconds);
        if (devices.beside_one)
            std::printf("on %d devices: %.2f x, %s; %s\n", devices.count, best / seconds,
                        same ? "the same" : "ANOTHER RESULT", plan.c_str());
        else {
            print_answer(by_all);
            std::printf("on %d devices; %s\n", devices.count, plan.c_str());
        }
    }
    if (work.top > 1) {
        BatchResult by_cpu;
        double const seconds = time(engine({}), by_cpu);
        bool const same = by_cpu.score == result.score && by_cpu.span == result.span && by_cpu.runs == result.runs;
        std::printf("%-26s %9.2f ms on the CPU, %d threads: %s\n", "", seconds * 1e3, engine({}).threads(),
                    same ? "the same" : "ANOTHER RESULT");
    }
    std::fflush(stdout);
}

// What cuda/sweep/device_speed.cpp compares with its table; the first time of a kind includes loading the kernel.
void print_device_speed()
{
    cuda::DeviceGuard const guard{0};
    cuda::Device device{{}};
    char const * const names[] = {"32 bits",       "64 bits",      "global affine",
                                  "global linear", "local affine", "local linear"};
    for (cuda::KernelKind const & kind :
         {cuda::KernelKind{}, cuda::KernelKind{.wide = true}, cuda::KernelKind{.packed = true},
          cuda::KernelKind{.packed = true, .linear = true}, cuda::KernelKind{.packed = true, .local = true},
          cuda::KernelKind{.packed = true, .local = true, .linear = true}}) {
        std::printf("a step of %-13s", names[kind.index()]);
        for (int k = 0; k < 3; ++k)
            std::printf(" %7.2f", cuda::measure_step(device, kind) * 1e9);
        std::printf(" ns, pace %.3f\n", cuda::device_speed(device, kind));
    }
}

// Seconds of one step, by kernel and warps a multiprocessor: what the costs of a Chip are fitted to.  From two
// lengths, so that what does not depend on them drops out.
void calibrate()
{
    Random random{98};
    LetterCodes const codes = codes_of("ACGT");
    for (bool const is_local : {true, false})
        for (std::int64_t const open : {3, 0})
            for (int const rows : cuda::packed_rows) {
                std::printf("%s %s rows %2d, ns a step (us a strip) at warps", is_local ? "local" : "global",
                            open ? "affine" : "linear", rows);
                for (int const warps : {4, 8, 12}) {
                    if ((rows > 4 && warps > 4) || (rows > cuda::most_affine_rows && open > 0))
                        continue;
                    Scoring const scoring = Scoring::uniform(1, 3, {open, 2}, &codes);
                    std::uint64_t const strips = static_cast<std::uint64_t>(warps) * 132;
                    double seconds[2];
                    for (int const length : {0, 1}) {
                        PairSet const set{
                            {random_pair(random, Model::uniform, strips * 64 * static_cast<std::uint64_t>(rows),
                                         length ? 400000 : 100000, "ACGT")},
                            scoring};
                        cuda::EngineOptions options;
                        options.tuning.rows_per_half = rows;
                        options.tuning.warps = warps;
                        options.tuning.band = options.tuning.skip = -1;
                        auto const gpu = cuda::make_engine(options);
                        seconds[length] = 1e9;
                        for (int k = 0; k < 2; ++k) {
                            auto const begin = std::chrono::steady_clock::now();
                            align(*gpu, set.batch(), scoring,
                                  {is_local ? local : Mode{}, Output::score, CigarStyle::eqx});
                            std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
                            seconds[length] = std::min(seconds[length], took.count());
                        }
                    }
                    double const step = (seconds[1] - seconds[0]) / 300000;
                    std::printf("  %d: %.0f (%.0f)", warps, step * 1e9,
                                (seconds[0] - 100000 * step) * 1e6 / static_cast<double>(strips));
                }
                std::printf("\n");
                std::fflush(stdout);
            }
}

} // namespace

int main(int argc, char ** argv)
{
    int repeat = 3;
    cuda::EngineOptions options;
    options.to_two_bits = cpu::kernel_table({}).to_two_bits;
    options.top_finder = cpu::make_swept_finder({});
    options.host = cpu::make_engine({});
    options.warn = [](std::string const & text) { std::printf("%s\n", text.c_str()); };
    cuda::Tuning & tuning = options.tuning;
    std::vector<std::string> words;
    CheckpointRequest checkpoint;
    Devices devices;
    for (int k = 1; k < argc; ++k)
        if (std::strcmp(argv[k], "--repeat") == 0 && k + 1 < argc)
            repeat = std::atoi(argv[++k]);
        else if (std::strcmp(argv[k], "--full") == 0)
            tuning.band = tuning.skip = -1;
        else if (std::strcmp(argv[k], "--rows") == 0 && k + 1 < argc)
            tuning.rows_per_half = std::atoi(argv[++k]);
        else if (std::strcmp(argv[k], "--warps") == 0 && k + 1 < argc)
            tuning.warps = std::atoi(argv[++k]);
        else if (std::strcmp(argv[k], "--checkpoint") == 0 && k + 2 < argc)
            checkpoint = {argv[k + 1], true, std::atof(argv[k + 2])}, k += 2;
        else if (std::strcmp(argv[k], "--memory") == 0 && k + 1 < argc) // MiB of the device
            options.max_device_bytes = std::strtoull(argv[++k], nullptr, 10) << 20;
        else if (std::strcmp(argv[k], "--kept-in") == 0 && k + 1 < argc) // of kept boundaries, Tuning
            tuning.kept_in = std::atoi(argv[++k]);
        else if (std::strcmp(argv[k], "--devices") == 0 && k + 1 < argc)
            devices.count = std::atoi(argv[++k]);
        else if (std::strcmp(argv[k], "--together") == 0)
            devices.beside_one = false;
        else if (std::strcmp(argv[k], "--calibrate") == 0)
            return calibrate(), 0;
        else
            words.push_back(argv[k]);
    if (cuda::device_count() == 0) {
        std::printf("no GPU: %s\n", cuda::why_none().c_str());
        return 77;
    }
    std::printf("%s\n", cuda::describe(0).c_str());
    print_device_speed();
    for (Work const & work : works) {
        bool wanted = words.empty() && work.m <= 5 * M;
        for (std::string const & word : words)
            wanted = wanted || std::strstr(work.name, word.c_str()) != nullptr;
        if (wanted)
            run_work(work, repeat, options, checkpoint, devices);
    }
}
