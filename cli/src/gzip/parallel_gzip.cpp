// SPDX-License-Identifier: BSD-3-Clause
// A stretch counts where the one before it ends at the very bit at which it begins: both are then what one thread
// would have made of the file.  What no stretch covers is inflated by the caller: blocks that cannot be found, and
// those that reach from one stretch beyond the next.
#include "gzip/parallel_gzip.hpp"

#include "failure.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace cli {

namespace {

constexpr std::size_t most_symbols = std::size_t{1} << 23; // of a stretch, whatever it is compressed to
constexpr std::uint64_t never = UINT64_MAX;
// Where places that look like blocks are none, or the file is damaged behind them, so many are tried in a stretch: the
// caller inflates what nobody has.
constexpr int most_tries = 8;

std::uint64_t size_of(int descriptor, std::string const & path)
{
    struct stat status {};
    if (descriptor >= 0 && fstat(descriptor, &status) == 0)
        return static_cast<std::uint64_t>(status.st_size);
    Failure const failure = system_failure(path);
    if (descriptor >= 0)
        close(descriptor);
    throw failure;
}

} // namespace

ParallelGzip::File::File(std::string const & path) :
    descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)), size(size_of(descriptor, path))
{}

ParallelGzip::File::~File() { close(descriptor); }

ParallelGzip::ParallelGzip(std::string path, std::size_t threads, Crc32 * crc, std::size_t stretch_bytes) :
    path_(std::move(path)),
    file_(path_),
    crc_(crc),
    stretch_bytes_(stretch_bytes),
    most_ahead_(threads + 2),
    stretch_(std::make_unique<Stretch>()),
    threads_(threads)
{
    stretch_->symbols.begin(window_, 0);
    stretch_->inflater.begin_member(0);
}

Piece ParallelGzip::read_piece(std::uint64_t place, std::size_t size, std::vector<std::uint8_t> & memory) const
{
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, file_.size - std::min(file_.size, place)));
    memory.resize(std::max(memory.size(), size + Piece::padding));
    std::size_t got = 0;
    while (got < size) {
        ssize_t const some = pread(file_.descriptor, memory.data() + got, size - got, static_cast<off_t>(place + got));
        if (some < 0 && errno != EINTR)
            throw system_failure(path_);
        if (some == 0) // it was cut meanwhile
            break;
        got += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
    std::fill_n(memory.begin() + static_cast<std::ptrdiff_t>(got), Piece::padding, std::uint8_t{0});
    return {memory.data(), got, place, got < size || place + got >= file_.size};
}

// By any thread.  A place where something is wrong later was not the begin of a block, or the file is damaged there:
// the caller will see.
void ParallelGzip::inflate(std::uint64_t number, Stretch & stretch) const
{
    std::uint64_t const place = number * stretch_bytes_, end = 8 * (place + stretch_bytes_);
    Piece const piece = read_piece(place, stretch_bytes_ + stretch_bytes_ / 2, stretch.packed);
    if (number == 0) {
        stretch.found = true;
        stretch.begin = 0;
        stretch.symbols.begin(Window(), 0);
        stretch.inflater.begin_member(0);
        stretch.stop = stretch.inflater.run(piece, end, most_symbols, stretch.symbols);
        return;
    }
    stretch.found = false;
    std::uint64_t from = 8 * place;
    for (int tries = 0; tries < most_tries && !stretch.found; ++tries) {
        std::optional<std::uint64_t> const begin = find_block(piece, from, std::min(end, piece.end_bit()));
        if (!begin)
            return;
        stretch.begin = *begin;
        stretch.symbols.begin();
        stretch.inflater.begin_block(*begin);
        stretch.stop = stretch.inflater.run(piece, end, most_symbols, stretch.symbols);
        stretch.found = stretch.stop != Inflater::Stop::damaged;
        from = *begin + 1;
    }
}

ParallelGzip::StretchPointer ParallelGzip::take_unused()
{
    if (unused_.empty())
        return std::make_unique<Stretch>();
    StretchPointer stretch = std::move(unused_.back());
    unused_.pop_back();
    return stretch;
}

void ParallelGzip::begin_more()
{
    for (; ahead_.size() < most_ahead_ && next_ * stretch_bytes_ < file_.size; ++next_)
        ahead_.push_back(threads_.submit(
            std::packaged_task<StretchPointer()>([this, number = next_, stretch = take_unused()]() mutable {
                inflate(number, *stretch);
                return std::move(stretch);
            })));
}

// Whether it begins where the present stretch ends: with a block, or, the first one, with the file.
bool ParallelGzip::follows(Stretch & next) const
{
    Inflater const & behind = stretch_->inflater;
    return next.begin == behind.bit() &&
           (next.begin == 0 || (behind.at_block() && next.symbols.belongs(stretch_->symbols.known())));
}

// Whether another stretch begins where the present one ends; then that is the present one.
bool ParallelGzip::take_next()
{
    std::uint64_t const bit = stretch_->inflater.bit();
    for (;;) {
        begin_more();
        if (!candidate_ && ahead_.empty())
            return false;
        if (!candidate_) {
            std::future<StretchPointer> next = std::move(ahead_.front());
            ahead_.pop_front();
            candidate_ = next.get();
            begin_more();
        }
        if (candidate_->found && candidate_->begin > bit)
            return false;
        bool const fits = candidate_->found && follows(*candidate_);
        if (fits)
            std::swap(stretch_, candidate_);
        unused_.push_back(std::exchange(candidate_, nullptr));
        if (fits)
            return true;
    }
}

// What follows the present stretch becomes the present one.
void ParallelGzip::go_on()
{
    std::size_t const known = stretch_->symbols.known();
    stretch_->symbols.move_window(window_);
    taken_ = checked_ = 0;
    if (take_next())
        return;
    Stretch & stretch = *stretch_;
    std::uint64_t const bit = stretch.inflater.bit();
    stretch.symbols.begin(window_, known);
    std::size_t size = stretch_bytes_;
    do {
        Piece const piece = read_piece(bit / 8, size, stretch.packed);
        stretch.stop =
            stretch.inflater.run(piece, candidate_ ? candidate_->begin : never, most_symbols, stretch.symbols);
        size *= 2; // for the header of a member that is longer
    } while (stretch.stop == Inflater::Stop::input && stretch.inflater.bit() == bit);
}

void ParallelGzip::check_member(Symbols::MemberEnd const & end)
{
    if (end.crc != member_crc_ || end.size != member_size_)
        throw DamagedFile{};
    member_crc_ = member_size_ = 0;
}

std::size_t ParallelGzip::read(char * to, std::size_t size)
{
    for (;; go_on()) {
        Symbols const & symbols = stretch_->symbols;
        for (;;) {
            bool const member_ends = checked_ < symbols.ends().size();
            std::size_t const end = member_ends ? symbols.ends()[checked_].before : symbols.size();
            if (taken_ < end) {
                std::size_t const count = std::min(size, end - taken_);
                symbols.resolve(window_, taken_, count, to);
                member_crc_ = crc_(member_crc_, reinterpret_cast<unsigned char const *>(to), count);
                member_size_ += static_cast<std::uint32_t>(count);
                taken_ += count;
                return count;
            }
            if (!member_ends)
                break;
            check_member(symbols.ends()[checked_++]);
        }
        if (stretch_->stop == Inflater::Stop::end)
            return 0;
        if (stretch_->stop == Inflater::Stop::damaged)
            throw DamagedFile{};
    }
}

} // namespace cli
