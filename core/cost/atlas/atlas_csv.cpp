// Reads tables of kernel times from CSV.
#include "core/cost/atlas/atlas_csv.h"

#include "core/base/statistics.h"
#include "core/cost/atlas/key_index.h"
#include "core/cost/atlas/time_code.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"
#include "core/text/visible_text.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace loadline {
namespace {

constexpr double leastPlausibleUs = 0.1; // of a kernel's time; the shortest published one is 1.4 us
constexpr double mostPlausibleUs = 1e9;
constexpr double leastDifferenceUs = 1e-6; // of two timings, by magnitude
/// A column of times whose median, or of differences whose largest, is below was not written in us.
constexpr double mostSeconds = 0.02;
constexpr std::size_t mostQuotedCharacters = 40;

/// Another name of a key column.
struct ColumnAlias {
    AtlasKind kind;
    std::string_view name;
    std::string_view other;
};

/// The collector's own names, which the table of one GPU kept.
constexpr std::array<ColumnAlias, 3> columnAliases{{{AtlasKind::AllReduce, "dtype", "allreduce_dtype"},
                                                    {AtlasKind::AllReduce, "gpus", "num_gpus"},
                                                    {AtlasKind::AllReduce, "elements", "message_size"}}};

std::optional<std::size_t> keyColumnIn(const CsvHeader& header, AtlasKind kind, std::string_view name) {
    auto found = header.find(name);
    for (const ColumnAlias& alias : columnAliases) {
        if (!found && alias.kind == kind && alias.name == name) {
            found = header.find(alias.other);
        }
    }
    return found;
}

std::string quotedCell(std::string_view cell) {
    return "\"" + visibleText(cell, mostQuotedCharacters) + "\"";
}

std::string columnListOf(const AtlasKindSpec& spec) {
    return commaList(spec.keys) + ", " + commaList(spec.times);
}

/// The whole number that a cell is ("128", "1.28e2"), if a key column can hold it.
std::optional<std::int64_t> keyNumberFrom(std::string_view cell, std::string_view column) {
    const auto number = parseNumber<double>(cell);
    const bool good = number && *number == std::floor(*number) &&
                      *number >= static_cast<double>(leastAtlasNumber(column)) &&
                      *number <= static_cast<double>(mostAtlasNumber);
    return good ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

/// True if a column has no measured cell.
bool wasNotMeasured(const AtlasTimes& column) {
    return std::ranges::all_of(column.us, [](double us) { return std::isnan(us); });
}

/// Reads the rows of one CSV, as they are; then sorts them and makes one of those with equal keys.
class AtlasCsvReader {
public:
    AtlasCsvReader(std::string_view csv, AtlasKind kind, const std::string& path)
        : spec_(specOf(kind)), path_(path), lines_(csv), first_(lines_.next().value_or(TraceLine{})),
          header_(first_.text) {
        read_.kind = kind;
    }

    Result<AtlasCsv> read() {
        findColumns();
        CsvRow row;
        while (const auto line = error_ ? std::nullopt : lines_.next()) {
            row.split(line->text);
            take(row, line->number);
        }
        if (!error_ && read_.rows == 0) {
            fail("it has no rows");
        }
        checkTimes();
        if (error_) {
            return *error_;
        }
        return sorted();
    }

private:
    void fail(const std::string& why, std::uint64_t line = 0) {
        if (!error_) {
            error_ = Error{fmt::format("not a table of {}: {}", spec_.name, why),
                           line == 0 ? path_ : fmt::format("{}, line {}", path_, line),
                           "a CSV with the columns " + columnListOf(spec_)};
        }
    }

    void refuseTwice(const std::optional<std::size_t>& column) {
        const std::vector<std::string>& names = header_.names();
        if (column && std::ranges::count(names, names[*column]) > 1) {
            fail(fmt::format("its first line names the column {} twice", names[*column]), first_.number);
        }
    }

    void findColumns() {
        for (const std::string_view name : spec_.keys) {
            const auto found = keyColumnIn(header_, spec_.kind, name);
            if (!found) {
                fail(fmt::format("its first line does not name the column {}", name), first_.number);
            }
            refuseTwice(found);
            keyAt_.push_back(found.value_or(0));
            read_.keys.push_back({std::string(name)});
        }
        for (const std::string_view column : spec_.times) {
            if (const auto found = header_.find(column)) {
                refuseTwice(found);
                timeAt_.push_back(*found);
                read_.times.push_back({std::string(atlasTimesName(column)), {}});
            }
        }
        if (timeAt_.empty()) {
            fail(fmt::format("its first line names no column of times ({})", commaList(spec_.times)),
                 first_.number);
        }
    }

    void take(const CsvRow& row, std::uint64_t line) {
        if (row.size() != header_.names().size()) {
            return fail(
                fmt::format("it has {} fields, the first line {}", row.size(), header_.names().size()), line);
        }
        if (read_.rows == mostAtlasRows) {
            return fail(fmt::format("it has more than {} rows", mostAtlasRows), line);
        }
        for (std::size_t i = 0; i < keyAt_.size(); ++i) {
            takeKey(read_.keys[i], row.at(keyAt_[i]), line);
        }
        for (std::size_t i = 0; i < timeAt_.size(); ++i) {
            takeTime(read_.times[i], row.at(timeAt_[i]), header_.names()[timeAt_[i]], line);
        }
        lineOf_.push_back(line);
        ++read_.rows;
    }

    void takeKey(AtlasKeys& column, std::string_view cell, std::uint64_t line) {
        if (isAtlasWordKey(column.name)) {
            column.words.emplace_back(cell);
            if (!isAtlasWord(cell)) {
                fail(fmt::format("the column {} holds {}, not a word of 1 to {} ASCII characters",
                                 column.name, quotedCell(cell), mostAtlasWordBytes),
                     line);
            }
            return;
        }
        const auto number = keyNumberFrom(cell, column.name);
        column.numbers.push_back(number.value_or(0));
        if (!number) {
            fail(fmt::format("the column {} holds {}, not a whole number from {} to 1e12", column.name,
                             quotedCell(cell), leastAtlasNumber(column.name)),
                 line);
        }
    }

    void takeTime(AtlasTimes& column, std::string_view cell, const std::string& name, std::uint64_t line) {
        if (cell.empty()) {
            column.us.push_back(std::numeric_limits<double>::quiet_NaN());
            return;
        }
        const auto us = parseNumber<double>(cell);
        column.us.push_back(us.value_or(0));
        const auto holds = [&](const char* what) {
            fail(fmt::format("the column {} holds {}, {}", name, quotedCell(cell), what), line);
        };
        if (!us) {
            return holds("not a finite number");
        }
        if (std::fabs(*us) > mostPlausibleUs) {
            return holds("a time of more than 1,000 s");
        }
        if (!spec_.mayBeNegative && *us <= 0) {
            return holds("not a time above 0");
        }
        if (spec_.mayBeNegative && *us != 0 && std::fabs(*us) < leastDifferenceUs) {
            return holds("a time below 1e-6 us");
        }
    }

    /// Median of a column's times, largest of its differences; both by magnitude.
    [[nodiscard]] double magnitudeOf(const std::vector<double>& us) const {
        std::vector<double> times;
        for (const double time : us) {
            if (!std::isnan(time)) {
                times.push_back(std::fabs(time));
            }
        }
        return spec_.mayBeNegative ? *std::ranges::max_element(times) : medianOf(std::move(times));
    }

    /// Refuses columns whose times are too short; their unit is then guessed.
    void checkTimes() {
        if (std::ranges::all_of(read_.times, wasNotMeasured)) {
            fail("it holds no times");
        }
        for (std::size_t i = 0; i < timeAt_.size() && !error_; ++i) {
            const std::vector<double>& us = read_.times[i].us;
            const auto tooShort =
                std::ranges::find_if(us, [](double time) { return std::fabs(time) < leastPlausibleUs; });
            if (tooShort == us.end()) {
                continue;
            }
            const bool seconds = magnitudeOf(us) < mostSeconds && magnitudeOf(us) > 0;
            if (spec_.mayBeNegative && !seconds) {
                continue; // differences may be as small
            }
            const std::string& name = header_.names()[timeAt_[i]];
            fail(fmt::format("the column {} holds {:g}, less than any kernel takes in microseconds{}", name,
                             *tooShort, seconds ? ": its times seem to be in seconds or milliseconds" : ""),
                 lineOf_[static_cast<std::size_t>(tooShort - us.begin())]);
        }
    }

    /// One time of a column in several rows: the fastest or the median of those that were measured.
    [[nodiscard]] double combined(const std::vector<double>& us, std::span<const std::uint32_t> rows) const {
        if (rows.size() == 1) {
            return us[rows.front()];
        }
        std::vector<double> times;
        for (const std::uint32_t row : rows) {
            if (!std::isnan(us[row])) {
                times.push_back(us[row]);
            }
        }
        if (times.empty()) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        if (spec_.keepsFastest) {
            return *std::ranges::min_element(times);
        }
        const bool two = times.size() % 2 == 0;
        const double middle = medianOf(times);
        return two ? *timeOfCode(timeCodeOf(middle)) : middle;
    }

    void noteRepeats(std::vector<Diagnostic>& diagnostics, std::span<const std::uint32_t> rows) const {
        for (const std::uint32_t row : rows.subspan(1)) { // rows of equal keys stand in the order of lines
            if (diagnostics.empty()) {
                diagnostics.push_back({DiagnosticKind::RepeatedRow, lineOf_[row], 0,
                                       spec_.keepsFastest ? "the fastest counts" : "their median counts"});
            }
            ++diagnostics.front().count;
            listLine(diagnostics.front(), lineOf_[row]);
        }
    }

    AtlasCsv sorted() const {
        std::vector<KeyIndex> keys;
        std::ranges::transform(read_.keys, std::back_inserter(keys), keyIndexOf);
        std::vector<std::uint32_t> order(read_.rows);
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, [&](std::uint32_t one, std::uint32_t other) {
            return compareAtlasRows(keys, one, other) < 0;
        });
        AtlasCsv result;
        AtlasTable& table = result.table;
        table.kind = read_.kind;
        for (const AtlasKeys& column : read_.keys) {
            table.keys.push_back({column.name});
        }
        for (const AtlasTimes& column : read_.times) {
            table.times.push_back({column.name, {}});
        }
        const std::span<const std::uint32_t> all(order);
        for (std::size_t begin = 0; begin < all.size();) {
            std::size_t end = begin + 1;
            while (end < all.size() && compareAtlasRows(keys, all[begin], all[end]) == 0) {
                ++end;
            }
            const auto rows = all.subspan(begin, end - begin);
            append(table, rows);
            noteRepeats(result.diagnostics, rows);
            begin = end;
        }
        std::erase_if(table.times, wasNotMeasured);
        return result;
    }

    /// Appends rows with equal keys as one.
    void append(AtlasTable& table, std::span<const std::uint32_t> rows) const {
        ++table.rows;
        for (std::size_t i = 0; i < table.keys.size(); ++i) {
            const AtlasKeys& from = read_.keys[i];
            if (from.words.empty()) {
                table.keys[i].numbers.push_back(from.numbers[rows.front()]);
            } else {
                table.keys[i].words.push_back(from.words[rows.front()]);
            }
        }
        for (std::size_t i = 0; i < table.times.size(); ++i) {
            table.times[i].us.push_back(combined(read_.times[i].us, rows));
        }
    }

    const AtlasKindSpec& spec_;
    const std::string& path_;
    TraceLines lines_;
    TraceLine first_;
    CsvHeader header_;
    std::vector<std::size_t> keyAt_, timeAt_; ///< columns of the CSV
    AtlasTable read_;                         ///< rows in the order of their lines
    std::vector<std::uint64_t> lineOf_;       ///< of each row, 1-based
    std::optional<Error> error_;              ///< the first
};

/// True if the header has all columns of a kind that it must have, and no other.
bool hasOnlyColumnsOf(const CsvHeader& header, const AtlasKindSpec& spec) {
    const bool allKeys = std::ranges::all_of(
        spec.keys, [&](std::string_view name) { return keyColumnIn(header, spec.kind, name).has_value(); });
    const auto times = static_cast<std::size_t>(std::ranges::count_if(
        spec.times, [&](std::string_view name) { return header.find(name).has_value(); }));
    return allKeys && times > 0 && header.names().size() == spec.keys.size() + times;
}

} // namespace

Result<AtlasKind> atlasKindOfCsv(std::string_view csv, const std::string& path) {
    const std::string file = nameOfFile(path);
    if (const AtlasKindSpec* spec = findAtlasKind(std::string_view(file).substr(0, file.find('.')))) {
        return spec->kind;
    }
    const CsvHeader header(TraceLines(csv).next().value_or(TraceLine{}).text);
    std::vector<const AtlasKindSpec*> fits;
    for (const AtlasKindSpec& spec : atlasKinds()) {
        if (hasOnlyColumnsOf(header, spec)) {
            fits.push_back(&spec);
        }
    }
    if (fits.size() == 1) {
        return fits.front()->kind;
    }
    const std::string kinds = fits.empty()
                                  ? keyList(atlasKinds())
                                  : commaList(fits, [](const AtlasKindSpec* spec) { return spec->key; });
    return Error{fits.empty() ? "not a table of kernel times: its first line names the columns of no kind"
                              : "several kinds of tables have the columns of its first line",
                 path, "name the file for its kind, like gemm.csv: " + kinds};
}

Result<AtlasCsv> atlasTableFromCsv(std::string_view csv, AtlasKind kind, const std::string& path) {
    return AtlasCsvReader(csv, kind, path).read();
}

} // namespace loadline
