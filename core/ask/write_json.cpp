// Paths become objects, tables arrays or objects; one pass, nothing is kept but the tree of paths.
#include "core/ask/write_json.h"

#include "core/text/json/compact_json.h"
#include "core/text/json/visible_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

namespace loadline::ask {
namespace {

template <typename... F>
struct JsonOf : F... {
    using F::operator()...;
};
template <typename... F>
JsonOf(F...) -> JsonOf<F...>; // clang 14 asks for it

std::string jsonText(const std::string& text) {
    return visibleJson(compactJson(text));
}

void appendJson(std::string& text, const Value& value) {
    std::visit(
        JsonOf{[&](std::monostate) { text += "null"; }, [&](bool truth) { text += truth ? "true" : "false"; },
               [&](double number) { text += std::isfinite(number) ? nlohmann::json(number).dump() : "null"; },
               [&](const std::string& held) { text += jsonText(held); },
               [&](TimeMs time) { text += jsonText(formatIso8601(time)); },
               [&](const Decimal& money) { text += plainText(Value(money)); },
               [&](const Interval& ends) {
                   text += "[";
                   appendJson(text, ends.low);
                   text += ", ";
                   appendJson(text, ends.high);
                   text += "]";
               },
               [&](auto whole) {
                   const fmt::format_int digits(whole);
                   text.append(digits.data(), digits.size());
               }},
        value);
}

/// A level of paths: facts, columns and tables by name, in the order in which they came.
template <typename Leaf>
struct Paths {
    std::string name;
    std::string quoted = {}; ///< "name": as JSON begins a member
    const Leaf* leaf = nullptr;
    std::deque<Paths> below = {};

    Paths& at(std::string_view path) {
        Paths* level = this;
        while (!path.empty()) {
            const std::string_view name = path.substr(0, path.find('.'));
            path.remove_prefix(std::min(name.size() + 1, path.size()));
            const auto found = std::ranges::find(level->below, name, &Paths::name);
            level = found != level->below.end() ? &*found
                                                : &level->below.emplace_back(Paths{
                                                      std::string(name), jsonText(std::string(name)) + ": "});
        }
        return *level;
    }
};

using Part = std::variant<Fact, Table>;
using PartPaths = Paths<Part>;
using ColumnPaths = Paths<Column>;

/// Text goes out in pieces of some size.
class Writer {
public:
    explicit Writer(const Sink& sink) : sink_(sink) {}

    void put(std::string_view text) {
        constexpr std::size_t piece = 1 << 16;
        text_ += text;
        if (text_.size() >= piece) {
            flush();
        }
    }

    void putValue(const Value& value) {
        appendJson(text_, value);
        put(""); // flushes
    }

    void line(std::size_t depth) {
        put("\n");
        text_.append(2 * depth, ' ');
    }

    bool flush() {
        isWanted_ = isWanted_ && (text_.empty() || sink_(text_));
        text_.clear();
        return isWanted_;
    }

    [[nodiscard]] bool isWanted() const { return isWanted_; }

private:
    const Sink& sink_;
    std::string text_;
    bool isWanted_ = true;
};

/// An object or an array that is being written: brackets, commas and line ends.
class Group {
public:
    Group(Writer& writer, std::size_t depth, char open, char close)
        : writer_(writer), depth_(depth), close_(close) {
        writer_.put(std::string_view(&open, 1));
    }

    void next() {
        writer_.put(isEmpty_ ? "" : ",");
        isEmpty_ = false;
        writer_.line(depth_ + 1);
    }

    void next(std::string_view quoted) {
        next();
        writer_.put(quoted);
    }

    void end() {
        if (!isEmpty_) {
            writer_.line(depth_);
        }
        writer_.put(std::string_view(&close_, 1));
    }

private:
    Writer& writer_;
    std::size_t depth_;
    char close_;
    bool isEmpty_ = true;
};

class DocumentWriter {
public:
    DocumentWriter(const Report& report, Writer& writer) : report_(report), writer_(writer) {}

    void write() {
        PartPaths root;
        for (const Part& part : report_.parts) {
            const auto* fact = std::get_if<Fact>(&part);
            const std::string& path = fact != nullptr ? fact->key : std::get<Table>(part).path;
            if (!path.empty()) {
                root.at(path).leaf = &part;
            }
        }
        Group document(writer_, 0, '{', '}');
        if (!report_.schema.empty()) {
            document.next("\"schema\": ");
            writer_.put(jsonText(report_.schema));
        }
        for (const PartPaths& one : root.below) {
            document.next(one.quoted);
            put(one, 0, 1);
        }
        if (!report_.schema.empty()) {
            document.next("\"caveats\": ");
            putCaveats();
        }
        document.end();
        writer_.put("\n");
    }

private:
    void putCaveats() {
        Group list(writer_, 1, '[', ']');
        for (const std::string& caveat : report_.caveats()) {
            list.next();
            writer_.put(jsonText(caveat));
        }
        list.end();
    }

