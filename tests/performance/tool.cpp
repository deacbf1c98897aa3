// SPDX-License-Identifier: BSD-3-Clause
// Small measurements that need a process of their own; run.py starts it and reads one line of key=value.
//   memory LENGTH DIVERGENCE score|cigar   align one DNA pair globally; peak resident memory and time
//   clock                                  the clock rate, from a chain of dependent additions
//   reads COUNT QUERIES TARGETS            write reads of 150 letters as FASTQ, with targets of 200 as FASTA
//   scaling ROUNDS THREADS... [NAME]       the workloads scaling/* with so many threads, each beside the first number;
//                                          with NAME, those with it in their names
//   fasta QUERIES TARGETS                  write the 1000 protein pairs of command/protein-1000 as two files
// DIVERGENCE is a percentage; 100 means two unrelated sequences.
#include "generator.hpp"
#include "peers/peer.hpp"
#include "peers/prediction.hpp"
#include "workloads.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace performance;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Not ru_maxrss where there is /proc: that one survives exec, so it may be the peak of the process that started us.
long peak_kib()
{
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0)
            return std::stol(line.substr(6));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

struct Usage { // of all threads of this process, so far
    double user = 0, system = 0;
    long faults = 0; // of pages that were not read from a file
};

Usage usage()
{
    rusage seen{};
    getrusage(RUSAGE_SELF, &seen);
    auto const seconds = [](timeval const & t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return {seconds(seen.ru_utime), seconds(seen.ru_stime), seen.ru_minflt};
}

double processor_seconds()
{
    Usage const seen = usage();
    return seen.user + seen.system;
}

void memory(std::size_t length, double percent, Output output)
{
    Random random{"memory"};
    Pairs pairs;
    pairs.queries.push_back(random_dna(random, length));
    pairs.targets.push_back(percent >= 100 ? random_dna(random, length)
                                           : mutated_dna(random, pairs.queries[0], percent / 100));
    Peers peers;
    add_nwgpu(peers);
    auto const session = peers[0]->open({Scheme::dna, Span::global, output, 1}, pairs);
    long const before = peak_kib();
    double const processor_start = processor_seconds();
    auto const start = Clock::now();
    std::int64_t const score = session->align(nullptr);
    double const wall = seconds_since(start), cpu = processor_seconds() - processor_start;
    std::printf("wall=%.6f cpu=%.6f peak_kib=%ld before_kib=%ld score=%lld\n", wall, cpu, peak_kib(), before,
                static_cast<long long>(score));
}

// One addition per cycle on every processor of interest; the empty asm keeps the chain as it is.
void clock_rate()
{
    constexpr std::uint64_t rounds = 50000000;
    double best = 0;
    for (int repetition = 0; repetition < 5; ++repetition) {
        std::uint64_t value = 1;
        double const start = processor_seconds();
        auto const step = [&value] {
            value += 3;
            asm volatile("" : "+r"(value));
        };
        for (std::uint64_t i = 0; i < rounds; ++i) { // eight a round, written out: the loop itself must not show
            step(), step(), step(), step();
            step(), step(), step(), step();
        }
        double const rate = 8 * static_cast<double>(rounds) / (processor_seconds() - start) / 1e9;
        best = rate > best ? rate : best;
    }
    std::printf("ghz=%.3f\n", best);
}

void write_fasta(char const * path, char const * prefix, std::vector<std::string> const & sequences)
{
    std::FILE * file = std::fopen(path, "w");
    if (!file)
        throw std::runtime_error(std::string{"cannot write "} + path);
    for (std::size_t i = 0; i < sequences.size(); ++i)
        std::fprintf(file, ">%s%zu\n%s\n", prefix, i, sequences[i].c_str());
    if (std::fclose(file) != 0)
        throw std::runtime_error(std::string{"cannot write "} + path);
}

void fasta(char const * queries, char const * targets)
{
    for (Workload const & workload : workloads())
        if (workload.name.rfind("command/", 0) == 0) {
            Pairs const pairs = workload.make();
            write_fasta(queries, "pair", pairs.queries);
            write_fasta(targets, "pair", pairs.targets);
        }
}

// With names and qualities as sequencers write them.
void write_reads(std::size_t count, char const * queries, char const * targets)
{
    Random random{"read files"};
    std::FILE * const reads = std::fopen(queries, "w");
    std::FILE * const whole = std::fopen(targets, "w");
    if (!reads || !whole)
        throw std::runtime_error("cannot write reads");
    std::string const levels = "FFFFFFFF:,#";
    for (std::size_t i = 0; i < count; ++i) {
        std::string const target = random_dna(random, 200);
        std::string read = mutated_dna(random, std::string_view{target}.substr(random.below(31)), 0.05);
        read.resize(150, 'A');
        std::string qualities(read.size(), 'F');
        std::uint64_t bits = 0;
        for (char & quality : qualities) {
            bits = bits < levels.size() ? random.next() : bits / levels.size();
            quality = levels[bits % levels.size()];
        }
        std::fprintf(reads, "@A00123:45:HXXXXDSXX:1:%zu:%zu:%zu 1:N:0:ACGT\n%s\n+\n%s\n", 1101 + i / 1000000,
                     1000 + i / 1000 % 1000, 1000 + i % 1000, read.c_str(), qualities.c_str());
        std::fprintf(whole, ">target%zu\n%s\n", i, target.c_str());
    }
    if (std::fclose(reads) != 0 || std::fclose(whole) != 0)
        throw std::runtime_error("cannot write reads");
}

bool are_equal(std::vector<Alignment> const & a, std::vector<Alignment> const & b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](Alignment const & one, Alignment const & other) {
        return one.score == other.score && one.query_begin == other.query_begin && one.query_end == other.query_end &&
               one.target_begin == other.target_begin && one.target_end == other.target_end && one.runs == other.runs;
    });
}

