// SPDX-License-Identifier: BSD-3-Clause
// The FASTA and FASTQ parser.  A record is complete, and checked, before it is appended.
#include "sequence_reader.hpp"

#include "failure.hpp"

#include <algorithm>
#include <utility>

namespace cli {

namespace {

constexpr std::uint64_t most_reserved = 1 << 24;

bool is_blank(char letter) { return letter == ' ' || letter == '\t'; }

// One comparison a letter, which compilers turn into a few for sixteen.
bool are_qualities(std::string_view letters)
{
    unsigned char most = 0;
    for (char const letter : letters)
        most = std::max(most, static_cast<unsigned char>(letter - '!'));
    return most <= '~' - '!';
}

} // namespace

SequenceReader::SequenceReader(std::string const & path, bool comments, bool qualities) :
    path_(path), comments_(comments), qualities_(qualities)
{
    hFILE * const bytes = open_bytes(path);
    htsFormat format{};
    if (hts_detect_format(bytes, &format) == 0 &&
        (format.format == sam || format.format == bam || format.format == cram))
        reads_ = std::make_unique<SamReads>(path, bytes);
    else
        lines_.emplace(path, bytes);
}

SequenceReader::SequenceReader(SequenceReader const & whole, Block block) :
    path_(whole.path_),
    comments_(whole.comments_),
    qualities_(whole.qualities_),
    lines_(std::in_place, whole.path_, std::move(block)),
    alphabet_(whole.alphabet_)
{}

std::optional<Block> SequenceReader::cut(std::uint64_t records, std::vector<char> memory)
{
    if (has_header_)
        lines_->unread(line_);
    has_header_ = false;
    return lines_->cut(records, marker_, std::move(memory));
}

SequenceReader::Parsed SequenceReader::parse_block(Block block, SequenceSet & into) const
{
    std::size_t const size = block.size;
    SequenceReader part(*this, std::move(block));
    Parsed parsed{size, 0, {}};
    std::uint64_t good = 0;
    try {
        while (part.read(into))
            good = into.size();
    } catch (Failure const &) {
        if (into.size() != good) // not of its layout
            throw;
        parsed.rest = part.header_place_;
        parsed.lines_before_rest = part.header_line_ - 1;
    }
    parsed.block = std::move(*part.lines_).take_block();
    return parsed;
}

std::string SequenceReader::place() const
{
    return lines_ ? text(path_, ":", header_line_) : text(path_, ": record ", reads_->count());
}

void SequenceReader::fail(std::uint64_t line, std::string const & message) const
{
    throw Failure(text(path_, ":", line, ": ", message));
}

SequenceSet const & SequenceReader::first()
{
    if (first_.empty() && !parse(first_)) {
        if (reads_)
            throw Failure(path_ + ": no reads");
        if (lines_->empty_file())
            throw Failure(path_ + ": the file is empty");
        throw Failure(path_ + ": no records: nothing but blank lines");
    }
    return first_;
}

bool SequenceReader::only_one()
{
    first();
    if (reads_ && ahead_.empty())
        parse(ahead_);
    return reads_ ? ahead_.empty() : !has_header_ && lines_->at_end();
}

bool SequenceReader::read(SequenceSet & into)
{
    // Letters that move again and again to where there is more room would touch many new pages.
    if (into.empty() && !into.has_room())
        into.reserve(std::min(most_letters(), most_reserved));
    if (!first_.empty()) {
        into.add_copy(first_, 0);
        first_ = std::exchange(ahead_, SequenceSet());
    } else if (!parse(into)) {
        return false;
    }
    if (alphabet_ == nullptr)
        return true;
    std::uint64_t const last = into.size() - 1;
    LetterCheck check = check_letters(into.letters(last), *alphabet_);
    if (check.ambiguous)
        into.set_ambiguous();
    if (!check.fault.empty())
        into.set_fault(last, text(place(), lines_ ? ": record '" : " '", into.name(last), "': ", check.fault));
    return true;
}

std::uint64_t SequenceReader::most_letters() const { return lines_ ? lines_->file_size() : most_reserved / 16; }

std::uint64_t SequenceReader::expected_letters() const
{
    if (!lines_)
        return 0;
    return marker_ == '@' ? lines_->expected_bytes() / 2 : lines_->expected_bytes(); // half of it are qualities
}

void SequenceReader::read_all(SequenceSet & into)
{
    while (read(into)) {
    }
}

bool SequenceReader::parse(SequenceSet & into) { return reads_ ? reads_->read(into) : parse_lines(into); }

bool SequenceReader::parse_lines(SequenceSet & into)
{
    while (!has_header_) {
        if (!lines_->next(line_))
            return false;
        has_header_ = !line_.empty();
    }
    has_header_ = false;
    header_line_ = lines_->line_number();
    header_place_ = lines_->place(line_);
    char const marker = marker_ = line_.front();
    if (marker != '>' && marker != '@')
        fail(header_line_,
             "a record begins with '>' (FASTA) or '@' (FASTQ); found '" + std::string(line_.substr(0, 20)) + "'");
    try {
        std::string_view const name = parse_name();
        std::string tags;
        if (char const * const end = name.data() + name.size(); comments_ && end != line_.data() + line_.size())
            tags = parse_tags({end + 1, line_.data() + line_.size()});
        into.add_name(name);
        if (marker == '>')
            parse_fasta(into);
        else
            parse_fastq(into);
        into.end_record();
        if (!tags.empty())
            into.set_tags(into.size() - 1, std::move(tags));
    } catch (...) {
        into.drop_record();
        throw;
    }
    return true;
}

std::string_view SequenceReader::parse_name() const
{
    auto const begin = std::find_if_not(line_.begin() + 1, line_.end(), is_blank);
    if (begin == line_.end())
        fail(header_line_, text("'", line_.front(), "' without a name"));
    return {begin, std::find_if(begin, line_.end(), is_blank)};
}

std::string SequenceReader::parse_tags(std::string_view comment) const
{
    try {
        return tags_of_comment(comment);
    } catch (Failure const & failure) {
        fail(header_line_, failure.what());
    }
}

void SequenceReader::parse_fasta(SequenceSet & into)
{
    while (lines_->next(line_)) {
        if (!line_.empty() && line_.front() == '>') {
            has_header_ = true;
            return;
        }
        into.add_letters(line_);
    }
}

// Sequence and quality may both be wrapped; a quality line may begin with '@', so its letters are counted.
void SequenceReader::parse_fastq(SequenceSet & into)
{
    if (into.empty() && qualities_)
        into.reserve_qualities();
    std::uint64_t sequence_lines = 0;
    for (;; ++sequence_lines) {
        if (!lines_->next(line_))
            fail(lines_->line_number(), "the file ends within a FASTQ record: no '+' line");
        if (!line_.empty() && line_.front() == '+')
            break;
        into.add_letters(line_);
    }
    std::uint64_t const wanted = into.open_letters();
    std::uint64_t there = 0;
    bool good = true;
    for (std::uint64_t lines = 0; lines < sequence_lines && (lines == 0 || there < wanted); ++lines) {
        if (!lines_->next(line_))
            break;
        there += line_.size();
        good = good && are_qualities(line_);
        if (qualities_)
            into.add_quality(line_);
    }
    if (there != wanted)
        fail(lines_->line_number(),
             text("quality has ", there, " letters, the sequence of line ", header_line_ + 1, " has ", wanted));
    if (!good)
        fail(lines_->line_number(), "quality letters must lie between '!' and '~'");
}

} // namespace cli
