// Any bytes as the small things that are read: times, numbers, versions, rows of tables, searches.
#include "core/base/time.h"
#include "core/session/corpus/version_order.h"
#include "core/text/fuzzy_match.h"
#include "core/text/table.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"
#include "tests/fuzz/check.h"

#include <algorithm>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkTime(std::string_view text) {
    const auto time = parseIso8601(text);
    if (time) {
        check(time->ms >= 0 && parseIso8601(formatIso8601(*time)) == time);
        check(utcDay(*time) == formatIso8601(*time).substr(0, 10));
        check(utcDayNumber(*time) == time->ms / 86'400'000);
    }
    const auto seconds = secondsFrom(text);
    check(!seconds || isTime(*seconds));
    if (time && seconds && text.find('.') == std::string_view::npos) {
        check(std::abs(*seconds - static_cast<double>(time->ms) / 1000) < 1e-3);
    }
}

void checkNumber(std::string_view text) {
    const auto real = realFrom(text);
    const auto tokens = tokensFrom(text);
    check(!real || std::isfinite(*real));
    check(!tokens ||
          (real && *tokens >= 0 && *tokens <= maxTurnTokens && static_cast<double>(*tokens) == *real));
}

/// A row of cells is written, split again and read back.
void checkRow(const std::vector<std::string_view>& parts) {
    Table table{.columns = {"a", "b", "c"}, .rows = {{}}};
    for (std::size_t i = 0; i < 3; ++i) {
        table.rows[0].emplace_back(std::string(parts[i]));
    }
    const std::string csv = toCsv(table);
    const std::string line = csv.substr(csv.find('\n') + 1);
    CsvRow row;
    row.split(std::string_view(line).substr(0, line.size() - 1));
    if (csv.find('\n', csv.find('\n') + 1) != csv.size() - 1 || csv.find('\r') != std::string::npos) {
        return; // cells of several lines: CsvRow reads one
    }
    check(row.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const bool blanks = parts[i].find_first_of(" \t") != std::string_view::npos; // it drops those around
        check(blanks || row.at(i) == loadline::textOf(table.rows[0][i]) || row.at(i) == parts[i]);
    }
}

void checkSearch(const std::vector<std::string_view>& parts) {
    const std::vector<std::string> entries = {std::string(parts[1]), std::string(parts[2])};
    for (const FuzzyMatch& match : fuzzyMatches(parts[0], entries, 10)) {
        check(match.entry < entries.size() && std::ranges::is_sorted(match.positions));
        check(match.positions.empty() || match.positions.back() < entries[match.entry].size());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const auto parts = partsOf(text, 3);
    checkTime(text);
    checkNumber(text);
    check(!versionBefore(text, text));
    check(!versionBefore(parts[0], parts[1]) || !versionBefore(parts[1], parts[0]));
    check(!(versionBefore(parts[0], parts[1]) && versionBefore(parts[1], parts[2])) ||
          versionBefore(parts[0], parts[2]));
    checkRow(parts);
    checkSearch(parts);
    return 0;
}
