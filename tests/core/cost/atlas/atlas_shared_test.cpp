// Every published table, cell by cell: as CSV, packed, and as the program ships it.
#include "core/cost/atlas/atlas.h"

#include "core/cost/atlas/atlas_columns.h"
#include "tests/core/cost/atlas/made_up_atlas.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

namespace loadline {
namespace {

namespace fs = std::filesystem;

using Fields = std::vector<std::string_view>;

fs::path measuredFolder() {
    return fs::path(LOADLINE_SHARED_DATA) / "kernels/measured";
}

std::string resourcesFolder() {
    return (fs::path(LOADLINE_TEST_DATA).parent_path().parent_path() / "resources/atlas").string();
}

std::string keyOfFolder(const fs::path& folder) {
    std::string key = folder.filename().string();
    std::ranges::replace(key, '_', '-');
    return key == "rtx-pro-6000-server" ? "rtx-pro-6000" : key;
}

std::string unpackedText(const fs::path& path) {
    std::string text;
    const Status status = readCompressed(path.string(), 1 << 28, {}, nullptr, [&](std::string_view bytes) {
        text += bytes;
        return true;
    });
    EXPECT_TRUE(status) << path;
    return text;
}

Fields fieldsOf(std::string_view line) {
    Fields fields;
    for (std::size_t end = 0; end != std::string_view::npos;
         line.remove_prefix(std::min(end + 1, line.size()))) {
        end = line.find(',');
        fields.emplace_back(line.substr(0, end));
    }
    return fields;
}

/// Times of each key by strtod, as a reader that knows nothing of tables finds them.
struct PlainTable {
    /// By the keys' words, each behind a comma; then by column, then the rows with these keys.
    std::unordered_map<std::string, std::vector<std::vector<double>>> times;
    std::size_t cells = 0;
};

/// Reads a CSV; columns of times that it does not have are empty.
PlainTable plainTableOf(const std::string& text, const AtlasKindSpec& spec) {
    const std::map<std::string_view, std::string_view> others{
        {"allreduce_dtype", "dtype"}, {"num_gpus", "gpus"}, {"message_size", "elements"}};
    PlainTable table;
    Fields header;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        const Fields fields = fieldsOf(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
        if (header.empty()) {
            for (const std::string_view name : fields) {
                header.push_back(others.contains(name) ? others.at(name) : name);
            }
            continue;
        }
        const auto cell = [&](std::string_view name) {
            const auto found = std::ranges::find(header, name);
            return found == header.end() ? std::string_view()
                                         : fields.at(static_cast<std::size_t>(found - header.begin()));
        };
        std::string keys;
        for (const std::string_view name : spec.keys) {
            keys.append(",").append(cell(name));
        }
        auto& times = table.times[keys];
        times.resize(spec.times.size());
        for (std::size_t i = 0; i < spec.times.size(); ++i) {
            const std::string value(cell(spec.times[i]));
            table.cells += value.empty() ? 0 : 1;
            if (!value.empty()) {
                times[i].push_back(std::strtod(value.c_str(), nullptr));
            }
        }
    }
    return table;
}

/// The time that stands for those of rows with equal keys.
double expectedTime(std::vector<double> times, const AtlasKindSpec& spec) {
    if (times.empty()) {
        return test::notMeasured;
    }
    std::ranges::sort(times);
    const std::size_t half = times.size() / 2;
    if (spec.keepsFastest || times.size() == 1) {
        return times.front();
    }
    return times.size() % 2 == 1
               ? times[half]
               : std::strtod(fmt::format("{:.4e}", (times[half - 1] + times[half]) / 2).c_str(), nullptr);
}

std::string keysOfRow(const AtlasTable& table, std::size_t row) {
    std::string keys;
    for (const AtlasKeys& column : table.keys) {
        keys.append(",").append(column.words.empty() ? std::to_string(column.numbers.at(row))
                                                     : column.words.at(row));
    }
    return keys;
}

/// Compares each cell; returns how many have a time.
std::size_t expectCells(const AtlasTable& table, const PlainTable& plain, const AtlasKindSpec& spec) {
    EXPECT_EQ(table.rows, plain.times.size());
    std::size_t wrong = 0, cells = 0;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const auto found = plain.times.find(keysOfRow(table, row));
        if (found == plain.times.end()) {
            ++wrong;
            continue;
        }
        for (std::size_t i = 0; i < spec.times.size(); ++i) {
            const double expected = expectedTime(found->second[i], spec);
            const AtlasTimes* times = table.timesNamed(atlasTimesName(spec.times[i]));
            const double us = times == nullptr ? test::notMeasured : times->us.at(row);
            wrong += us == expected || (std::isnan(us) && std::isnan(expected)) ? 0 : 1;
            cells += std::isnan(us) ? 0 : 1;
        }
    }
    EXPECT_EQ(wrong, 0U);
    return cells;
}

/// Packs and unpacks a table without zstd, whose slowest level takes most of the time.
void expectColumns(const AtlasTable& table) {
    const Result<std::string> columns = atlasColumnBytes(table);
    ASSERT_TRUE(columns) << columns.error().sentence();
    AtlasHead head{.kind = table.kind, .source = table.source, .rows = table.rows};
    for (const AtlasTimes& times : table.times) {
        head.times.push_back(times.name);
    }
    const Result<AtlasTable> again = atlasTableOfColumns(head, *columns);
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_TRUE(isSameAtlasTable(*again, table));
}

TEST(PublishedTables, ArePackedAndShippedToTheLastDigit) {
    if (!fs::exists(measuredFolder())) {
        GTEST_SKIP() << "the shared data has no kernels/measured";
    }
    const AtlasShelf shelf = shelfInFolder(resourcesFolder());
    std::size_t files = 0, measured = 0, kept = 0;
    std::set<std::string> shipped;
    for (const auto& folder : fs::directory_iterator(measuredFolder())) {
        if (!folder.is_directory()) {
            continue;
        }
        const std::string gpu = keyOfFolder(folder.path());
        for (const auto& file : fs::directory_iterator(folder.path())) {
            SCOPED_TRACE(file.path().string());
            const std::string text = unpackedText(file.path());
            const auto kind = atlasKindOfCsv(text, file.path().string());
            ASSERT_TRUE(kind);
            const AtlasKindSpec& spec = specOf(*kind);
            Result<AtlasCsv> csv = atlasTableFromCsv(text, *kind, file.path().string());
            ASSERT_TRUE(csv) << csv.error().sentence();
            const PlainTable plain = plainTableOf(text, spec);
            ++files;
            measured += plain.cells;
            kept += expectCells(csv->table, plain, spec);

            const Result<std::string> bytes = shelf.open(atlasFileName(gpu, *kind));
            ASSERT_TRUE(bytes) << bytes.error().sentence();
            const Result<AtlasTable> table = atlasTableFrom(*bytes, "it");
            ASSERT_TRUE(table) << table.error().sentence();
            csv->table.source = table->source;
            EXPECT_TRUE(isSameAtlasTable(csv->table, *table));
            EXPECT_FALSE(table->source.engine.empty() || table->source.licence.empty() ||
                         table->source.publisher.empty());
            expectColumns(csv->table);
            shipped.insert(atlasFileName(gpu, *kind));
        }
    }
    EXPECT_EQ(files, 158U);
    EXPECT_EQ(measured, 3'063'057U);
    EXPECT_EQ(kept, 3'063'057U - 408 - 4 * 2928 - 1008 - 504); // rows with equal keys are one
    for (const auto& entry : fs::recursive_directory_iterator(resourcesFolder())) {
        if (entry.path().extension() == ".atlas") {
            EXPECT_TRUE(shipped.contains(fs::relative(entry.path(), resourcesFolder()).string()))
                << entry.path();
        }
    }
}

} // namespace
} // namespace loadline
