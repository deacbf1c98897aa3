// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the published algorithms, and of the engine: one line for each, with tabs.
//
//     nwgpu_gpu_occupancy                      all of them, at the papers' lengths: occupancy
//     nwgpu_gpu_occupancy ALGORITHM MxN        one at these lengths, without the path: what a profiler is set on
//     nwgpu_gpu_occupancy --times ALGORITHM MxN    the time that its kernels take: paper B's table 13.1
//
// Occupancy, paper A's graph 6: how many warps a kernel can have on a multiprocessor at once, in percent of those that
// it has room for.  The paper has what a profiler measured (tests/gpu/counters.sh); here is what launches tell by
// themselves, which leaves out that blocks end at different times:
//
//     kernel    as many blocks as registers, shared memory and threads allow: the theoretical occupancy
//     grid      no more than a launch has for each multiprocessor, on those that have any; the mean of all launches
//
// docs/plot_reproduction.py draws the last one for paper A.  Times are taken by events around each launch, which itself
// takes time: a call without them stands beside.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string_view>

#include "cuda/device/device.hpp"
#include "gpu/gpu.hpp"
#include "gpu/launches.hpp"
#include "published/engine.hpp"
#include "published/subject.hpp"

namespace nwgpu::test {
namespace {

void check(cudaError_t error) { cuda::check(error, "occupancy"); }

struct Work {
    std::string algorithm;
    bool thesis; // global by its scheme, else local by paper B's
    std::uint64_t m, n;
    Output output;
};

void print_work(Work const & work, void const * kernel, std::uint64_t launches)
{
    std::printf("%s\t%llu\t%llu\t%s\t%llu", work.algorithm.c_str(), static_cast<unsigned long long>(work.m),
                static_cast<unsigned long long>(work.n), kernel_name(kernel).c_str(),
                static_cast<unsigned long long>(launches));
}

void print_occupancy(Work const & work)
{
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0));
    double const room = device.maxThreadsPerMultiProcessor / 32; // warps
    for (auto const & [shape, launches] : noted_launches()) {
        auto const [kernel, threads, shared] = shape;
        int fit = 0;
        cudaFuncAttributes attributes{};
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, static_cast<int>(threads), shared));
        check(cudaFuncGetAttributes(&attributes, kernel));
        double const warps = (threads + 31) / 32;
        double sum = 0; // of blocks
        for (auto const & [blocks, count] : launches.by_blocks)
            sum += static_cast<double>(count) *
                   std::min<double>(fit, std::max(1.0, static_cast<double>(blocks) / device.multiProcessorCount));
        double const count = static_cast<double>(launches.count);
        print_work(work, kernel, launches.count);
        std::printf("\t%.1f\t%u\t%d\t%zu\t%.1f\t%.1f\n", static_cast<double>(launches.blocks) / count, threads,
                    attributes.numRegs, shared + attributes.sharedSizeBytes, 100 * fit * warps / room,
                    100 * sum / count * warps / room);
    }
}

void print_times(Work const & work, double call_milliseconds)
{
    double sum = 0;
    for (auto const & [shape, launches] : noted_launches())
        sum += launches.milliseconds;
    for (auto const & [shape, launches] : noted_launches()) {
        print_work(work, std::get<0>(shape), launches.count);
        if (launches.timed == launches.count)
            std::printf("\t%.3f\t%.1f\t%.2f", launches.milliseconds, 100 * launches.milliseconds / sum,
                        1000 * launches.milliseconds / static_cast<double>(launches.count));
        else
            std::printf("\t*\t*\t*"); // in a graph
        std::printf("\t%.3f\n", call_milliseconds);
    }
}

class Call {
public:
    explicit Call(Work const & work) :
        work_{work},
        scheme_{work.thesis ? named_matrix("BLOSUM62", {0, 11}, "ARNDCQEGHILKMFPSTWYV") : scheme("dna_5_3_8_1")},
        backend_{work.algorithm == "engine" ? make_gpu() : published::make_engine(work.algorithm, {})}
    {
        Random random{36};
        set_.emplace(std::vector{random_pair(random, Model::mutated, work.m, work.n, scheme_.letters)},
                     scheme_.scoring);
    }

