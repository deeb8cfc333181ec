// Key columns as dictionaries with differences of places, columns of times as differences of codes; each
// difference in byte planes, which compress well.
#include "core/cost/atlas/atlas_columns.h"

#include "core/cost/atlas/key_index.h"
#include "core/cost/atlas/time_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t planesOfTimes = 3;
constexpr std::size_t bytesOfCount = 4;
constexpr std::size_t bytesOfNumber = 8;
constexpr unsigned bitsOfByte = 8;

/// Maps small differences of either sign to small numbers: 0, -1, 1, -2 to 0, 1, 2, 3.
std::uint32_t zigzag(std::int32_t difference) {
    return (static_cast<std::uint32_t>(difference) << 1U) ^ static_cast<std::uint32_t>(difference >> 31);
}

std::int32_t unzigzag(std::uint32_t number) {
    return static_cast<std::int32_t>((number >> 1U) ^ (~(number & 1U) + 1U));
}

/// Bytes that hold zigzag() of the difference of any two places.
std::size_t planesOfPlaces(std::size_t distinct) {
    return distinct <= (std::size_t{1} << 7U) ? 1 : distinct <= (std::size_t{1} << 15U) ? 2 : 3;
}

/// Appends the numbers' bytes, least first: one plane of all rows, then the next.
void appendPlanes(std::string& bytes, const std::vector<std::uint32_t>& numbers, std::size_t planes) {
    for (std::size_t plane = 0; plane < planes; ++plane) {
        for (const std::uint32_t number : numbers) {
            bytes += static_cast<char>(static_cast<std::uint8_t>(number >> (bitsOfByte * plane)));
        }
    }
}

void appendLittleEndian(std::string& bytes, std::uint64_t number, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        bytes += static_cast<char>(static_cast<std::uint8_t>(number >> (bitsOfByte * i)));
    }
}

/// Takes bytes from the front.
class ColumnBytes {
public:
    explicit ColumnBytes(std::string_view bytes) : rest_(bytes) {}

    std::optional<std::string_view> take(std::size_t count) {
        if (count > rest_.size()) {
            return std::nullopt;
        }
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }

    std::optional<std::uint64_t> takeNumber(std::size_t bytes) {
        const auto taken = take(bytes);
        if (!taken) {
            return std::nullopt;
        }
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < bytes; ++i) {
            number |= std::uint64_t{static_cast<std::uint8_t>((*taken)[i])} << (bitsOfByte * i);
        }
        return number;
    }

    /// Returns the numbers that appendPlanes() appended for so many rows.
    std::optional<std::vector<std::uint32_t>> takePlanes(std::size_t rows, std::size_t planes) {
        const auto taken = take(rows * planes); // rows and planes are within limits
        if (!taken) {
            return std::nullopt;
        }
        std::vector<std::uint32_t> numbers(rows);
        for (std::size_t plane = 0; plane < planes; ++plane) {
            const std::string_view bytes = taken->substr(plane * rows, rows);
            for (std::size_t row = 0; row < rows; ++row) {
                numbers[row] |= std::uint32_t{static_cast<std::uint8_t>(bytes[row])} << (bitsOfByte * plane);
            }
        }
        return numbers;
    }

    [[nodiscard]] bool atEnd() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

/// For each row the first row of its series, that is of the rows with equal keys but the axis, and the first
/// row of the series before; where there is none, its own.
struct SeriesStarts {
    std::vector<std::uint32_t> own;
    std::vector<std::uint32_t> before;
};

SeriesStarts seriesOf(const std::vector<KeyIndex>& keys, std::size_t rows) {
    SeriesStarts starts{std::vector<std::uint32_t>(rows), std::vector<std::uint32_t>(rows)};
    std::uint32_t own = 0;
    std::uint32_t before = 0;
    for (std::size_t row = 1; row < rows; ++row) {
        const bool goesOn = std::all_of(keys.begin(), keys.end() - 1,
                                        [&](const KeyIndex& key) { return key.at[row] == key.at[row - 1]; });
        if (!goesOn) {
            before = std::exchange(own, static_cast<std::uint32_t>(row));
        }
        starts.own[row] = own;
        starts.before[row] = before;
    }
    return starts;
}

