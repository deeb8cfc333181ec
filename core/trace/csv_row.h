// Rows of fields that commas, or another character, separate: columns by name, fields in quotes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Columns of a table; further ones are not looked at.
inline constexpr std::size_t mostColumns = 4096;

/// The fields of one row, reused from row to row. Fields lose blanks around them; quoted ones (RFC 4180, but
/// on one line) their quotes.
class CsvRow {
public:
    explicit CsvRow(char separator = ',') : separator_(separator) {}

    void split(std::string_view line);

    [[nodiscard]] std::size_t size() const { return fields_.size(); }

    /// "" beyond the last.
    [[nodiscard]] std::string_view at(std::size_t column) const {
        return column < fields_.size() ? std::string_view(fields_[column]) : std::string_view();
    }

private:
    char separator_;
    std::vector<std::string_view> fields_;
    std::vector<std::string> unquoted_; // what views of undoubled quotes point into
};

/// Column names, their letters' case aside.
class CsvHeader {
public:
    explicit CsvHeader(std::string_view line, char separator = ',');

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    [[nodiscard]] std::optional<std::size_t> find(std::string_view lowerCaseName) const;

private:
    std::vector<std::string> names_;
};

} // namespace loadline
