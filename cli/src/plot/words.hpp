// SPDX-License-Identifier: BSD-3-Clause
// Text as pictures and pages have it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

std::string clean_text(std::string_view text);  // control bytes, and what is no UTF-8, as '?'
std::string xml_text(std::string_view text);    // also within quotes; clean
std::string json_string(std::string_view text); // with its quotes; clean, and harmless within <script>

std::string with_commas(std::uint64_t number);                    // "12,345"
std::string length_text(std::uint64_t letters, bool dna);         // "1.23 Mb", "412 aa"
std::string counted(std::uint64_t number, std::string_view noun); // "1 query"; "3 queries"
std::string percent(std::uint64_t part, std::uint64_t whole);     // "97.39 %"

// The least of 1, 2 and 5 times a power of ten that is not below the value; values below 1 count as 1.
double round_up(double value);

} // namespace cli
