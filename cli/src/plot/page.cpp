// SPDX-License-Identifier: BSD-3-Clause
// One HTML page that needs nothing else: a template, the alignments as a table in JSON, and their steps and letters
// packed.  A letter that equals the target's is not written again, so reads take what differs.
#include "plot/pictures.hpp"

#include "failure.hpp"
#include "plot/embedded.hpp"
#include "plot/selection.hpp"
#include "plot/words.hpp"

#include <algorithm>
#include <array>

namespace cli {

namespace {

constexpr std::uint64_t most_letters = 100'000'000; // 33 megabytes of a page

std::string base64(std::string_view bytes)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::size_t const here = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < here ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= here ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

// Letters one after the other: DNA has two bits a letter, and a list of stretches of other letters.
class LetterPacker {
public:
    explicit LetterPacker(bool dna) : dna_(dna) {}

    std::uint64_t size() const { return size_; }
    bool rna() const { return u_ > 0 && t_ == 0; }

    void add(std::string_view letters)
    {
        for (char const given : letters)
            add(given >= 'a' && given <= 'z' ? static_cast<char>(given - 32) : given);
    }

    std::string const & bytes() const { return bytes_; }
    // Where the other letters begin, how many there are, which.
    std::string others() const
    {
        std::array<std::string, 3> lists;
        for (Other const & other : others_) {
            char const * const comma = lists[0].empty() ? "" : ",";
            lists[0] += text(comma, other.at);
            lists[1] += text(comma, other.count);
            lists[2] += text(comma, json_string(std::string_view(&other.letter, 1)));
        }
        return text("{\"at\":[", lists[0], "],\"count\":[", lists[1], "],\"letter\":[", lists[2], "]}");
    }

private:
    struct Other {
        std::uint64_t at, count;
        char letter;
    };

    void add(char letter)
    {
        if (!dna_) {
            bytes_ += letter;
            ++size_;
            return;
        }
        std::size_t const code = letter == 'U' ? 3 : std::string_view("ACGT").find(letter);
        u_ += letter == 'U';
        t_ += letter == 'T';
        if (size_ % 4 == 0)
            bytes_ += '\0';
        if (code < 4)
            bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | code << 2 * (size_ % 4));
        else if (!others_.empty() && others_.back().letter == letter &&
                 others_.back().at + others_.back().count == size_)
            ++others_.back().count;
        else
            others_.push_back({size_, 1, letter});
        ++size_;
    }

    bool const dna_;
    std::string bytes_;
    std::uint64_t size_ = 0, u_ = 0, t_ = 0;
    std::vector<Other> others_;
};

// One array of the table: a value of each alignment.
template <typename Value>
std::string column(std::vector<PlotAlignment const *> const & alignments, char const * name, Value value)
{
    std::string out = text("\"", name, "\":[");
    for (PlotAlignment const * const a : alignments)
        out += text(out.back() == '[' ? "" : ",", value(*a));
    return out + "]";
}

// The targets, as far as alignments cover them: what a page has letters of.
struct Cover {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
};

std::string filled(std::string_view page, std::vector<std::pair<std::string_view, std::string_view>> const & values)
{
    std::string out;
    for (std::size_t at = 0; at < page.size();) {
        std::size_t const begin = std::min(page.find("{{", at), page.size());
        out += page.substr(at, begin - at);
        at = begin;
        for (auto const & [name, value] : values)
            if (page.substr(at).starts_with(name)) {
                out += value;
                at += name.size();
                break;
            }
        if (at == begin && at < page.size())
            out += page[at++];
    }
    return out;
}

void check_letters(Picture const & picture, PlotAlignment const & a)
{
    std::uint64_t wanted = 0;
    for_each_step(a.steps, [&](Step step, std::uint64_t length) {
        wanted += step == Step::different || step == Step::insertion ? length : 0;
    });
    PlotSequence const & target = picture.targets[a.target];
    bool const covered =
        a.target_begin >= target.letters_begin && a.target_end <= target.letters_begin + target.letters.size();
    if (!a.resolved || a.letters.size() != wanted || !covered)
        throw Failure(text("a page needs the letters of '", picture.queries[a.query].name, "' x '", target.name,
                           "', which the file does not have: give --query and --target"));
}

} // namespace

