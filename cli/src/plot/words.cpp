// SPDX-License-Identifier: BSD-3-Clause
// One wrong byte in a name must not make an SVG file unreadable: XML knows no errors that are let pass.
#include "plot/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cli {

namespace {

// Bytes of the UTF-8 character that begins the text, 0 when none does.
std::size_t character_length(std::string_view text)
{
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    std::size_t const length = byte(0) < 0x80                      ? 1
                               : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                               : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                               : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                   : 0;
    if (length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    // Surrogates, what is written longer than it need be, and what no character has.
    bool const bad = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) >= 0xa0) ||
                     (byte(0) == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe) || (byte(0) == 0xf0 && byte(1) < 0x90) ||
                     (byte(0) == 0xf4 && byte(1) >= 0x90);
    return bad ? 0 : length;
}

} // namespace

std::string clean_text(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        std::size_t const length = character_length(text);
        auto const byte = static_cast<unsigned char>(text[0]);
        bool const shown = length > 0 && (byte >= ' ' || byte == '\n') && byte != 0x7f;
        out += shown ? text.substr(0, length) : std::string_view("?");
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string xml_text(std::string_view text)
{
    std::string out;
    for (char const letter : clean_text(text))
        switch (letter) {
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '&':
            out += "&amp;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += letter;
        }
    return out;
}

std::string json_string(std::string_view text)
{
    std::string out = "\"";
    for (char const letter : clean_text(text))
        if (letter == '\n' || letter == '"' || letter == '\\' || letter == '<' || letter == '>') {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(letter));
            out += escaped;
        } else {
            out += letter;
        }
    return out + '"';
}

std::string with_commas(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits;
}

std::string length_text(std::uint64_t letters, bool dna)
{
    char shown[32];
    if (!dna || letters < 10000)
        return with_commas(letters) + (dna ? " bp" : " aa");
    if (letters < 1000000)
        std::snprintf(shown, sizeof shown, "%.1f kb", static_cast<double>(letters) / 1e3);
    else
        std::snprintf(shown, sizeof shown, "%.2f Mb", static_cast<double>(letters) / 1e6);
    return shown;
}

std::string counted(std::uint64_t number, std::string_view noun)
{
    std::string word(noun);
    if (number != 1)
        word = word.ends_with('y') ? word.substr(0, word.size() - 1) + "ies" : word + "s";
    return with_commas(number) + " " + word;
}

std::string percent(std::uint64_t part, std::uint64_t whole)
{
    char shown[32];
    std::snprintf(shown, sizeof shown, "%.2f %%",
                  whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole));
    return shown;
}

double round_up(double value)
{
    double const power = std::pow(10, std::floor(std::log10(std::max(value, 1.0))));
    for (double const factor : {1.0, 2.0, 5.0})
        if (factor * power >= value)
            return factor * power;
    return 10 * power;
}

} // namespace cli
