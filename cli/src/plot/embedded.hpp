// SPDX-License-Identifier: BSD-3-Clause
// Files beside this one that the command writes into its pictures, as text.
#pragma once

#include <string_view>

namespace cli {

extern std::string_view const zoom_script;   // zoom.js
extern std::string_view const page_template; // page.html, with page.css and page.js

} // namespace cli
