// SPDX-License-Identifier: BSD-3-Clause
// The table of workloads.  The targets that belong to them are in run.py, the reading of real data in real_data.cpp.
#include "workloads.hpp"

#include "generator.hpp"
#include "real_data.hpp"

#include <string_view>
#include <thread>

namespace performance {

namespace {

char const * text(Span span) { return span == Span::global ? "global" : span == Span::local ? "local" : "semiglobal"; }
char const * text(Output output) { return output == Output::score ? "score" : "cigar"; }

Pairs one(std::string query, std::string target)
{
    Pairs pairs;
    pairs.queries.push_back(std::move(query));
    pairs.targets.push_back(std::move(target));
    return pairs;
}

Pairs protein_pair(std::string const & name, std::size_t length)
{
    Random random{name};
    std::string const query = random_protein(random, length);
    return one(query, homologous_protein(random, query));
}

Pairs dna_pair(std::string const & name, std::size_t length, double divergence)
{
    Random random{name};
    std::string const query = random_dna(random, length);
    return one(query, mutated_dna(random, query, divergence));
}

Pairs unrelated_pair(std::string const & name, std::size_t length)
{
    Random random{name};
    std::string query = random_dna(random, length);
    return one(std::move(query), random_dna(random, length));
}

// 5 % divergence and five events of 2 to 6 kb, or a tenth of that below 100 kb.
Pairs structured_pair(std::string const & name, std::size_t length)
{
    Random random{name};
    std::string const query = random_dna(random, length);
    std::size_t const unit = length < 100000 ? 200 : 2000;
    return one(query, mutated_dna(random, restructured_dna(random, query, unit, 3 * unit), 0.05));
}

// Reads of 150 letters at 5 % from anywhere within their targets of 200.
Pairs read_pairs(std::size_t count)
{
    Random random{"reads"};
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        std::string const target = random_dna(random, 200);
        std::string read = mutated_dna(random, std::string_view{target}.substr(random.below(31)), 0.05);
        read.resize(150, 'A');
        pairs.queries.push_back(std::move(read));
        pairs.targets.push_back(target);
    }
    return pairs;
}

// The same as short reads are read.
Pairs short_read_pairs(std::size_t count)
{
    Random random{"short-reads"};
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        pairs.targets.push_back(random_dna(random, 200));
        std::string const & target = pairs.targets.back();
        pairs.queries.push_back(sequenced_dna(random, std::string_view{target}.substr(random.below(50), 150)));
    }
    return pairs;
}

// Reads of 1 kb at 5 %, somewhere in 1.2 kb.
Pairs window_pairs(std::size_t count)
{
    Random random{"windows"};
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        std::string const target = random_dna(random, 1200);
        pairs.queries.push_back(mutated_dna(random, std::string_view{target}.substr(random.below(201), 1000), 0.05));
        pairs.targets.push_back(target);
    }
    return pairs;
}

Pairs dna_pairs(std::string const & name, std::size_t count, std::size_t length, double divergence)
{
    Random random{name};
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        std::string query = random_dna(random, length);
        pairs.targets.push_back(mutated_dna(random, query, divergence));
        pairs.queries.push_back(std::move(query));
    }
    return pairs;
}

Pairs protein_pairs_of(std::size_t count, std::size_t length)
{
    Random random{"proteins of one length"};
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        std::string query = random_protein(random, length);
        pairs.targets.push_back(homologous_protein(random, query));
        pairs.queries.push_back(std::move(query));
    }
    return pairs;
}

Pairs protein_pairs(std::size_t count)
{
    Random random{"proteins"};
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        std::string query = random_protein(random, 100 + random.below(501));
        pairs.targets.push_back(homologous_protein(random, query));
        pairs.queries.push_back(std::move(query));
    }
    return pairs;
}

struct Builder {
    std::vector<Workload> list;

    void add(std::string const & data, Task task, Shape shape, bool quick, bool heavy, std::function<Pairs()> make)
    {
        list.push_back(
            {data + "/" + text(task.span) + "/" + text(task.output), task, shape, quick, heavy, std::move(make)});
    }

    void one_pair()
    {
        for (std::size_t length : {400, 2000, 10000, 23000})
            for (Span span : {Span::global, Span::local})
                for (Output output : {Output::score, Output::cigar}) {
                    std::string const data = "one/protein-" + std::to_string(length);
                    add(data, {Scheme::protein, span, output, 1}, {1, length, length}, length <= 2000, false,
                        [=] { return protein_pair(data, length); });
                }
        for (std::size_t length : {10000, 100000})
            for (Span span : {Span::global, Span::local})
                for (Output output : {Output::score, Output::cigar}) {
                    std::string const data = "one/dna-" + std::to_string(length / 1000) + "k";
                    add(data, {Scheme::dna, span, output, 1}, {1, length, length},
                        length == 10000 && span == Span::global, length > 10000,
                        [=] { return dna_pair(data, length, 0.15); });
                }
    }