    void put(const PartPaths& paths, std::size_t outer, std::size_t depth) {
        if (paths.leaf != nullptr) {
            if (const auto* table = std::get_if<Table>(paths.leaf)) {
                put(*table, paths, outer, depth);
                return;
            }
            if (paths.below.empty() || !hasValue(paths)) {
                writer_.putValue(std::get<Fact>(*paths.leaf).cell.value);
                return;
            }
        }
        Group object(writer_, depth, '{', '}');
        for (const PartPaths& one : paths.below) {
            object.next(one.quoted);
            put(one, outer, depth + 1);
        }
        object.end();
    }

    void put(const Table& table, const PartPaths& paths, std::size_t outer, std::size_t depth) {
        const auto [first, last] = table.within ? table.within(outer) : std::pair(std::size_t{0}, table.rows);
        const bool isMap = table.shape == Shape::Map || table.shape == Shape::MapRows;
        ColumnPaths columns;
        for (std::size_t i = table.shape == Shape::MapRows ? 1 : 0; i < table.columns.size(); ++i) {
            if (!table.columns[i].key.empty()) {
                columns.at(table.columns[i].key).leaf = &table.columns[i];
            }
        }
        Group rows(writer_, depth, isMap ? '{' : '[', isMap ? '}' : ']');
        for (std::size_t row = first; row < last && writer_.isWanted(); ++row) {
            if (isMap) {
                rows.next(jsonText(plainText(table.columns.front().at(row).value)) + ": ");
            } else {
                rows.next();
            }
            switch (table.shape) {
            case Shape::Scalars:
                writer_.putValue(table.columns.front().at(row).value);
                break;
            case Shape::Lists: {
                writer_.put("[");
                for (std::size_t i = 0; i < table.columns.size(); ++i) {
                    writer_.put(i == 0 ? "" : ", ");
                    writer_.putValue(table.columns[i].at(row).value);
                }
                writer_.put("]");
                break;
            }
            case Shape::Map:
                writer_.putValue(table.columns.at(1).at(row).value);
                break;
            case Shape::Rows:
            case Shape::MapRows:
                putRow(columns, paths, row, depth + 1);
                break;
            }
        }
        rows.end();
    }

    /// The columns of a row or of a group in it, then the tables within.
    void putRow(const ColumnPaths& columns, const PartPaths& paths, std::size_t row, std::size_t depth) {
        Group object(writer_, depth, '{', '}');
        for (const ColumnPaths& one : columns.below) {
            if (one.leaf != nullptr && one.leaf->isOmitted(row)) {
                continue;
            }
            static const PartPaths none;
            const auto found = std::ranges::find(paths.below, one.name, &PartPaths::name);
            const PartPaths& inner = found == paths.below.end() ? none : *found;
            if (one.below.empty() && &inner == &none) {
                object.next(one.quoted);
                writer_.putValue(one.leaf->at(row).value);
            } else if (isThere(one, row)) {
                object.next(one.quoted);
                if (inner.leaf != nullptr) {
                    put(inner, row, depth + 1);
                } else {
                    putRow(one, inner, row, depth + 1);
                }
            } else if (one.leaf != nullptr) {
                object.next(one.quoted);
                writer_.put("null");
            }
        }
        for (const PartPaths& inner : paths.below) {
            if (std::ranges::find(columns.below, inner.name, &ColumnPaths::name) == columns.below.end()) {
                object.next(inner.quoted);
                put(inner, row, depth + 1);
            }
        }
        object.end();
    }

    /// True if a fact here or below has a value, or there is a table.
    static bool hasValue(const PartPaths& paths) {
        const auto* fact = paths.leaf == nullptr ? nullptr : std::get_if<Fact>(paths.leaf);
        return (paths.leaf != nullptr && (fact == nullptr || !fact->cell.isEmpty())) ||
               std::ranges::any_of(paths.below, [](const PartPaths& one) { return hasValue(one); });
    }

    static bool hasValue(const ColumnPaths& group, std::size_t row) {
        return (group.leaf != nullptr && !group.leaf->at(row).isEmpty()) ||
               std::ranges::any_of(group.below, [row](const ColumnPaths& one) { return hasValue(one, row); });
    }

    /// A group with a column of its own name is there if any of its cells has a value, else it is null. One
    /// without is left out where all of its columns are.
    static bool isThere(const ColumnPaths& group, std::size_t row) {
        return group.leaf != nullptr ? hasValue(group, row)
                                     : std::ranges::any_of(group.below, [row](const ColumnPaths& one) {
                                           return one.below.empty()
                                                      ? !one.leaf->isOmitted(row)
                                                      : one.leaf != nullptr || isThere(one, row);
                                       });
    }

    const Report& report_;
    Writer& writer_;
};

} // namespace

bool writeJson(const Report& report, const Sink& sink) {
    Writer writer(sink);
    DocumentWriter(report, writer).write();
    return writer.flush();
}

std::string jsonOfReport(const Report& report) {
    std::string text;
    writeJson(report, [&text](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

} // namespace loadline::ask
