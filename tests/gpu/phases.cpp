// SPDX-License-Identifier: BSD-3-Clause
// Paper A, graph 5: what a call of each of its algorithms does with its time, as the matrix grows from 20 x 20 to
// 23700 x 23700 in 30 steps of equal area.  One line for each, with tabs, in milliseconds:
//
//     nwgpu_gpu_phases [ALGORITHM ...]      none: all of the thesis that this machine can run
//
//     allocate             memory for the matrix.  On a GPU: how much longer a call takes after trim(), which gives the
//                          device's memory back, since a context keeps what it has allocated; on the CPU: new pages
//     align                the scores, by a call that needs no path
//     allocate_traceback   new pages for the matrix or the headers that a GPU sends to the host
//     traceback            what a call with the path takes in addition: copies and the walk
//
// Each is the best of three.  New pages are measured apart, by writing to as many of them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "published/engine.hpp"
#include "published/registry.hpp"
#include "support/cases.hpp"

namespace nwgpu::test {
namespace {

template <class Work>
double best_milliseconds(Work const & work)
{
    double best = 1e300;
    for (int k = 0; k < 3; ++k) {
        auto const begin = std::chrono::steady_clock::now();
        work();
        std::chrono::duration<double, std::milli> const time = std::chrono::steady_clock::now() - begin;
        best = std::min(best, time.count());
    }
    return best;
}

void touch_new_pages(std::uint64_t bytes)
{
    auto const memory = std::make_unique_for_overwrite<char[]>(bytes + 1);
    for (std::uint64_t k = 0; k <= bytes; k += 4096)
        static_cast<char volatile *>(memory.get())[k] = 1;
}

void print_phases(published::Algorithm const & algorithm, std::uint64_t length)
{
    bool const on_gpu = algorithm.processor == published::Processor::cuda;
    Scheme const s = named_matrix("BLOSUM62", {0, 11}, "ARNDCQEGHILKMFPSTWYV");
    auto const backend = published::make_engine(algorithm.name, {});
    Random random{36};
    PairSet const set{{random_pair(random, Model::mutated, length, length, s.letters)}, s.scoring};
    auto const call = [&](Output output) {
        BatchResult const result = align(*backend, set.batch(), s.scoring, {{}, output, CigarStyle::eqx});
        if (result.status[0] != Status::ok)
            throw Error{result.status[0], result.failures.message(0)};
    };
    call(Output::cigar); // whatever happens once
    double const align = best_milliseconds([&] { call(Output::score); });
    double const path = best_milliseconds([&] { call(Output::cigar); });
    double const after_trim = best_milliseconds([&] {
        backend->trim();
        call(Output::cigar);
    });
    published::Choice const choice = published::parse_choice(algorithm.name);
    double const pages =
        best_milliseconds([&] { touch_new_pages(algorithm.memory(length, length, choice.values).host); });
    std::printf("%s\t%llu\t%.3f\t%.3f\t%.3f\t%.3f\n", algorithm.name, static_cast<unsigned long long>(length),
                on_gpu ? std::max(0.0, after_trim - path) : pages, on_gpu ? align : std::max(0.0, align - pages),
                on_gpu ? pages : 0.0, std::max(0.0, path - align - (on_gpu ? pages : 0.0)));
    std::fflush(stdout);
}

void print_all(std::vector<std::string> const & chosen)
{
    std::printf("algorithm\tlength\tallocate\talign\tallocate_traceback\ttraceback\n");
    for (published::Algorithm const & algorithm : published::algorithms()) {
        bool const is_chosen = std::find(chosen.begin(), chosen.end(), algorithm.name) != chosen.end();
        bool const can_run = algorithm.processor == published::Processor::cpu || cuda::device_count() > 0;
        if (!is_chosen && (!chosen.empty() || algorithm.paper[0] != 'A' || !can_run))
            continue;
        constexpr double first = 20.0 * 20, last = 23700.0 * 23700;
        for (int k = 0; k < 30; ++k)
            print_phases(algorithm, static_cast<std::uint64_t>(std::sqrt(first + (last - first) * k / 29) + 0.5));
    }
}

} // namespace
} // namespace nwgpu::test

int main(int count, char ** words)
{
    try {
        nwgpu::test::print_all({words + 1, words + count});
    } catch (std::exception const & error) {
        std::fprintf(stderr, "nwgpu_gpu_phases: %s\n", error.what());
        return 1;
    }
}
