// SPDX-License-Identifier: BSD-3-Clause
// The matrix parser: what it accepts, what it makes of missing letters, and its error messages; the built-in ones.
#include "model/matrices.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"

namespace nwgpu {
namespace {

int score(ScoreMatrix const & matrix, char query, char target)
{
    std::size_t const row = matrix.codes[static_cast<std::uint8_t>(query)];
    std::size_t const column = matrix.codes[static_cast<std::uint8_t>(target)];
    return matrix.scores.at(row * matrix.letters.size() + column);
}

std::string error_of(std::string const & text)
{
    try {
        parse_matrix(text);
        return "no error";
    } catch (Error const & error) {
        EXPECT_EQ(error.status, Status::invalid_matrix);
        return error.what();
    }
}

TEST(ParseMatrix, RowIsTheQueryLetterInAnyOrder)
{
    ScoreMatrix const matrix = parse_matrix("# comment\n  A C\nC 3 4\nA 1 -2\n");
    EXPECT_EQ(matrix.letters, "AC");
    EXPECT_EQ(matrix.scores, (std::vector<std::int32_t>{1, -2, 3, 4}));
    EXPECT_EQ(score(matrix, 'A', 'C'), -2);
    EXPECT_EQ(score(matrix, 'c', 'a'), 3);
}

TEST(ParseMatrix, BlanksCommentsAndLineEndsDoNotMatter)
{
    ScoreMatrix const plain = parse_matrix("A C\nA 1 -2\nC 3 4\n");
    for (char const * const text : {"\tA\tC\r\nA\t1\t-2\r\nC\t3\t4\r\n", "\n\nA C\n\nA 1 -2\n# x\nC 3 4\n\n   \n",
                                    "a c\na 1 -2\nc 3 4", "  # first\nA C \nA 1 -2 \nC 3 4 "})
        EXPECT_EQ(parse_matrix(text).scores, plain.scores) << text;
}

TEST(ParseMatrix, MissingLettersAreXWhereThereIsAnX)
{
    ScoreMatrix const matrix = parse_matrix("A X *\nA 4 -1 -4\nX -1 -2 -4\n* -4 -4 1\n");
    EXPECT_EQ(score(matrix, 'J', 'o'), -2);
    EXPECT_EQ(score(matrix, 'a', 'U'), -1);
    EXPECT_EQ(matrix.codes['-'], invalid_code);
    EXPECT_EQ(matrix.codes['1'], invalid_code);
}

TEST(ParseMatrix, WithoutXOnlyUIsReadAsT)
{
    ScoreMatrix const matrix = parse_matrix("A T\nA 5 -4\nT -4 5\n");
    EXPECT_EQ(score(matrix, 'u', 'T'), 5);
    EXPECT_EQ(matrix.codes['N'], invalid_code);
    EXPECT_EQ(matrix.codes['*'], invalid_code);
    ScoreMatrix const own_u = parse_matrix("T U\nT 5 -4\nU -4 6\n");
    EXPECT_EQ(score(own_u, 'U', 'U'), 6);
    EXPECT_EQ(parse_matrix("A\nA 1\n").codes['U'], invalid_code);
}

TEST(ParseMatrix, ErrorsNameTheLine)
{
    EXPECT_EQ(error_of(""), "line 1: no header row");
    EXPECT_EQ(error_of("# nothing\n\n"), "line 2: no header row");
    EXPECT_EQ(error_of("A 1 -2\nC 3 4\n"), "line 1: '1' is not a letter; is the header row missing?");
    EXPECT_EQ(error_of("A CG\n"), "line 1: 'CG' is not a letter; is the header row missing?");
    EXPECT_EQ(error_of("A C a\n"), "line 1: letter 'a' occurs twice in the header row");
    EXPECT_EQ(error_of("A C\nA 1 2\n"), "line 2: the text ends without a row for letter 'C'");
    EXPECT_EQ(error_of("A C\n\nG 1 2\n"), "line 3: letter 'G' is not in the header row");
    EXPECT_EQ(error_of("A C\nA 1 2\na 1 2\n"), "line 3: letter 'a' has two rows");
    EXPECT_EQ(error_of("A C\nA 1\n"), "line 2: 1 numbers, but the header row has 2 letters");
    EXPECT_EQ(error_of("A C\nA 1 2 3\n"), "line 2: 3 numbers, but the header row has 2 letters");
    EXPECT_EQ(error_of("A\nA 1.5\n"), "line 2: '1.5' is not a whole number");
    EXPECT_EQ(error_of("A\nA one\n"), "line 2: 'one' is not a whole number");
    EXPECT_EQ(error_of("A\nA 1073741825\n"), "line 2: '1073741825' is out of range");
    EXPECT_EQ(error_of("A\nA -99999999999\n"), "line 2: '-99999999999' is out of range");
    EXPECT_EQ(error_of(std::string{"A \0\nA 1 2\n\0 3 4\n", 16}), "line 1: a NUL byte; is this text in UTF-16?");
}

TEST(ParseMatrix, Has128LettersAtMost)
{
    std::string header;
    for (int letter = 0; letter < 129; ++letter)
        header += std::string{" "} + static_cast<char>(letter + 127);
    EXPECT_EQ(error_of(header), "line 1: more than 128 letters");
}

TEST(NamedMatrix, AllAreThere)
{
    std::set<std::string> names;
    for (std::size_t i = 0; matrix_name(i); ++i) {
        names.insert(matrix_name(i));
        EXPECT_GE(named_matrix(matrix_name(i)).letters.size(), 15u);
    }
    EXPECT_EQ(names, (std::set<std::string>{"BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30",
                                            "PAM70", "PAM120", "PAM250", "NUC.4.4", "EDNAFULL"}));
}

TEST(NamedMatrix, KnownValues)
{
    EXPECT_EQ(score(named_matrix("BLOSUM62"), 'W', 'W'), 11);
    EXPECT_EQ(score(named_matrix("blosum62"), 'i', 'L'), 2);
    EXPECT_EQ(score(named_matrix("BLOSUM62"), 'J', 'A'), 0) << "J is X";
    EXPECT_EQ(score(named_matrix("Pam250"), 'W', 'W'), 17);
    EXPECT_EQ(score(named_matrix("PAM30"), 'A', '*'), -17);
    EXPECT_EQ(score(named_matrix("nuc.4.4"), 'U', 'T'), 5) << "U is T";
    EXPECT_EQ(score(named_matrix("EDNAFULL"), 'A', 'R'), 1);
}

TEST(NamedMatrix, UnknownName)
{
    for (char const * const name : {"BLOSUM61", "", "BLOSUM6", "BLOSUM622"}) {
        try {
            named_matrix(name);
            ADD_FAILURE() << name;
        } catch (Error const & error) {
            EXPECT_EQ(error.status, Status::not_found);
        }
    }
}

} // namespace
} // namespace nwgpu
