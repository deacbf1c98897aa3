// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as FASTA or FASTQ, plain or compressed, and as a list of pairs: records, or a Failure that names the file.
#include <algorithm>
#include <memory>

#include "failure.hpp"
#include "fuzz/bytes.hpp"
#include "pairing.hpp"
#include "sequence_reader.hpp"
#include "support/memory_file.hpp"

using nwgpu::fuzz::demand;
using nwgpu::test::MemoryFile;

namespace {

void read_sequences(std::string const & path, bool mask)
{
    cli::Alphabet alphabet;
    alphabet.mask = mask;
    std::copy_n(nwgpu_alphabet_letter_codes("dna"), 256, alphabet.codes.begin());
    cli::SequenceReader reader{path, true};
    cli::SequenceSet set;
    reader.first();
    reader.use_alphabet(alphabet);
    while (reader.read(set)) {
        std::uint64_t const last = set.size() - 1;
        demand(set.quality(last).empty() || set.quality(last).size() == set.length(last), "a quality for each letter");
        bool is_valid = true;
        for (std::uint8_t const letter : set.letters(last))
            is_valid &= alphabet.codes[letter] != 255;
        demand(is_valid || !set.fault(last).empty(), "other letters than those of the alphabet are a fault");
    }
    demand(set.size() >= 1, "first() throws on an empty file");
}

void read_pairs(std::string const & path)
{
    static std::string const records = ">a\nACGT\n>b\nGG\n>c with words\n\n";
    MemoryFile const sequences{records};
    cli::SequenceReader queries{sequences.path()}, targets{sequences.path()};
    cli::AlignOptions options;
    options.pairs_file = path;
    cli::BatchSize const size{.letters = 16}; // several batches
    std::unique_ptr<cli::Pairing> const pairing = cli::make_pairing(options, queries, targets, false, false, size);
    for (cli::Batch batch; pairing->next(batch); batch = {})
        for (nwgpu_pair const & pair : batch.pairs)
            demand(pair.query < 3 && pair.target < 3, "indices of records");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const * data, std::size_t size)
{
    if (size == 0)
        return 0;
    MemoryFile const file{{reinterpret_cast<char const *>(data + 1), size - 1}};
    try {
        if (data[0] % 3 == 0)
            read_pairs(file.path());
        else
            read_sequences(file.path(), data[0] % 3 == 1);
    } catch (cli::Failure const & failure) {
        demand(std::string{failure.what()}.find("/proc/self/fd/") != std::string::npos, "the message names the file");
    }
    return 0;
}