/// Predicts a row's code: the row above plus the step that the series before makes at the same place; the
/// first row of a series from the first of the series before.
std::int32_t predicted(const std::vector<std::int32_t>& codes, const SeriesStarts& starts, std::size_t row) {
    const std::size_t own = starts.own[row];
    const std::size_t before = starts.before[row];
    const std::size_t place = row - own;
    const bool hasBefore = before < own && place < own - before;
    if (place == 0) {
        return hasBefore ? codes[before] : 0;
    }
    return codes[row - 1] + (hasBefore ? codes[before + place] - codes[before + place - 1] : 0);
}

std::optional<std::string> problemInKeys(const AtlasTable& table) {
    const AtlasKindSpec& spec = specOf(table.kind);
    if (!std::ranges::equal(table.keys, spec.keys, {}, &AtlasKeys::name)) {
        return "its key columns are not those of its kind";
    }
    for (const AtlasKeys& column : table.keys) {
        const bool words = isAtlasWordKey(column.name);
        if (column.words.size() != (words ? table.rows : 0) ||
            column.numbers.size() != (words ? 0 : table.rows)) {
            return fmt::format("its column {} has not one cell a row", column.name);
        }
        const bool good = std::ranges::all_of(column.words, isAtlasWord) &&
                          std::ranges::all_of(column.numbers, [&](std::int64_t number) {
                              return number >= leastAtlasNumber(column.name) && number <= mostAtlasNumber;
                          });
        if (!good) {
            return fmt::format("its column {} has a cell that no table can have", column.name);
        }
    }
    return std::nullopt;
}

/// Returns what keeps a table from being one; rows' order aside.
std::optional<std::string> problemIn(const AtlasTable& table) {
    if (table.rows > mostAtlasRows) {
        return fmt::format("it has {} rows, more than {}", table.rows, mostAtlasRows);
    }
    std::vector<std::string> names;
    for (const AtlasTimes& column : table.times) {
        if (column.us.size() != table.rows) {
            return fmt::format("its column {} has not one cell a row", column.name);
        }
        names.push_back(column.name);
    }
    if (!areAtlasTimes(table.kind, names)) {
        return "its columns of times are not those of its kind";
    }
    return problemInKeys(table);
}

bool areInOrder(const std::vector<KeyIndex>& keys, std::size_t rows) {
    for (std::size_t row = 1; row < rows; ++row) {
        if (compareAtlasRows(keys, row - 1, row) >= 0) {
            return false;
        }
    }
    return true;
}

void appendKeys(std::string& bytes, const KeyIndex& column) {
    appendLittleEndian(bytes, column.size(), bytesOfCount);
    for (const std::string& word : column.distinct.words) {
        appendLittleEndian(bytes, word.size(), 1);
        bytes += word;
    }
    for (const std::int64_t number : column.distinct.numbers) {
        appendLittleEndian(bytes, static_cast<std::uint64_t>(number), bytesOfNumber);
    }
    std::vector<std::uint32_t> steps;
    std::int32_t above = 0;
    for (const std::uint32_t place : column.at) {
        const auto here = static_cast<std::int32_t>(place);
        steps.push_back(zigzag(here - std::exchange(above, here)));
    }
    appendPlanes(bytes, steps, planesOfPlaces(column.size()));
}

/// Takes `count` distinct cells of a column, which must be ascending.
std::optional<AtlasKeys> takeDistinct(ColumnBytes& bytes, const std::string& name, std::size_t count) {
    AtlasKeys distinct;
    const bool words = isAtlasWordKey(name);
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = bytes.takeNumber(words ? 1 : bytesOfNumber);
        const auto word = number && words ? bytes.take(*number) : std::optional(std::string_view());
        if (!number || !word) {
            return std::nullopt;
        }
        if (words) {
            distinct.words.emplace_back(*word);
        } else if (*number <= static_cast<std::uint64_t>(mostAtlasNumber)) {
            distinct.numbers.push_back(static_cast<std::int64_t>(*number));
        } else {
            return std::nullopt;
        }
    }
    constexpr auto notAscending = [](const auto& one, const auto& other) { return one >= other; };
    const bool good = std::ranges::adjacent_find(distinct.words, notAscending) == distinct.words.end() &&
                      std::ranges::adjacent_find(distinct.numbers, notAscending) == distinct.numbers.end() &&
                      std::ranges::all_of(distinct.words, isAtlasWord) &&
                      (distinct.numbers.empty() || distinct.numbers.front() >= leastAtlasNumber(name));
    return good ? std::optional(std::move(distinct)) : std::nullopt;
}

