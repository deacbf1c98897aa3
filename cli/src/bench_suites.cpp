// SPDX-License-Identifier: BSD-3-Clause
// The experiments of the four papers at their sizes, with the numbers that they print; charts without numbers have
// none.
#include "bench_suites.hpp"

#include <nwgpu/nwgpu.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <string_view>

namespace cli {

namespace {

constexpr std::uint64_t K = 1000, Ki = 1024;

// Names of the published algorithms of one paper, by its letter.
std::vector<std::string> algorithms_of(char paper)
{
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < nwgpu_algorithm_count(); ++i)
        if (nwgpu_algorithm_info const algorithm = nwgpu::describe_algorithm(i); algorithm.paper[0] == paper)
            names.emplace_back(algorithm.name);
    return names;
}

// Graphs 1 and 2: all algorithms at 23K x 23K; besides at smaller sizes, and those that keep no matrix beyond.
Suite thesis()
{
    Suite suite{"thesis", Experiment::thesis, {}};
    for (std::uint64_t const length : {1 * K, 2 * K, 5 * K, 10 * K, 23 * K}) {
        for (std::string const & name : algorithms_of('A'))
            suite.measurements.push_back({name, length, length, 0, "", ""});
        suite.measurements.push_back({"engine", length, length, 0, "", ""});
    }
    for (std::uint64_t const length : {50 * K, 100 * K})
        for (char const * const name :
             {"gpu7-mlsp-diagdiag", "gpu8-mlsp-diagdiag", "gpu9-mlsp-diagdiagdiag", "gpu10-mlsp-supertile", "engine"})
            suite.measurements.push_back({name, length, length, 0, "", ""});
    return suite;
}

// Figure 13.7: a query of 1024 and growing databases; 13.8: 128 against 16M; beyond: more rows than the paper's.
Suite rowscan()
{
    Suite suite{"rowscan", Experiment::rowscan, {}};
    auto const add = [&](std::uint64_t query, std::uint64_t target, double published, std::string const & where) {
        if (query >= 1024 && target <= 4 * Ki * Ki) // else it takes minutes
            suite.measurements.push_back({"antidiagonal", query, target, 0, "", ""});
        suite.measurements.push_back({"rowscan", query, target, published, published > 0 ? "s" : "", where});
        suite.measurements.push_back({"engine", query, target, 0, "", ""});
    };
    for (std::uint64_t const target : {Ki * Ki / 16, Ki * Ki / 4})
        add(1024, target, 0, "");
    add(1024, Ki * Ki, 1.0, "text of 13.4, about a second");
    add(1024, 4 * Ki * Ki, 0, "");
    add(128, 16 * Ki * Ki, 0, "");
    add(64 * Ki, Ki * Ki, 0, "");
    return suite;
}

// Figures 13.8 and 13.9: a query of 128 on more and more GPUs of this machine; and the text's longest query, on one, as
// an alignment of 1M letters can span all of the database.
Suite scaling()
{
    Suite suite{"scaling", Experiment::rowscan, {}};
    // At least one, whose line says why there is none; at most eight.
    std::uint64_t const count = std::clamp<std::uint64_t>(nwgpu_device_count(NWGPU_BACKEND_CUDA), 1, 8);
    auto const add = [&](std::uint64_t letters, std::uint64_t gpus, std::string const & scaling) {
        bool const known = scaling == "weak" && gpus == 1;
        suite.measurements.push_back({"rowscan:gpus=" + std::to_string(gpus), 128, letters, known ? 0.27 : 0,
                                      known ? "s" : "", known ? "text of 13.4, Tesla S1070; 0.35 s on 120" : "",
                                      scaling});
    };
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t gpus = 1; gpus <= count; gpus *= 2)
        numbers.push_back(gpus);
    for (std::uint64_t const gpus : numbers)
        add(16 * Ki * Ki, gpus, "strong");
    for (std::uint64_t const gpus : numbers)
        add(2 * Ki * Ki * gpus, gpus, "weak");
    suite.measurements.push_back({"rowscan:gpus=1", Ki * Ki, 4 * Ki * Ki, 4229, "s", "text of 13.4, Tesla S1070"});
    suite.measurements.push_back({"engine", Ki * Ki, 4 * Ki * Ki, 0, "", ""});
    return suite;
}

