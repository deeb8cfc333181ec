// Facts about a file's shape from its beginning: members of a record, columns, tables of a database.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Facts are members of one record by their path, "payload" or "message.role", with their value where that is
/// a short text; elements of lists stand after "[]": "messages[]info", and of a list that is the whole
/// document "[]type".
class FileFacts {
public:
    /// Adds a member; `value`: its text if that is short, else "". A fixed number of facts is kept of the
    /// record itself, and as many within it; more are dropped.
    void add(std::string_view path, std::string_view value = {});

    /// "path", "path=value" or "path=beginning*".
    [[nodiscard]] bool holds(std::string_view term) const;

    /// True if the record was read to its end: not cut, not broken.
    [[nodiscard]] bool complete() const { return complete_; }

    void setComplete() { complete_ = true; }

private:
    struct Fact {
        std::string path;
        std::string value;
        bool operator==(const Fact&) const = default;
    };

    std::vector<Fact> facts_;
    std::size_t inner_ = 0; ///< facts that are not of the record itself
    bool complete_ = false;
};

/// Returns the facts of the first JSON value in `text`, which may be cut or broken anywhere: those before the
/// break are kept.
FileFacts factsOfJson(std::string_view text);

/// SQLite's magic bytes.
bool isDatabase(std::string_view head);
/// "database", "table.NAME" of each table whose definition is in these bytes, "name=NAME" of the file.
FileFacts factsOfDatabase(std::string_view head, std::string_view name);

/// "column.NAME" of each column that a table's first line names, in lower case.
FileFacts factsOfTable(std::string_view text);

/// "heading" of a text's first line "# ...", words joined by '_'.
FileFacts factsOfHeading(std::string_view text);

} // namespace loadline