    // Notes its launches; returns milliseconds.
    double run(bool timed)
    {
        note_launches(timed);
        auto const begin = std::chrono::steady_clock::now();
        BatchResult const result =
            align(*backend_, set_->batch(), scheme_.scoring, {{.local = !work_.thesis}, work_.output, CigarStyle::eqx});
        std::chrono::duration<double, std::milli> const time = std::chrono::steady_clock::now() - begin;
        if (result.status[0] != Status::ok)
            throw Error{result.status[0], work_.algorithm + ": " + result.failures.message(0)};
        return time.count();
    }

private:
    Work work_;
    Scheme scheme_;
    std::unique_ptr<Backend> backend_;
    std::optional<PairSet> set_;
};

char const * const columns_of_all = "algorithm\tquery_length\ttarget_length\tkernel\tlaunches";

void show_occupancy(std::vector<Work> const & works)
{
    std::printf("%s\tblocks\tthreads\tregisters\tshared_bytes\tkernel_percent\tgrid_percent\n", columns_of_all);
    for (Work const & work : works) {
        Call{work}.run(false);
        print_occupancy(work);
    }
}

void show_times(Work const & work)
{
    std::printf("%s\tmilliseconds\tpercent\tmicroseconds_each\tcall_milliseconds\n", columns_of_all);
    Call call{work};
    call.run(false);
    double const untimed = std::min(call.run(false), call.run(false));
    call.run(true);
    print_times(work, untimed);
}

// Global with the path at the thesis's length, else local at the length of paper C.
std::vector<Work> all_works()
{
    std::vector<Work> works;
    auto const add = [&](char const * algorithm, bool thesis) {
        std::uint64_t const length = thesis ? 23000 : 8192;
        works.push_back({algorithm, thesis, length, length, thesis ? Output::cigar : Output::end});
    };
    for (published::Algorithm const & algorithm : published::algorithms())
        if (algorithm.processor == published::Processor::cuda)
            add(algorithm.name, algorithm.paper[0] == 'A');
    add("engine", true);
    add("engine", false);
    return works;
}

Work parse_work(char const * algorithm, std::string_view lengths)
{
    Work work{algorithm, false, 0, 0, Output::end};
    if (work.algorithm != "engine") {
        published::Choice const choice = published::parse_choice(algorithm);
        work.thesis = choice.algorithm->paper[0] == 'A';
        if (choice.value_or("gpus", 1) > 1)
            throw Error{Status::invalid_argument, "launches of several GPUs are not noted"};
    }
    if (work.thesis)
        work.output = Output::score;
    char const * const end = lengths.data() + lengths.size();
    auto const query = std::from_chars(lengths.data(), end, work.m);
    if (query.ptr == end || *query.ptr != 'x' || std::from_chars(query.ptr + 1, end, work.n).ptr != end ||
        work.m == 0 || work.n == 0)
        throw Error{Status::invalid_argument, "lengths must be such as 1024x65536"};
    return work;
}

} // namespace
} // namespace nwgpu::test

int main(int argc, char ** argv)
{
    using namespace nwgpu::test;
    bool const times = argc == 4 && std::string_view{argv[1]} == "--times";
    if (!times && argc != 1 && argc != 3) {
        std::fprintf(stderr, "usage: nwgpu_gpu_occupancy [[--times] ALGORITHM MxN]\n");
        return 2;
    }
    if (nwgpu::cuda::device_count() == 0) {
        std::printf("left out: %s\n", nwgpu::cuda::why_none().c_str());
        return 0;
    }
    try {
        if (times)
            show_times(parse_work(argv[2], argv[3]));
        else
            show_occupancy(argc == 1 ? all_works() : std::vector{parse_work(argv[1], argv[2])});
    } catch (std::exception const & error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
