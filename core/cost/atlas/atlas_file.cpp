// The head and the digest of packed tables.
#include "core/cost/atlas/atlas_file.h"

#include "core/base/file/archive.h"
#include "core/base/file/read_json.h"
#include "core/base/hash128.h"
#include "core/cost/atlas/atlas_columns.h"
#include "core/text/json/compact_json.h"
#include "core/text/json/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

// The head is one line: {"schema":"loadline.atlas/1",...,"digest":"32 hexadecimal digits"}
constexpr std::string_view schemaMember = R"({"schema":"loadline.atlas/)";
constexpr std::string_view schemaVersion = R"(1",)";
constexpr std::string_view digestMember = R"(,"digest":")";
constexpr std::string_view headEnd = R"("})";
constexpr std::size_t digestDigits = 32;
constexpr std::size_t digestBytes = digestMember.size() + digestDigits + headEnd.size();
constexpr std::size_t mostHeadBytes = 8192;
constexpr int smallestLevel = 19; // of zstd

/// A packed table in its two parts.
struct AtlasParts {
    std::string_view head; ///< without the end of its line
    std::string_view frame;
};

/// Digest of all of the head but its digest, and of the compressed columns.
std::string atlasDigest(std::string_view headBefore, std::string_view frame) {
    const Hash128 hash = hashOf(headBefore, frame);
    return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

Error damagedTable(std::string_view name, std::string_view why) {
    return {fmt::format("{} is damaged: {}", name, why), "",
            "install the program again, or fetch the file again"};
}

/// Splits the bytes and checks the digest.
Result<AtlasParts> atlasPartsOf(std::string_view bytes, std::string_view name) {
    const std::size_t end = bytes.substr(0, mostHeadBytes).find('\n');
    if (!bytes.starts_with(schemaMember) || end == std::string_view::npos) {
        return damagedTable(name, "its first line is not the head of a packed table");
    }
    const AtlasParts parts{bytes.substr(0, end), bytes.substr(end + 1)};
    if (!parts.head.substr(schemaMember.size()).starts_with(schemaVersion)) {
        return Error{fmt::format("{} cannot be read: its form is not loadline.atlas/1", name), "",
                     "a newer release of the program"};
    }
    if (parts.head.size() < digestBytes || !parts.head.ends_with(headEnd)) {
        return damagedTable(name, "its first line is cut");
    }
    const std::string_view before = parts.head.substr(0, parts.head.size() - digestBytes);
    const std::string expected =
        fmt::format("{}{}{}", digestMember, atlasDigest(before, parts.frame), headEnd);
    if (parts.head.substr(before.size()) != expected) {
        return damagedTable(name, "its digest is not that of its bytes");
    }
    return parts;
}

/// Reads the head; anything that is wrong with it is the problem.
AtlasHead headIn(std::string_view line, JsonProblem& problem) {
    const nlohmann::json json = jsonFrom(line);
    JsonFields fields(json, problem);
    AtlasHead head;
    std::string kind;
    fields.text("kind", kind, JsonFields::needed);
    if (const AtlasKindSpec* spec = findAtlasKind(kind)) {
        head.kind = spec->kind;
    } else {
        fields.fail(fmt::format("no kind of table is called \"{}\"", kind));
    }
    fields.whole("rows", head.rows, 0, mostAtlasRows, JsonFields::needed);
    fields.whole("bytes", head.bytes, 0, mostAtlasColumnBytes, JsonFields::needed);
    std::vector<std::string> keys;
    fields.texts("keys", keys, JsonFields::needed);
    fields.texts("times", head.times, JsonFields::needed);
    if (!std::ranges::equal(keys, specOf(head.kind).keys) || !areAtlasTimes(head.kind, head.times)) {
        fields.fail("its columns are not those of its kind");
    }
    if (head.rows * (keys.size() + head.times.size()) > head.bytes) {
        fields.fail("its columns hold fewer bytes than rows");
    }
    AtlasSource& source = head.source;
    fields.text("engine", source.engine, JsonFields::needed);
    fields.text("version", source.version, JsonFields::needed);
    fields.text("date", source.date, JsonFields::needed);
    fields.text("licence", source.licence, JsonFields::needed);
    fields.text("publisher", source.publisher, JsonFields::needed);
    return head;
}

Result<AtlasHead> headOf(const AtlasParts& parts, std::string_view name) {
    JsonProblem problem;
    AtlasHead head = headIn(parts.head, problem);
    if (problem) {
        return damagedTable(name, problem.what);
    }
    return head;
}

} // namespace

Result<std::string> packed(const AtlasTable& table) {
    const Result<std::string> columns = atlasColumnBytes(table);
    if (!columns) {
        return columns.error();
    }
    const Result<std::string> frame = zstdOf(*columns, smallestLevel);
    if (!frame) {
        return frame.error();
    }
    const auto names = [](const auto& list) {
        nlohmann::ordered_json array = nlohmann::ordered_json::array();
        for (const auto& column : list) {
            array.push_back(column.name);
        }
        return array;
    };
    const AtlasSource& source = table.source;
    const nlohmann::ordered_json json{
        {"schema", "loadline.atlas/1"}, {"kind", specOf(table.kind).key}, {"rows", table.rows},
        {"bytes", columns->size()},     {"keys", names(table.keys)},      {"times", names(table.times)},
        {"engine", source.engine},      {"version", source.version},      {"date", source.date},
        {"licence", source.licence},    {"publisher", source.publisher}};
    std::string head = compactJson(json);
    head.pop_back(); // the brace: the digest follows
    if (head.size() + digestBytes >= mostHeadBytes || columns->size() > mostAtlasColumnBytes) {
        return Error{"cannot pack the table: its source or its columns are too long", "", "a shorter one"};
    }
    return fmt::format("{}{}{}{}\n{}", head, digestMember, atlasDigest(head, *frame), headEnd, *frame);
}

Result<AtlasHead> atlasHeadFrom(std::string_view bytes, std::string_view name) {
    const Result<AtlasParts> parts = atlasPartsOf(bytes, name);
    if (!parts) {
        return parts.error();
    }
    return headOf(*parts, name);
}

Result<AtlasTable> atlasTableFrom(std::string_view bytes, std::string_view name) {
    const Result<AtlasParts> parts = atlasPartsOf(bytes, name);
    if (!parts) {
        return parts.error();
    }
    const Result<AtlasHead> head = headOf(*parts, name);
    if (!head) {
        return head.error();
    }
    const Result<std::string> columns = unpackedBytes(parts->frame, head->bytes);
    if (!columns || columns->size() != head->bytes) {
        return damagedTable(name, "its columns do not unpack");
    }
    Result<AtlasTable> table = atlasTableOfColumns(*head, *columns);
    if (!table) {
        return damagedTable(name, table.error().what);
    }
    return table;
}

} // namespace loadline
