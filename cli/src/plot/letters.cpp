// SPDX-License-Identifier: BSD-3-Clause
// Letters decide what is equal wherever both sides are known; else the file's word is taken.
#include "plot/letters.hpp"

#include "failure.hpp"
#include "sequence_reader.hpp"

namespace cli {

namespace {

std::string_view as_text(std::span<std::uint8_t const> letters)
{
    return {reinterpret_cast<char const *>(letters.data()), letters.size()};
}

} // namespace

SequenceFile::SequenceFile(std::string const & path) : path_(path)
{
    if (path.empty())
        return;
    SequenceReader reader(path);
    reader.first(); // throws where there is none
    reader.read_all(records_);
    for (std::uint64_t i = 0; i < records_.size(); ++i)
        index_.emplace(records_.name(i), i);
}

std::string_view SequenceFile::letters(std::string_view name, std::uint64_t length) const
{
    if (!given())
        return "";
    auto const found = index_.find(name);
    if (found == index_.end())
        throw Failure(text(path_, ": no record '", name, "', which an alignment names"));
    if (records_.length(found->second) != length)
        throw Failure(text(path_, ": '", name, "' has ", records_.length(found->second),
                           " letters, in the alignments it has ", length));
    return as_text(records_.letters(found->second));
}

PathReader::PathReader(PlotAlignment & into, LetterEquality const & equal, std::string_view query,
                       std::string_view target, bool keep_letters) :
    into_(into), equal_(equal), query_(query), target_(target), keep_letters_(keep_letters)
{}

void PathReader::run(char op, std::uint64_t length)
{
    bool const deletion = op == 'D' || op == 'N';
    if ((!query_.empty() && !deletion && query_at_ + length > query_.size()) ||
        (!target_.empty() && op != 'I' && target_at_ + length > target_.size()))
        throw Failure("the CIGAR is longer than what it aligns");
    if (deletion) {
        steps_.add(Step::deletion, length);
        target_at_ += length;
        return;
    }
    if (op == 'I') {
        if (keep_letters_ && !query_.empty())
            into_.letters += query_.substr(query_at_, length);
        steps_.add(Step::insertion, length);
        query_at_ += length;
        return;
    }
    pair(op, length);
    query_at_ += length;
    target_at_ += length;
}

void PathReader::pair(char op, std::uint64_t length)
{
    if (query_.empty() || target_.empty()) {
        steps_.add(op == 'M' ? Step::either : op == '=' ? Step::equal : Step::different, length);
        if (op == 'X' && keep_letters_ && !query_.empty())
            into_.letters += query_.substr(query_at_, length);
        return;
    }
    for (std::uint64_t k = 0; k < length; ++k) {
        auto const a = static_cast<std::uint8_t>(query_[query_at_ + k]);
        auto const b = static_cast<std::uint8_t>(target_[target_at_ + k]);
        bool const same = equal_(a, b);
        if (op == '=' && !same && equal_(a, a) && equal_(b, b))
            throw Failure("= stands where two letters differ: are the sequences those that were aligned?");
        steps_.add(same ? Step::equal : Step::different, 1);
        if (!same && keep_letters_)
            into_.letters += static_cast<char>(a);
    }
}

void PathReader::finish()
{
    if (query_at_ != into_.query_end - into_.query_begin || target_at_ != into_.target_end - into_.target_begin)
        throw Failure("the CIGAR does not fit the positions");
    steps_.finish(into_);
}

std::string reverse_complement(std::string_view letters)
{
    SequenceSet both;
    both.add_letters(letters);
    both.add_record("");
    add_reverse_complements(both);
    return std::string(as_text(both.letters(1)));
}

} // namespace cli
