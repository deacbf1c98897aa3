// SPDX-License-Identifier: BSD-3-Clause
// Reading the shared test data; see data.hpp.
#include "support/data.hpp"

#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace nwgpu::test {

std::string data_path(std::string const & file)
{
    char const * const chosen = std::getenv("NWGPU_SHARED_DATA");
    return std::string{chosen ? chosen : NWGPU_SHARED_DATA} + "/" + file;
}

bool has_data(std::string const & file) { return std::filesystem::exists(data_path(file)); }

std::string read_text(std::string const & file)
{
    std::unique_ptr<gzFile_s, int (*)(gzFile)> const in{gzopen(data_path(file).c_str(), "rb"), gzclose};
    if (!in)
        throw std::runtime_error{"cannot open " + data_path(file)};
    std::string text;
    std::vector<char> buffer(1 << 16);
    int got = 0;
    while ((got = gzread(in.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0)
        text.append(buffer.data(), static_cast<std::size_t>(got));
    if (got < 0)
        throw std::runtime_error{"cannot read " + data_path(file)};
    return text;
}

std::vector<std::string> read_lines(std::string const & file)
{
    std::vector<std::string> lines;
    std::istringstream in{read_text(file)};
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::vector<FastaRecord> read_fasta(std::string const & file)
{
    std::vector<FastaRecord> records;
    for (std::string const & line : read_lines(file)) {
        if (!line.empty() && line[0] == '>')
            records.push_back({line.substr(1), {}});
        else if (!records.empty())
            records.back().sequence += line;
    }
    return records;
}

std::vector<std::map<std::string, std::string>> read_table(std::string const & file)
{
    auto const split = [](std::string const & line) {
        std::vector<std::string> fields(1);
        for (char const letter : line) {
            if (letter == '\t')
                fields.emplace_back();
            else
                fields.back() += letter;
        }
        return fields;
    };
    std::vector<std::string> const lines = read_lines(file);
    std::vector<std::string> const header = split(lines.at(0));
    std::vector<std::map<std::string, std::string>> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        std::vector<std::string> const fields = split(lines[i]);
        rows.emplace_back();
        for (std::size_t column = 0; column < header.size(); ++column)
            rows.back()[header[column]] = column < fields.size() ? fields[column] : "";
    }
    return rows;
}

std::string reverse_complement(std::string const & dna)
{
    static std::string const from = "ACGTacgt", to = "TGCAtgca";
    std::string result{dna.rbegin(), dna.rend()};
    for (char & letter : result)
        if (std::size_t const at = from.find(letter); at != std::string::npos)
            letter = to[at];
    return result;
}

} // namespace nwgpu::test
