// SPDX-License-Identifier: BSD-3-Clause
// Reads the shared test data: FASTA and tables, gzip or plain, below NWGPU_SHARED_DATA.  A test that needs a file
// which is not there skips itself with a message (macro NWGPU_NEEDS_DATA).
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nwgpu::test {

struct FastaRecord {
    std::string name, sequence; // name: the whole line without '>'
};

std::string data_path(std::string const & file); // absolute path of a file of the shared data
bool has_data(std::string const & file);
std::string read_text(std::string const & file); // decompressed; throws std::runtime_error
std::vector<FastaRecord> read_fasta(std::string const & file);
std::vector<std::string> read_lines(std::string const & file);
// Tab-separated with a header line: one map from column name to value per row.
std::vector<std::map<std::string, std::string>> read_table(std::string const & file);
std::string reverse_complement(std::string const & dna); // ACGTN, case kept

} // namespace nwgpu::test

#define NWGPU_NEEDS_DATA(file)                                                                                         \
    if (!::nwgpu::test::has_data(file))                                                                                \
    GTEST_SKIP() << "no " << ::nwgpu::test::data_path(file) << " (set NWGPU_SHARED_DATA)"
