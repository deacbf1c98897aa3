// SPDX-License-Identifier: BSD-3-Clause
// What the user asked for, as plain values, and the functions that teach CLI11 the options.
#pragma once

#include "alphabet.hpp"

#include <nwgpu/nwgpu.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cli {

struct ScoringOptions {
    std::optional<std::int32_t> match, mismatch, gap_open, gap_extend;
    std::string matrix;     // a built-in name or a file
    std::int32_t scale = 1; // of the matrix: a preset's
    std::string ambiguous;  // "match", a cost, or nothing: the default
    bool dna = false, protein = false, mask = false;
};

struct EngineOptions {
    std::string mode; // empty: global, or what a preset says
    std::vector<std::string> free_ends;
    std::vector<std::int64_t> band;           // none, or lower and upper
    std::string device = "auto", cigar_style; // empty: eqx
    std::string algorithm;                    // empty: the engine
    std::uint32_t top = 1;                    // alignments a pair
    std::int32_t threads = 0;
    std::uint64_t max_memory = 0, max_device_memory = 0;
    bool score_only = false, verify = false, every_cell = false;
    std::string checkpoint; // empty: none
    bool resume = false;
    double checkpoint_seconds = 0, deadline_seconds = 0; // 0: not given
    bool mpi = false;
    nwgpu_communicator const * communicator = nullptr; // of --mpi; null: this process alone
};

// What pictures show, see plot/pictures.hpp.
struct PlotOptions {
    std::string kind, title, order;          // empty: dots; the names; by place
    std::string query_region, target_region; // empty: all
    std::string queries, targets;            // FASTA files; empty: none
    std::vector<double> size;                // width and height; empty: the usual one
    std::uint64_t min_length = 0;            // columns
    std::uint64_t alignment = 0;             // number of the chosen one, from 1 on; 0: the longest
};

struct OutputOptions {
    std::string path = "-", format, read_group;
    std::vector<std::string> columns; // of tsv and json; none: the usual ones
    bool cs = false, sort = false;
    std::optional<int> compression_level;      // 0 to 9; nothing: 1 for BAM, else as htslib has it
    std::uint32_t width = 50, name_width = 13; // of `pair`: letters of a line, and of a name (0: all)
    PlotOptions plot;                          // of svg, png and html
    std::string command_line;                  // for @PG
};

// Alignments below these are rejected.
struct LimitOptions {
    std::optional<std::int64_t> min_score;
    double min_identity = 0, min_coverage = 0; // shares: of the columns, of the query
};

struct ReportOptions {
    bool verbose = false, quiet = false;
};

struct AlignOptions {
    ScoringOptions scoring;
    EngineOptions engine;
    OutputOptions output;
    LimitOptions limits;
    ReportOptions report;
    std::string query, target;
    std::string pair, pairs_file, preset, circular; // circular: query, target, or neither
    bool both_strands = false, one_strand = false;
    bool plan = false, comments = false; // comments of FASTQ are tags
};

struct RealignOptions {
    ScoringOptions scoring;
    EngineOptions engine;
    OutputOptions output;
    ReportOptions report;
    std::string reads, reference;
    std::int64_t margin = 0;
};

struct BenchOptions {
    std::vector<std::string> algorithms, lengths{"1000", "5000"};
    std::string suite, tsv, json;
    std::int32_t threads = 0;
    int repeat = 2;
    double time = 0; // seconds
    bool list = false, score_only = false;
};

void add_bench_options(CLI::App & command, BenchOptions & options);
void add_plot_options(CLI::App & command, AlignOptions & options);
void add_align_options(CLI::App & command, AlignOptions & options);
void add_realign_options(CLI::App & command, RealignOptions & options);

} // namespace cli