    void batch()
    {
        for (std::size_t count : {2000, 100000}) // the small batch also runs peers that are too slow for the large one
            for (Span span : {Span::global, Span::semi_global, Span::local})
                for (Output output : {Output::score, Output::cigar})
                    add("batch/reads-" + std::to_string(count / 1000) + "k", {Scheme::dna, span, output, 1},
                        {count, 150, 200}, count == 2000, false, [=] { return read_pairs(count); });
        for (Span span : {Span::semi_global, Span::local})
            for (Output output : {Output::score, Output::cigar})
                add("batch/short-reads-100k", {Scheme::dna, span, output, 1}, {100000, 150, 200}, false, false,
                    [] { return short_read_pairs(100000); });
        for (Output output : {Output::score, Output::cigar})
            add("batch/windows-3k", {Scheme::dna, Span::semi_global, output, 1}, {3000, 1000, 1200}, false, false,
                [] { return window_pairs(3000); });
        for (Span span : {Span::global, Span::local})
            for (Output output : {Output::score, Output::cigar})
                add("batch/protein-20k", {Scheme::protein, span, output, 1}, {20000, 600, 660}, false, false,
                    [] { return protein_pairs(20000); });
        // The pairs that run.py also gives to the command `nwgpu align`.
        add("command/protein-1000", {Scheme::protein, Span::global, Output::cigar, 1}, {1000, 600, 660}, true, false,
            [] { return protein_pairs(1000); });
    }

    void similar()
    {
        struct {
            char const * family;
            Scheme scheme;
            char const * peers;
        } const families[] = {{"similar/", Scheme::dna, "wfa2 ksw2"},
                              {"penalties/", Scheme::penalties, "wfa2 ksw2"},
                              {"edit/", Scheme::edit, "wfa2 edlib"}};
        struct {
            char const * name;
            std::size_t pairs, length;
        } const lengths[] = {{"1k", 100, 1000}, {"10k", 1, 10000}, {"100k", 1, 100000}, {"1m", 1, 1000000}};
        for (auto const & [family, scheme, peers] : families)
            for (auto const & [name, count, length] : lengths)
                for (char const * percent : {"0.01", "0.1", "0.5", "1", "5", "15"}) {
                    std::string const data = std::string{family} + name + "-" + percent + "pct";
                    double const divergence = std::stod(percent) / 100;
                    bool const distant = divergence > 0.01, huge = length > 100000;
                    add(data, {scheme, Span::global, Output::cigar, 1}, {count, length, length},
                        length <= 10000 && divergence >= 0.01, length > 10000 && distant,
                        [=, pairs = count, size = length] { return dna_pairs(data, pairs, size, divergence); });
                    list.back().peers = huge && distant ? "none" : peers; // BiWFA and edlib would take hours
                }
    }

    void similar_local()
    {
        for (std::size_t length : {10000, 100000})
            for (char const * percent : {"1", "5", "15"})
                for (Output output : {Output::score, Output::cigar}) {
                    std::string const data =
                        "local/" + std::to_string(length / 1000) + "k-" + std::string{percent} + "pct";
                    double const divergence = std::stod(percent) / 100;
                    bool const big = length > 10000;
                    add(data, {Scheme::dna, Span::local, output, 1}, {1, length, length}, !big, big,
                        [=] { return dna_pairs(data, 1, length, divergence); });
                    list.back().peers = big && output == Output::cigar ? "none" : "parasail ssw";
                }
    }

    void different()
    {
        struct {
            char const * name;
            std::size_t length;
        } const lengths[] = {{"10k", 10000}, {"100k", 100000}, {"1m", 1000000}};
        for (auto [name, length] : lengths) {
            bool const big = length > 10000, huge = length > 100000;
            Shape const shape{1, length, length};
            // run.py divides these by unrelated/*/score: our full matrix has no switch of its own.
            std::string const structure = std::string{"structure/"} + name;
            add(structure, {Scheme::dna, Span::global, Output::cigar, 1}, shape, !big, big,
                [=] { return structured_pair(structure, length); });
            list.back().peers = "wfa2 ksw2";
            std::string const unrelated = std::string{"unrelated/"} + name;
            for (Output output : {Output::cigar, Output::score}) {
                add(unrelated, {Scheme::dna, Span::global, output, 1}, shape, !big, big,
                    [=] { return unrelated_pair(unrelated, length); });
                list.back().peers = huge ? "none" : "wfa2 ksw2"; // BiWFA would take hours
            }
        }
    }