// Figures 7 and 8: 8K letters; speed-up over the serial code, and by blocks and threads.
Suite swat()
{
    Suite suite{"swat", Experiment::swat, {}};
    for (std::uint64_t const length : {1 * Ki, 2 * Ki, 4 * Ki, 8 * Ki}) {
        bool const largest = length == 8 * Ki;
        auto const add = [&](std::string const & name, double published) {
            bool const known = largest && published > 0;
            suite.measurements.push_back({name, length, length, known ? published : 0, known ? "x" : "",
                                          known ? "4.2 and 4.4, GTX 280 over a Core 2 Duo" : ""});
        };
        add("swat-serial", 1);
        add("swat-offload", 0);
        add("swat-coalesced", 5.2);
        add("swat-tiled", 0);
        add("swat-barrier", 8.6);
        for (char const * const name : {"swat-offload", "swat-coalesced", "swat-barrier"})
            for (char const * const grid : {"blocks=8,threads=256", "blocks=30,threads=256", "blocks=30,threads=512",
                                            "blocks=66,threads=256", "blocks=132,threads=1024"})
                if (largest)
                    add(std::string(name) + ":" + grid, 0);
        add("engine", 0);
    }
    return suite;
}

// Table 6.8: time against size; table 6.4: time against the number of blocks.  Lengths are the paper's, letters random.
// Other sizes, for the prediction of table 6.10, have unequal lengths.
Suite cudalign()
{
    Suite suite{"cudalign", Experiment::cudalign, {}};
    struct Row {
        std::uint64_t query, target;
        double seconds;
    };
    for (auto const & [query, target, seconds] :
         {Row{162114, 171823, 1.4}, Row{542868, 536165, 13.0}, Row{1044459, 1072950, 48.4}}) {
        suite.measurements.push_back({"cudalign", query, target, seconds, "s", "table 6.8, GTX 285"});
        suite.measurements.push_back({"engine", query, target, 0, "", ""});
    }
    for (auto const & [query, target] : {std::pair(50 * K, 400 * K),
                                         {400 * K, 50 * K},
                                         {100 * K, 1000 * K},
                                         {1000 * K, 100 * K},
                                         {300 * K, 300 * K},
                                         {700 * K, 350 * K}})
        suite.measurements.push_back({"cudalign", query, target, 0, "", ""});
    suite.measurements.push_back({"cudalign:blocks=2112", 3147090, 3282708, 0, "", ""});
    suite.measurements.push_back({"engine", 3147090, 3282708, 0, "", ""});
    for (auto const & [blocks, seconds] : {std::pair(30, 173.2), {60, 90.2}, {120, 57.6}, {240, 48.4}, {480, 48.8}})
        suite.measurements.push_back({"cudalign:blocks=" + std::to_string(blocks), 1044459, 1072950, seconds, "s",
                                      "table 6.4, T = 64, GTX 285"});
    for (int const blocks : {132, 264, 528, 1056, 2112, 4096})
        suite.measurements.push_back({"cudalign:blocks=" + std::to_string(blocks), 1044459, 1072950, 0, "", ""});
    return suite;
}

struct Maker {
    std::string_view name;
    Suite (*make)();
};
constexpr Maker makers[] = {
    {"thesis", thesis}, {"rowscan", rowscan}, {"scaling", scaling}, {"swat", swat}, {"cudalign", cudalign}};

} // namespace

int Measurement::gpus() const
{
    constexpr std::string_view name = "gpus=";
    int number = 0;
    if (std::size_t const at = algorithm.find(name); at != std::string::npos)
        std::from_chars(algorithm.data() + at + name.size(), algorithm.data() + algorithm.size(), number);
    return number;
}

std::vector<std::string> suite_names()
{
    std::vector<std::string> names;
    for (Maker const & maker : makers)
        names.emplace_back(maker.name);
    return names;
}

Suite suite(std::string const & name)
{
    return std::find_if(std::begin(makers), std::end(makers), [&](Maker const & m) { return m.name == name; })->make();
}

Experiment experiment_of(std::string const & algorithm)
{
    std::string const name = algorithm.substr(0, algorithm.find(':'));
    for (auto const & [letter, experiment] :
         {std::pair('B', Experiment::rowscan), {'C', Experiment::swat}, {'D', Experiment::cudalign}})
        for (std::string const & other : algorithms_of(letter))
            if (other == name)
                return experiment;
    return Experiment::thesis;
}

} // namespace cli
