// Splits rows of separated values.
#include "core/trace/csv_row.h"

#include "core/text/plain_words.h"

#include <algorithm>

namespace loadline {
namespace {

/// A tab that separates fields is none of the blanks around them.
std::string_view cellBlanksBeside(char separator) {
    return separator == '\t' ? " \r" : " \t\r";
}

} // namespace

void CsvRow::split(std::string_view line) {
    const std::string_view cellBlanks = cellBlanksBeside(separator_);
    fields_.clear();
    unquoted_.clear();
    // Views into unquoted_ must stay valid: it never grows beyond the separators there are.
    unquoted_.reserve(
        line.find('"') == std::string_view::npos
            ? 0
            : std::min(mostColumns, static_cast<std::size_t>(std::ranges::count(line, separator_)) + 1));
    while (fields_.size() < mostColumns) {
        const std::size_t start = std::min(line.find_first_not_of(cellBlanks), line.size());
        if (start < line.size() && line[start] == '"') {
            std::string& field = unquoted_.emplace_back();
            std::size_t at = start + 1;
            while (at < line.size() && (line[at] != '"' || (at + 1 < line.size() && line[at + 1] == '"'))) {
                field += line[at];
                at += line[at] == '"' ? 2 : 1;
            }
            fields_.emplace_back(field);
            line.remove_prefix(std::min(at + 1, line.size()));
        } else {
            fields_.push_back(trimmed(line.substr(0, line.find(separator_)), cellBlanks));
        }
        const std::size_t end = line.find(separator_);
        if (end == std::string_view::npos) {
            return;
        }
        line.remove_prefix(end + 1);
    }
}

CsvHeader::CsvHeader(std::string_view line, char separator) {
    CsvRow row(separator);
    row.split(line);
    for (std::size_t i = 0; i < row.size(); ++i) {
        names_.push_back(lowered(row.at(i)));
    }
}

std::optional<std::size_t> CsvHeader::find(std::string_view lowerCaseName) const {
    const auto found = std::ranges::find(names_, lowerCaseName);
    return found == names_.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - names_.begin()));
}

} // namespace loadline
