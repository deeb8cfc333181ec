// Any bytes as a kernel table, as CSV of every kind and packed: a table that keeps its promises, or a
// sentence.
#include "core/base/hash128.h"
#include "core/cost/atlas/atlas_columns.h"
#include "core/cost/atlas/atlas_csv.h"
#include "core/cost/atlas/atlas_file.h"
#include "core/cost/atlas/key_index.h"
#include "tests/fuzz/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

AtlasHead headOf(const AtlasTable& table) {
    AtlasHead head{.kind = table.kind, .source = table.source, .rows = table.rows};
    for (const AtlasTimes& times : table.times) {
        head.times.push_back(times.name);
    }
    return head;
}

/// The columns come back as they are once they are rounded to five digits.
void checkTable(const AtlasTable& table) {
    check(table.rows <= mostAtlasRows && !table.times.empty());
    std::vector<KeyIndex> keys;
    for (const AtlasKeys& column : table.keys) {
        check(column.words.size() + column.numbers.size() == table.rows);
        check(table.keysNamed(column.name) == &column);
        keys.push_back(keyIndexOf(column));
    }
    for (std::size_t row = 1; row < table.rows; ++row) {
        check(compareAtlasRows(keys, row - 1, row) < 0);
    }
    for (const AtlasTimes& times : table.times) {
        check(times.us.size() == table.rows);
        check(std::ranges::none_of(times.us, [](double us) { return std::isinf(us); }));
    }
    const Result<std::string> columns = atlasColumnBytes(table);
    check(columns.hasValue());
    const Result<AtlasTable> again = atlasTableOfColumns(headOf(table), *columns);
    check(again.hasValue() && again->keys == table.keys);
    checkEqual(atlasColumnBytes(*again).value(), *columns);
    const Result<AtlasTable> third = atlasTableOfColumns(headOf(*again), *columns);
    check(third.hasValue() && isSameAtlasTable(*third, *again));
}

void checkPacked(std::string_view bytes) {
    const Result<AtlasTable> table = atlasTableFrom(bytes, "gemm of h200-sxm");
    const Result<AtlasHead> head = atlasHeadFrom(bytes, "gemm of h200-sxm");
    check(head.hasValue() || !table.hasValue());
    if (!table) {
        check(table.error().what.starts_with("gemm of h200-sxm "));
        return checkError(table.error());
    }
    check(head->rows == table->rows && head->kind == table->kind && head->source == table->source);
    checkTable(*table);
}

/// The bytes with the digest that fits them, in place of the one that ends their first line.
std::string withDigest(std::string_view bytes) {
    constexpr std::string_view member = ",\"digest\":\"";
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view before = bytes.substr(0, std::min(bytes.find(member), end));
    const std::string_view frame = bytes.substr(std::min(end + 1, bytes.size()));
    const Hash128 hash = hashOf(before, frame);
    return fmt::format("{}{}{:016x}{:016x}\"}}\n{}", before, member, hash.high, hash.low, frame);
}

/// The bytes as unpacked columns of a table of a few rows.
void checkColumns(std::string_view bytes) {
    const std::uint32_t digest = digestOf(bytes);
    const AtlasKindSpec& spec = atlasKinds()[digest % atlasKindCount];
    AtlasHead head{.kind = spec.kind, .rows = digest / atlasKindCount % 9};
    head.times.emplace_back(atlasTimesName(spec.times.front()));
    const Result<AtlasTable> table = atlasTableOfColumns(head, bytes);
    if (table) {
        checkTable(*table);
    } else {
        check(!table.error().what.empty());
    }
}

void checkCsv(std::string_view text, AtlasKind kind) {
    const Result<AtlasCsv> csv = atlasTableFromCsv(text, kind, "x.csv");
    if (!csv) {
        return checkError(csv.error());
    }
    check(csv->table.kind == kind && csv->table.rows > 0);
    check(csv->diagnostics.size() <= 1);
    checkTable(csv->table);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    checkPacked(text);
    checkPacked(withDigest(text));
    checkColumns(text);
    const Result<AtlasKind> kind = atlasKindOfCsv(text, "x.csv");
    if (kind) {
        checkCsv(text, *kind);
    } else {
        checkError(kind.error());
    }
    for (const AtlasKindSpec& spec : atlasKinds()) {
        if (!kind || spec.kind != *kind) {
            checkCsv(text, spec.kind);
        }
    }
    return 0;
}