// The first call of each number of threads is not timed: its answers are compared with those of the first number.
// "beside": by how many percent a thread takes longer for each one more beside it; at the end the median of workloads
// with enough pairs for each thread, as those of few pairs wait for each other.  "cpu", "system" and "faults" are those
// of one call; "busy": processor time, in percent of what all threads had, who waits awake included; what that of all
// threads is beyond one thread's time, they work more.
void scaling(int rounds, std::vector<int> const & thread_counts, std::string const & name)
{
    constexpr double most_seconds = 2;
    constexpr std::size_t least_pairs = 20;    // for each thread
    std::map<int, std::vector<double>> beside; // by threads, of rows with many pairs
    Peers peers;
    add_nwgpu(peers);
    std::printf("%-36s %8s %10s %8s %10s %8s %10s %9s %8s %6s %6s\n", "workload", "threads", "ms", "times", "predicted",
                "beside", "cpu ms", "system ms", "faults", "busy", "equal");
    for (Workload const & workload : workloads()) {
        if (workload.name.rfind("scaling/", 0) != 0 || workload.task.threads != 1 ||
            workload.name.find(name) == std::string::npos)
            continue;
        Pairs const pairs = workload.make();
        std::vector<Alignment> first;
        double first_seconds = 0;
        for (int const threads : thread_counts) {
            Task task = workload.task;
            task.threads = threads;
            auto const session = peers[0]->open(task, pairs);
            std::vector<Alignment> answers;
            session->align(&answers);
            std::vector<double> seconds;
            double all = 0; // long ones are timed less often
            Usage const before = usage();
            for (int round = 0; round < rounds && all < most_seconds; ++round) {
                auto const start = Clock::now();
                session->align(nullptr);
                seconds.push_back(seconds_since(start));
                all += seconds.back();
            }
            Usage const after = usage();
            double const calls = static_cast<double>(seconds.size()), system = after.system - before.system,
                         processor = after.user - before.user + system;
            std::sort(seconds.begin(), seconds.end());
            double const median = seconds[seconds.size() / 2];
            bool const is_first = first_seconds == 0, equal = is_first || are_equal(first, answers);
            if (is_first) {
                first_seconds = median;
                first = std::move(answers);
            }
            double const times = first_seconds / median,
                         one_more = is_first ? 0 : 100 * (threads / times - 1) / (threads - 1);
            std::printf("%-36s %8d %10.2f %8.2f %10.2f %7.2f%% %10.2f %9.2f %8.0f %5.0f%% %6s\n", workload.name.c_str(),
                        threads, 1e3 * median, times, 1e3 * predicted_seconds(task, pairs), one_more,
                        1e3 * processor / calls, 1e3 * system / calls,
                        static_cast<double>(after.faults - before.faults) / calls, 100 * processor / (all * threads),
                        equal ? "yes" : "NO");
            std::fflush(stdout);
            if (!is_first && pairs.queries.size() >= least_pairs * static_cast<std::size_t>(threads))
                beside[threads].push_back(one_more);
        }
    }
    for (auto & [threads, rows] : beside) {
        std::sort(rows.begin(), rows.end());
        std::printf("beside one more, %d threads: median %.2f%%, %.2f%% to %.2f%%, %zu workloads\n", threads,
                    rows[rows.size() / 2], rows.front(), rows.back(), rows.size());
    }
}

} // namespace

int main(int argc, char ** argv)
try {
    std::string const what = argc > 1 ? argv[1] : "";
    if (what == "memory" && argc == 5)
        memory(std::strtoull(argv[2], nullptr, 10), std::strtod(argv[3], nullptr),
               std::strcmp(argv[4], "cigar") == 0 ? Output::cigar : Output::score);
    else if (what == "clock" && argc == 2)
        clock_rate();
    else if (what == "reads" && argc == 5)
        write_reads(std::strtoull(argv[2], nullptr, 10), argv[3], argv[4]);
    else if (what == "scaling" && argc >= 4) {
        std::vector<int> threads;
        for (int i = 3; i < argc && std::isdigit(static_cast<unsigned char>(argv[i][0])); ++i)
            threads.push_back(std::max(1, std::atoi(argv[i])));
        bool const named = threads.size() + 3 < static_cast<std::size_t>(argc);
        scaling(std::max(1, std::atoi(argv[2])), threads, named ? argv[argc - 1] : "");
    } else if (what == "fasta" && argc == 4)
        fasta(argv[2], argv[3]);
    else
        return std::fputs(
                   "usage: memory LENGTH DIVERGENCE score|cigar | clock | reads COUNT QUERIES TARGETS | scaling ROUNDS "
                   "THREADS... [NAME] | fasta QUERIES TARGETS\n",
                   stderr),
               2;
} catch (std::exception const & error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
