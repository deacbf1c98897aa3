// SPDX-License-Identifier: BSD-3-Clause
// A gap moves to the left as bcftools norm would move it, which looks at the target alone.  Where that would carry it
// over another difference, both become one variant: moved apart they would tell of another query.  So do a gap at the
// begin of the target and a difference right behind it: a record of that gap shows the letter that follows.
#include "variants.hpp"

#include <algorithm>

namespace cli {

namespace {

char base(std::uint8_t letter)
{
    char const upper = static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
    return upper == 'U' ? 'T' : upper;
}

class Collector {
public:
    explicit Collector(Alignment const & alignment) : alignment_(alignment) {}

    void add(Variant variant)
    {
        for (;;) {
            trim(variant);
            if (variant.from.empty() && variant.to.empty())
                return;
            if (is_gap(variant))
                move_left(variant);
            if (found_.empty() || !is_one_with(found_.back(), variant))
                break;
            Variant const before = std::move(found_.back());
            std::string between;
            for (std::uint64_t k = before.end(); k < variant.position; ++k)
                between += base(alignment_.target[k]);
            variant = {before.position, before.from + between + variant.from, before.to + between + variant.to};
            found_.pop_back();
        }
        found_.push_back(std::move(variant));
    }

    std::vector<Variant> take() { return std::move(found_); }

private:
    static bool is_gap(Variant const & variant) { return variant.from.empty() || variant.to.empty(); }
    static bool is_letter(Variant const & variant) { return variant.from.size() == 1 && variant.to.size() == 1; }

    // Records of `before` and of `variant`, each gap with a letter beside it, would contradict each other.
    bool is_one_with(Variant const & before, Variant const & variant) const
    {
        std::uint64_t const apart = variant.position - before.end();
        if (is_gap(before) && before.position == 0 && apart <= is_gap(variant))
            return true;
        return apart == 0 && is_gap(variant) && (!is_letter(before) || could_move(variant));
    }

    static void trim(Variant & variant)
    {
        while (!variant.from.empty() && !variant.to.empty() && variant.from.back() == variant.to.back()) {
            variant.from.pop_back();
            variant.to.pop_back();
        }
        std::size_t same = 0;
        while (same < std::min(variant.from.size(), variant.to.size()) && variant.from[same] == variant.to[same])
            ++same;
        variant.from.erase(0, same);
        variant.to.erase(0, same);
        variant.position += same;
    }

    bool could_move(Variant const & variant) const
    {
        std::string const & letters = variant.from.empty() ? variant.to : variant.from;
        return variant.position > alignment_.target_begin &&
               base(alignment_.target[variant.position - 1]) == letters.back();
    }

    void move_left(Variant & variant) const
    {
        std::uint64_t const least = found_.empty() ? alignment_.target_begin : found_.back().end();
        std::string & letters = variant.from.empty() ? variant.to : variant.from;
        std::uint64_t steps = 0;
        std::size_t at = letters.size(); // the last letter, if they were turned by the steps so far
        while (variant.position > least && base(alignment_.target[variant.position - 1]) == letters[at - 1]) {
            --variant.position;
            ++steps;
            at = at == 1 ? letters.size() : at - 1;
        }
        std::rotate(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(at % letters.size()), letters.end());
    }

    Alignment const & alignment_;
    std::vector<Variant> found_;
};

} // namespace

std::vector<Variant> find_variants(Alignment const & a)
{
    Collector collector(a);
    std::uint64_t gap_begin = 0; // in the target
    std::string deleted, inserted;
    auto const end_gap = [&] {
        // An insertion beside a deletion: their letters are pairs, and what is left over is the gap.
        std::size_t const pairs = std::min(deleted.size(), inserted.size());
        for (std::size_t k = 0; k < pairs; ++k)
            if (deleted[k] != inserted[k])
                collector.add({gap_begin + k, deleted.substr(k, 1), inserted.substr(k, 1)});
        if (deleted.size() != inserted.size())
            collector.add({gap_begin + pairs, deleted.substr(pairs), inserted.substr(pairs)});
        deleted.clear();
        inserted.clear();
    };
    for_each_run(a, [&](char op, std::uint64_t query, std::uint64_t target, std::uint64_t length) {
        if (op != 'M' && deleted.empty() && inserted.empty())
            gap_begin = target;
        if (op == 'M')
            end_gap();
        for (std::uint64_t k = 0; k < length; ++k) {
            if (op == 'D')
                deleted += base(a.target[target + k]);
            else if (op == 'I')
                inserted += base(a.query[query + k]);
            else if (char const from = base(a.target[target + k]), to = base(a.query[query + k]); from != to)
                collector.add({target + k, std::string(1, from), std::string(1, to)});
        }
    });
    end_gap();
    return collector.take();
}

} // namespace cli
