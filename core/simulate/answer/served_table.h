// A small table of what each format serves: throughput, latencies, KV room.
#pragma once

#include "core/simulate/study/format_pair.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline {

struct ServedCell {
    std::string value; ///< "48.8 s"; "\u2013" where there is none
    std::string off; ///< half of the 95 % interval: "\u00b112 %"; "or more" without an upper end; "" of runs
                     ///< that tell none
    std::string interval; ///< "43.1 to 54.6 s"; "" as `off`
    bool operator==(const ServedCell&) const = default;
};

struct ServedRow {
    std::string name;              ///< "TTFT p50"
    std::string help;              ///< what it is, in a few words
    std::vector<ServedCell> cells; ///< as many as formats
    std::string ratio;             ///< own / other, with its interval; "" where there is none
    bool operator==(const ServedRow&) const = default;
};

struct ServedTable {
    std::vector<std::string> formats; ///< the own one, then the other: "k = 4", "fp16: does not fit"
    std::vector<ServedRow> rows;
    bool operator==(const ServedTable&) const = default;
};

/// Tokens and turns a second, TTFT, TPOT, mean end-to-end time and the tokens that the KV room holds.
ServedTable servedTableOf(const FormatPair& pair);

/// A line each, the columns parted by tabs: for the clipboard.
std::string tabbedTextOf(const ServedTable& table);

} // namespace loadline