std::string make_page(Picture const & picture, PlotOptions const & options)
{
    Selection const selection = select(picture, options);
    auto const & shown = selection.alignments;
    std::vector<Cover> covers(picture.targets.size());
    for (PlotAlignment const * const a : shown) {
        check_letters(picture, *a);
        covers[a->target].begin = std::min(covers[a->target].begin, a->target_begin);
        covers[a->target].end = std::max(covers[a->target].end, a->target_end);
    }
    LetterPacker letters(picture.dna);
    std::string targets, queries, steps;
    std::vector<std::uint64_t> query_place(picture.queries.size()), target_place(picture.targets.size());
    std::uint64_t place = 0;
    for (Axis::Part const & part : selection.targets.parts()) {
        PlotSequence const & target = picture.targets[part.sequence];
        Cover const & cover = covers[part.sequence];
        letters.add(
            std::string_view(target.letters).substr(cover.begin - target.letters_begin, cover.end - cover.begin));
        targets += text(place > 0 ? "," : "", "{\"name\":", json_string(target.name), ",\"length\":", target.length,
                        ",\"lettersBegin\":", cover.begin, ",\"letters\":", cover.end - cover.begin, "}");
        target_place[part.sequence] = place++;
    }
    place = 0;
    for (Axis::Part const & part : selection.queries.parts()) {
        PlotSequence const & query = picture.queries[part.sequence];
        queries += text(place > 0 ? "," : "", "{\"name\":", json_string(query.name), ",\"length\":", query.length, "}");
        query_place[part.sequence] = place++;
    }
    std::uint64_t equal = 0, columns = 0;
    for (PlotAlignment const * const a : shown) {
        letters.add(a->letters);
        steps += a->steps;
        equal += a->equal;
        columns += a->columns;
    }
    if (letters.size() > most_letters)
        throw Failure(text("a page of ", with_commas(letters.size()), " letters would be too large (the limit is ",
                           with_commas(most_letters), "): choose with --target-region or --min-length"));
    std::string const summary =
        text(counted(shown.size(), "alignment"), " of ", counted(selection.queries.parts().size(), "query"), " with ",
             counted(selection.targets.parts().size(), "target"), "; ", length_text(columns, picture.dna), " aligned, ",
             percent(equal, columns), " identity, ", counted(columns - equal, "difference"));
    auto const first = std::ranges::find(shown, &chosen_alignment(picture, selection, options)) - shown.begin();
    if (first == static_cast<std::ptrdiff_t>(shown.size()))
        throw Failure(text("--alignment ", options.alignment, " is not among those that are drawn"));
    std::string const data =
        text("{\"dna\":", picture.dna ? "true" : "false", ",\"bases\":\"", letters.rna() ? "ACGU" : "ACGT",
             "\",\"first\":", first, ",\"summary\":", json_string(summary), ",\"targets\":[", targets,
             "],\"queries\":[", queries, "],\"others\":", letters.others(), ",\"alignments\":{",
             column(shown, "query", [&](PlotAlignment const & a) { return query_place[a.query]; }), ",",
             column(shown, "target", [&](PlotAlignment const & a) { return target_place[a.target]; }), ",",
             column(shown, "reverse", [](PlotAlignment const & a) { return a.reverse ? 1 : 0; }), ",",
             column(shown, "queryBegin", [](PlotAlignment const & a) { return a.query_begin; }), ",",
             column(shown, "queryEnd", [](PlotAlignment const & a) { return a.query_end; }), ",",
             column(shown, "targetBegin", [](PlotAlignment const & a) { return a.target_begin; }), ",",
             column(shown, "targetEnd", [](PlotAlignment const & a) { return a.target_end; }), ",",
             column(shown, "equal", [](PlotAlignment const & a) { return a.equal; }), ",",
             column(shown, "columns", [](PlotAlignment const & a) { return a.columns; }), ",",
             column(shown, "score",
                    [](PlotAlignment const & a) { return a.score ? std::to_string(*a.score) : std::string("null"); }),
             ",", column(shown, "steps", [](PlotAlignment const & a) { return a.steps.size(); }), ",",
             column(shown, "letters", [](PlotAlignment const & a) { return a.letters.size(); }), "}}");
    std::string const title = xml_text(title_of(picture, selection, options)), packed_steps = base64(steps),
                      packed_letters = base64(letters.bytes());
    return filled(
        page_template,
        {{"{{title}}", title}, {"{{data}}", data}, {"{{steps}}", packed_steps}, {"{{letters}}", packed_letters}});
}

} // namespace cli