std::optional<KeyIndex> takeKeys(ColumnBytes& bytes, const std::string& name, std::size_t rows) {
    const auto count = bytes.takeNumber(bytesOfCount);
    if (!count || *count > rows) {
        return std::nullopt;
    }
    auto distinct = takeDistinct(bytes, name, *count);
    auto steps = distinct ? bytes.takePlanes(rows, planesOfPlaces(*count)) : std::nullopt;
    if (!steps) {
        return std::nullopt;
    }
    std::int64_t place = 0;
    for (std::uint32_t& step : *steps) { // each step becomes the place that it leads to
        place += unzigzag(step);
        if (place < 0 || place >= static_cast<std::int64_t>(*count)) {
            return std::nullopt;
        }
        step = static_cast<std::uint32_t>(place);
    }
    return KeyIndex{std::move(*distinct), std::move(*steps)};
}

AtlasKeys keysOf(const KeyIndex& index, const std::string& name) {
    AtlasKeys keys{name};
    const bool words = isAtlasWordKey(name);
    keys.words.reserve(words ? index.at.size() : 0);
    keys.numbers.reserve(words ? 0 : index.at.size());
    for (const std::uint32_t place : index.at) {
        if (words) {
            keys.words.push_back(index.distinct.words[place]);
        } else {
            keys.numbers.push_back(index.distinct.numbers[place]);
        }
    }
    return keys;
}

std::optional<AtlasTimes> takeTimes(ColumnBytes& bytes, const std::string& name, const SeriesStarts& starts) {
    const std::size_t rows = starts.own.size();
    const auto differences = bytes.takePlanes(rows, planesOfTimes);
    if (!differences) {
        return std::nullopt;
    }
    AtlasTimes times{name, {}};
    times.us.reserve(rows);
    std::vector<std::int32_t> codes(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        codes[row] = predicted(codes, starts, row) + unzigzag((*differences)[row]);
        const auto us = timeOfCode(codes[row]);
        if (!us) {
            return std::nullopt;
        }
        times.us.push_back(*us);
    }
    return times;
}

} // namespace

Result<std::string> atlasColumnBytes(const AtlasTable& table) {
    const auto cannot = [](const std::string& why) {
        return Error{"cannot pack the table: " + why, "", "a table as atlasTableFromCsv gives it"};
    };
    if (const auto problem = problemIn(table)) {
        return cannot(*problem);
    }
    std::vector<KeyIndex> keys;
    std::ranges::transform(table.keys, std::back_inserter(keys), keyIndexOf);
    if (!areInOrder(keys, table.rows)) {
        return cannot("its rows are out of order, or two have equal keys");
    }
    std::string bytes;
    for (const KeyIndex& column : keys) {
        appendKeys(bytes, column);
    }
    const SeriesStarts starts = seriesOf(keys, table.rows);
    for (const AtlasTimes& column : table.times) {
        std::vector<std::int32_t> codes;
        std::ranges::transform(column.us, std::back_inserter(codes), timeCodeOf);
        std::vector<std::uint32_t> differences(table.rows);
        for (std::size_t row = 0; row < table.rows; ++row) {
            differences[row] = zigzag(codes[row] - predicted(codes, starts, row));
        }
        appendPlanes(bytes, differences, planesOfTimes);
    }
    return bytes;
}

Result<AtlasTable> atlasTableOfColumns(const AtlasHead& head, std::string_view bytes) {
    ColumnBytes rest(bytes);
    AtlasTable table{head.kind, head.source, head.rows};
    std::vector<KeyIndex> keys;
    for (const std::string_view name : specOf(head.kind).keys) {
        auto column = takeKeys(rest, std::string(name), head.rows);
        if (!column) {
            return Error{fmt::format("its key column {} does not decode", name), "", ""};
        }
        keys.push_back(std::move(*column));
        table.keys.push_back(keysOf(keys.back(), std::string(name)));
    }
    if (!areInOrder(keys, head.rows)) {
        return Error{"its rows are out of order, or two have equal keys", "", ""};
    }
    const SeriesStarts starts = seriesOf(keys, head.rows);
    for (const std::string& name : head.times) {
        auto column = takeTimes(rest, name, starts);
        if (!column) {
            return Error{fmt::format("its column of times {} does not decode", name), "", ""};
        }
        table.times.push_back(std::move(*column));
    }
    if (!rest.atEnd()) {
        return Error{"bytes follow its last column", "", ""};
    }
    return table;
}

} // namespace loadline
