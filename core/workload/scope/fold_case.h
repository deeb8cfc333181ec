// Text made comparable without regard to case.
#pragma once

#include <string>
#include <string_view>

namespace loadline {

/// Lower case of ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic letters in UTF-8, each on its own (no
/// locale, no ligatures); every other byte stays as it is, also in text that is not UTF-8.
std::string foldCase(std::string_view text);

} // namespace loadline
