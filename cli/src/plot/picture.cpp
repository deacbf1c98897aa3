// SPDX-License-Identifier: BSD-3-Clause
// Packing paths.  A genome's path of a million runs takes some two megabytes.
#include "picture.hpp"

#include <algorithm>
#include <utility>

namespace cli {

void append_step(std::string & steps, Step step, std::uint64_t length)
{
    std::uint64_t number = length << 3 | static_cast<std::uint64_t>(step);
    for (; number > 127; number >>= 7)
        steps += static_cast<char>(static_cast<unsigned char>((number & 127) | 128));
    steps += static_cast<char>(static_cast<unsigned char>(number));
}

void StepList::add(Step step, std::uint64_t length)
{
    if (length == 0)
        return;
    if (step != step_ && length_ > 0)
        append_step(packed_, step_, std::exchange(length_, 0));
    step_ = step;
    length_ += length;
    columns_ += length;
    equal_ += step == Step::equal ? length : 0;
    resolved_ &= step != Step::either;
}

void StepList::finish(PlotAlignment & into)
{
    if (length_ > 0)
        append_step(packed_, step_, std::exchange(length_, 0));
    into.steps = std::move(packed_);
    into.steps.shrink_to_fit(); // of ten thousands of reads
    into.letters.shrink_to_fit();
    into.resolved = resolved_;
    if (resolved_) {
        into.equal = equal_;
        into.columns = columns_;
    }
}

std::uint64_t PictureBuilder::find(Index & index, std::vector<PlotSequence> & list, std::string_view name,
                                   std::uint64_t length)
{
    auto const [place, added] = index.emplace(name, list.size());
    if (added)
        list.push_back({std::string(name), length});
    list[place->second].length = std::max(list[place->second].length, length);
    return place->second;
}

std::uint64_t PictureBuilder::query(std::string_view name, std::uint64_t length)
{
    return find(queries_, picture_.queries, name, length);
}

std::uint64_t PictureBuilder::target(std::string_view name, std::uint64_t length)
{
    return find(targets_, picture_.targets, name, length);
}

void PictureBuilder::set_target_letters(std::uint64_t target, std::string_view letters)
{
    if (keep_letters_ && picture_.targets[target].letters.empty())
        picture_.targets[target].letters = letters;
}

void PictureBuilder::set_target_part(std::uint64_t target, std::uint64_t begin, std::string_view letters)
{
    if (!keep_letters_ || letters.empty())
        return;
    std::string & all = picture_.targets[target].letters;
    if (all.empty())
        all.assign(picture_.targets[target].length, 'N');
    all.replace(begin, letters.size(), letters);
}

void PictureBuilder::add(Alignment const & a)
{
    PlotAlignment made;
    made.query = query(a.query_name, a.query.size());
    made.target = target(a.target_name, a.target.size());
    set_target_letters(made.target, {reinterpret_cast<char const *>(a.target.data()), a.target.size()});
    made.reverse = a.reverse;
    made.query_begin = a.input_query_begin();
    made.query_end = a.input_query_end();
    made.target_begin = a.target_begin;
    made.target_end = a.target_end;
    made.score = a.score;
    StepList steps;
    auto const keep = [&](std::uint64_t begin, std::uint64_t length) {
        if (keep_letters_)
            made.letters.append(reinterpret_cast<char const *>(a.query.data()) + begin, length);
    };
    for_each_run(a, [&](char op, std::uint64_t query, std::uint64_t target, std::uint64_t length) {
        if (op == 'D')
            return steps.add(Step::deletion, length);
        if (op == 'I') {
            keep(query, length);
            return steps.add(Step::insertion, length);
        }
        for (std::uint64_t k = 0; k < length; ++k) {
            bool const same = equal_(a.query[query + k], a.target[target + k]);
            steps.add(same ? Step::equal : Step::different, 1);
            if (!same)
                keep(query + k, 1);
        }
    });
    steps.finish(made);
    add(std::move(made));
}

} // namespace cli
