// SPDX-License-Identifier: BSD-3-Clause
// Parser of NCBI scoring matrices.  Line by line: comments, the header row of letters, then one row per letter.
#include "model/matrices.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "model/alphabet.hpp"
#include "model/matrices_data.hpp"

namespace nwgpu {

namespace {

std::vector<std::string_view> words_of(std::string_view line)
{
    constexpr std::string_view blanks = " \t\r\v\f";
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (line.empty())
            return words;
        words.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(words.back().size());
    }
}

std::string quoted(std::string_view word)
{
    std::string text{"'"};
    return text.append(word) += '\'';
}

class Parser {
public:
    ScoreMatrix parse(std::string_view text)
    {
        do {
            ++line_;
            std::string_view const line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            if (line.find('\0') != std::string_view::npos)
                fail("a NUL byte; is this text in UTF-16?");
            std::vector<std::string_view> const words = words_of(line);
            if (words.empty() || words.front().front() == '#')
                continue;
            if (size() == 0)
                read_header(words);
            else
                read_row(words);
        } while (!text.empty());
        check_complete();
        matrix_.codes = codes_of(matrix_.letters);
        adopt_missing_letters();
        return std::move(matrix_);
    }

private:
    std::size_t size() const { return matrix_.letters.size(); }

    [[noreturn]] void fail(std::string const & what) const
    {
        throw Error{Status::invalid_matrix, "line " + std::to_string(line_) + ": " + what};
    }

    char letter_of(std::string_view word) const
    {
        if (word.size() != 1 || (word[0] >= '0' && word[0] <= '9'))
            fail(quoted(word) + " is not a letter" + (size() == 0 ? "; is the header row missing?" : ""));
        return fold_case(word[0]);
    }

    void read_header(std::vector<std::string_view> const & words)
    {
        if (words.size() > static_cast<std::size_t>(max_matrix_size))
            fail("more than 128 letters");
        std::string letters;
        for (std::string_view const word : words) {
            char const letter = letter_of(word);
            if (letters.find(letter) != std::string::npos)
                fail("letter " + quoted(word) + " occurs twice in the header row");
            letters += letter;
        }
        matrix_.letters = std::move(letters);
        matrix_.scores.resize(size() * size());
        row_seen_.resize(size());
    }

    void read_row(std::vector<std::string_view> const & words)
    {
        char const letter = letter_of(words.front());
        std::size_t const row = matrix_.letters.find(letter);
        if (row == std::string::npos)
            fail("letter " + quoted(words.front()) + " is not in the header row");
        if (row_seen_[row])
            fail("letter " + quoted(words.front()) + " has two rows");
        if (words.size() != size() + 1)
            fail(std::to_string(words.size() - 1) + " numbers, but the header row has " + std::to_string(size()) +
                 " letters");
        row_seen_[row] = true;
        for (std::size_t column = 0; column < size(); ++column)
            matrix_.scores[row * size() + column] = score_of(words[column + 1]);
    }

    std::int32_t score_of(std::string_view word) const
    {
        std::int32_t score = 0;
        char const * const end = word.data() + word.size();
        auto const [stop, code] = std::from_chars(word.data(), end, score);
        if (code == std::errc::invalid_argument || stop != end)
            fail(quoted(word) + " is not a whole number");
        if (code == std::errc::result_out_of_range || score > max_cost || score < -max_cost)
            fail(quoted(word) + " is out of range");
        return score;
    }

    void check_complete() const
    {
        if (size() == 0)
            fail("no header row");
        auto const missing = std::ranges::find(row_seen_, false);
        if (missing != row_seen_.end())
            fail("the text ends without a row for letter " +
                 quoted({&matrix_.letters[static_cast<std::size_t>(missing - row_seen_.begin())], 1}));
    }

    // With X every missing letter is an X.  Without X, U is a T.
    void adopt_missing_letters()
    {
        LetterCodes & codes = matrix_.codes;
        if (codes['X'] == invalid_code) {
            if (codes['U'] == invalid_code)
                set_code(codes, 'U', codes['T']);
            return;
        }
        for (char letter = 'A'; letter <= 'Z'; ++letter)
            if (codes[static_cast<std::uint8_t>(letter)] == invalid_code)
                set_code(codes, letter, codes['X']);
    }

    ScoreMatrix matrix_;
    std::vector<bool> row_seen_;
    std::size_t line_ = 0;
};

} // namespace

ScoreMatrix parse_matrix(std::string_view text) { return Parser{}.parse(text); }

ScoreMatrix named_matrix(std::string_view name)
{
    auto const same_letter = [](char a, char b) { return fold_case(a) == fold_case(b); };
    for (MatrixText const & entry : matrix_texts())
        if (std::ranges::equal(name, std::string_view{entry.name}, same_letter))
            return parse_matrix(entry.text);
    throw Error{Status::not_found, "no built-in matrix is named " + quoted(name)};
}

char const * matrix_name(std::size_t index)
{
    return index < matrix_texts().size() ? matrix_texts()[index].name : nullptr;
}

} // namespace nwgpu