    void threads()
    {
        for (int count : {1, 2}) {
            std::string const suffix = "/t" + std::to_string(count);
            for (Output output : {Output::score, Output::cigar}) {
                add("threads/dna-100k", {Scheme::dna, Span::global, output, count}, {1, 100000, 100000}, false, true,
                    [] { return dna_pair("threads/dna-100k", 100000, 0.15); });
                list.back().name += suffix;
                add("threads/reads-100k", {Scheme::dna, Span::global, output, count}, {100000, 150, 200}, true, false,
                    [] { return read_pairs(100000); });
                list.back().name += suffix;
            }
        }
    }

    // What fills a machine, with 1, 2, 4 ... threads.  Peers without threads get a plain loop over pairs.
    void scaling()
    {
        constexpr Scheme dna = Scheme::dna, protein = Scheme::protein;
        constexpr Span global = Span::global, local = Span::local;
        constexpr Output score = Output::score, cigar = Output::cigar;
        for (int count = 1; count <= 32 && count <= static_cast<int>(std::thread::hardware_concurrency()); count *= 2) {
            auto const row = [&](std::string const & name, Task task, Shape const & shape, std::string const & peers,
                                 std::function<Pairs()> make) {
                task.threads = count;
                bool const long_pairs = shape.query >= 10000;
                add("scaling/" + name, task, shape, false, long_pairs, std::move(make));
                list.back().name += "/t" + std::to_string(count);
                list.back().peers = peers;
            };
            for (Output output : {score, cigar})
                row("reads-400k", {dna, Span::semi_global, output, 1}, {400000, 150, 200}, "",
                    [] { return read_pairs(400000); });
            row("windows-20k", {dna, Span::semi_global, cigar, 1}, {20000, 1000, 1200}, "",
                [] { return window_pairs(20000); });
            row("short-reads-400k", {dna, Span::semi_global, cigar, 1}, {400000, 150, 200}, "",
                [] { return short_read_pairs(400000); });
            struct {
                char const * name;
                std::size_t pairs, length;
            } const batches[] = {
                {"1k", 20000, 1000}, {"3k", 4000, 3000}, {"10k", 500, 10000}, {"30k", 64, 30000}, {"100k", 48, 100000}};
            for (auto const & [name, pairs, length] : batches)
                row(std::string{"dna-"} + name, {dna, global, cigar, 1}, {pairs, length, length}, "wfa2 ksw2",
                    [pairs = pairs, length = length] { return dna_pairs("dna", pairs, length, 0.05); });
            row("band-10k", {dna, global, cigar, 1, 500}, {500, 10000, 10000}, "none",
                [] { return dna_pairs("dna", 500, 10000, 0.05); });
            row("last-end-10k", {dna, local, cigar, 1, 0, true}, {500, 10000, 10000}, "none",
                [] { return dna_pairs("dna", 500, 10000, 0.05); });
            for (std::size_t length : {400, 2000})
                row("protein-" + std::to_string(length), {protein, local, cigar, 1},
                    {length == 400 ? std::size_t{20000} : std::size_t{1000}, length, length}, "parasail",
                    [length] { return protein_pairs_of(length == 400 ? 20000 : 1000, length); });
            row("one-200k", {dna, local, score, 1}, {1, 200000, 200000}, "none",
                [] { return unrelated_pair("scaling/one-200k", 200000); });
            row("one-200k", {dna, global, cigar, 1}, {1, 200000, 200000}, "none",
                [] { return unrelated_pair("scaling/one-200k", 200000); });
            for (int percent : {1, 5}) {
                std::string const name = "one-1m-" + std::to_string(percent) + "pct";
                row(name, {dna, global, cigar, 1}, {1, 1000000, 1000000}, "none",
                    [=] { return dna_pair("scaling/" + name, 1000000, percent / 100.0); });
            }
        }
    }

    void real()
    {
        for (RealPair const & pair : real_pairs())
            for (Span span : {Span::global, Span::local})
                for (Output output : {Output::score, Output::cigar}) {
                    Task const task{pair.scheme, span, output, 1};
                    add("real/" + pair.name, task, {1, pair.length, pair.length}, false, pair.length > 20000,
                        [pair] { return one(read_record(pair.query), read_record(pair.target)); });
                }
    }
};

} // namespace

std::string refusal(Workload const & workload, Peer const & peer)
{
    std::string const name = peer.name(), first_word = name.substr(0, name.find('-'));
    if (!workload.peers.empty() && first_word != "nwgpu" &&
        (' ' + workload.peers + ' ').find(' ' + first_word + ' ') == std::string::npos)
        return "far behind the peers of this workload";
    return peer.refusal(workload.task, workload.shape);
}

std::vector<Workload> const & workloads()
{
    static std::vector<Workload> const list = [] {
        Builder builder;
        builder.one_pair();
        builder.batch();
        builder.similar();
        builder.similar_local();
        builder.different();
        builder.threads();
        builder.scaling();
        builder.real();
        return std::move(builder.list);
    }();
    return list;
}

} // namespace performance
