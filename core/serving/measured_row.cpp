// Reads measured servers.
#include "core/serving/measured_row.h"

#include "core/serving/row_columns.h"
#include "core/text/counted.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace loadline {
namespace {

/// A column of the program's table, and its place in the file's.
struct PlacedColumn {
    const RowColumn* column = nullptr;
    std::size_t place = 0;
};

Error notMeasured(const std::string& why, const std::string& path) {
    return {
        "not a table of measured servers: " + why, path,
        "the columns that the manual's page of formats lists, separated by commas, times in milliseconds"};
}

Result<std::vector<PlacedColumn>> placedColumns(const CsvHeader& header, const std::string& path) {
    std::vector<PlacedColumn> placed;
    std::vector<std::string_view> missing;
    for (const RowColumn& column : rowColumns()) {
        if (const auto place = header.find(column.name)) {
            if (std::ranges::count(header.names(), column.name) > 1) {
                return notMeasured(fmt::format("line 1 names the column {} twice", column.name), path);
            }
            placed.push_back({.column = &column, .place = *place});
        } else if (column.isRequired) {
            missing.push_back(column.name);
        }
    }
    if (!missing.empty()) {
        return notMeasured(fmt::format("line 1 has no column {}", commaList(missing)), path);
    }
    return placed;
}

/// Counts how many times of a column are below what is believed.
struct ShortTimes {
    std::size_t shorter = 0;
    std::size_t all = 0;

    void add(std::string_view field, double least) {
        if (const auto value = parseNumber<double>(field); value && *value > 0) {
            ++all;
            shorter += *value < least ? 1 : 0;
        }
    }

    [[nodiscard]] bool areMost() const { return 2 * shorter > all; }
};

class RowReader {
public:
    RowReader(std::vector<PlacedColumn> columns, MeasuredRows& rows)
        : columns_(std::move(columns)), rows_(rows) {}

    /// Takes a line that does not hold the header's fields, of which nothing is believed.
    void refuse(std::uint64_t line, std::string why) {
        rows_.diagnostics.push_back({.line = line, .column = "", .what = why});
        MeasuredRow row;
        row.line = line;
        row.refusal = std::move(why);
        rows_.rows.push_back(std::move(row));
    }

    void read(const CsvRow& fields, std::uint64_t line) {
        RowDraft draft;
        draft.row.line = line;
        std::string settings;
        for (const PlacedColumn& placed : columns_) {
            const RowColumn& column = *placed.column;
            const std::string_view field = fields.at(placed.place);
            if (column.use == RowColumnUse::Setting) {
                settings.append(field).push_back('\n');
            }
            noteTime(column, field);
            const std::string wrong = problemOf(column, field, draft);
            if (wrong.empty()) {
                continue;
            }
            rows_.diagnostics.push_back({.line = line, .column = std::string(column.name), .what = wrong});
            if (column.use == RowColumnUse::Setting && draft.row.refusal.empty()) {
                draft.row.refusal = fmt::format("column {}: {}", column.name, wrong);
            }
        }
        rows_.rows.push_back(measuredRowOf(std::move(draft)));
        const auto [first, isNew] = lineOf_.emplace(std::move(settings), line);
        if (!isNew && repeated_++ == 0) {
            repeatedLine_ = line;
            repeatedOf_ = first->second;
        }
    }

    /// Adds what is said about the whole table.
    void end() {
        if (repeated_ > 0) {
            rows_.diagnostics.push_back(
                {.line = repeatedLine_,
                 .column = "",
                 .what = fmt::format("has the settings of line {}; {} like this, all are kept", repeatedOf_,
                                     counted(repeated_, "row"))});
        }
    }

    /// Returns the column whose times are in seconds by their size; empty if none is.
    [[nodiscard]] std::string_view columnInSeconds() const {
        return ttft_.areMost() ? "ttft_ms" : tpot_.areMost() ? "tpot_ms" : "";
    }

private:
    void noteTime(const RowColumn& column, std::string_view field) {
        if (column.name == "ttft_ms") {
            ttft_.add(field, leastTtftMs);
        } else if (column.name == "tpot_ms") {
            tpot_.add(field, leastTpotMs);
        }
    }

    static std::string problemOf(const RowColumn& column, std::string_view field, RowDraft& draft) {
        if (field.empty()) {
            return column.mayBeEmpty ? "" : "is empty";
        }
        return column.read(field, draft);
    }

    std::vector<PlacedColumn> columns_;
    MeasuredRows& rows_;
    std::map<std::string, std::uint64_t> lineOf_;     ///< by settings
    std::size_t repeated_ = 0;                        ///< rows with the settings of an earlier one
    std::uint64_t repeatedLine_ = 0, repeatedOf_ = 0; ///< of the first
    ShortTimes ttft_;
    ShortTimes tpot_;
};

} // namespace

std::string RowDiagnostic::sentence() const {
    return column.empty() ? fmt::format("line {} {}", line, what)
                          : fmt::format("line {}, column {}: {}", line, column, what);
}

Result<MeasuredRows> readMeasuredRows(std::string_view csv, const std::string& path) {
    TraceLines lines(csv);
    const auto first = lines.next();
    if (!first) {
        return notMeasured("it is empty", path);
    }
    const CsvHeader header(first->text);
    auto columns = placedColumns(header, path);
    if (!columns) {
        return columns.error();
    }
    MeasuredRows rows;
    RowReader reader(std::move(*columns), rows);
    CsvRow fields;
    while (const auto line = lines.next()) {
        fields.split(line->text);
        if (std::ranges::count(line->text, '"') % 2 != 0) {
            reader.refuse(line->number, "has a quoted field that does not end on its line");
        } else if (fields.size() != header.names().size()) {
            reader.refuse(line->number, fmt::format("has {}, the header {}", counted(fields.size(), "field"),
                                                    header.names().size()));
        } else {
            reader.read(fields, line->number);
        }
    }
    reader.end();
    if (rows.rows.empty()) {
        return notMeasured("it has no rows", path);
    }
    if (const std::string_view column = reader.columnInSeconds(); !column.empty()) {
        return notMeasured(
            fmt::format("most times of the column {} are too short for a server: they seem to be "
                        "in seconds",
                        column),
            path);
    }
    return rows;
}

} // namespace loadline
