// The contents of a golden file: a document of the program, with run times and places masked and long lists
// shortened; and how two of them differ.
#pragma once

#include <QCryptographicHash>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace golden {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t mostItems = 40;   ///< longer lists keep their ends and a digest;
inline constexpr std::size_t someItems = 12;   ///< so do longer ones than this
inline constexpr std::size_t mostLeaves = 150; ///< of more values than this, at any depth
inline constexpr std::size_t mostKeys = 60;    ///< and maps of more keys below the top
inline constexpr std::size_t firstItems = 3;
inline constexpr double tolerance = 1e-9; ///< relative: the C libraries of two machines differ that much
inline constexpr std::string_view lengthKey = "(items)";

// ---- masks --------------------------------------------------------------------------------------------

/// True for what differs from run to run or from machine to machine; `parent` is the key of the object around
/// it, "" at the top.
inline bool isOfThisRun(std::string_view parent, std::string_view key) {
    static const std::set<std::string_view> speeds{"wall_s", "steps_per_s", "times_real_time",
                                                   "crossovers_wall_s"};
    static const std::set<std::string_view> ofMeasuring{"date", "seconds", "os", "program_revision",
                                                        "program_version"};
    return speeds.contains(key) || (parent.empty() && key == "seconds") ||
           (parent == "method" && ofMeasuring.contains(key)) || (parent == "device" && key == "machine") ||
           (parent == "inputs" && key == "version");
}

/// Texts that stand for others, as {from, to}: folders of this machine.
using Places = std::vector<std::pair<std::string, std::string>>;

inline std::string replaced(std::string text, const Places& places) {
    for (const auto& [from, to] : places) {
        for (std::size_t at = text.find(from); !from.empty() && at != std::string::npos;
             at = text.find(from, at + to.size())) {
            text.replace(at, from.size(), to);
        }
    }
    return text;
}

inline Json masked(const Json& value, const Places& places, const std::string& parent = "") {
    if (value.is_string()) {
        return replaced(value.get<std::string>(), places);
    }
    if (value.is_array()) {
        Json items = Json::array();
        for (const Json& item : value) {
            items.push_back(masked(item, places, "[]"));
        }
        return items;
    }
    if (!value.is_object()) {
        return value;
    }
    Json object = Json::object();
    for (const auto& [key, part] : value.items()) {
        const bool hidden = isOfThisRun(parent, key) && (part.is_number() || part.is_string());
        object[replaced(key, places)] =
            hidden ? Json(part.is_number() ? "(a number of this run)" : "(of this run)")
                   : masked(part, places, key);
    }
    return object;
}

// ---- numbers ------------------------------------------------------------------------------------------

/// The number that a text is as a whole, if it is one with a point or an exponent.
inline std::optional<double> decimalOf(std::string_view text) {
    if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos ||
        text.find_first_of(".eE") == std::string_view::npos) {
        return std::nullopt;
    }
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value)
                                                                           : std::nullopt;
}

inline bool close(double a, double b) {
    return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// True if both are equal, or are decimals in all their digits that differ by no more than the tolerance.
/// "0.50" and "0.5" are two texts.
inline bool sameText(const std::string& a, const std::string& b) {
    if (a == b) {
        return true;
    }
    const auto first = decimalOf(a), second = decimalOf(b);
    return first && second && *first != *second && close(*first, *second);
}

// ---- digests ------------------------------------------------------------------------------------------

inline std::string roundedNumber(double value) {
    return fmt::format("{:.9g}", value == 0 ? 0.0 : value);
}

/// All of a value as one text: keys in order, decimals in nine digits and told from integers.
inline void appendCanonical(const Json& value, std::string& text) {
    if (value.is_number_float()) {
        text += roundedNumber(value.get<double>()) + "f";
    } else if (value.is_string()) {
        const auto word = value.get<std::string>();
        const auto digits = std::ranges::count_if(word, [](char c) { return c >= '0' && c <= '9'; });
        const auto number = digits > 9 ? decimalOf(word) : std::nullopt;
        text += number ? roundedNumber(*number) + "t" : value.dump();
    } else if (value.is_array()) {
        text += '[';
        for (const Json& item : value) {
            appendCanonical(item, text);
            text += ',';
        }
        text += ']';
    } else if (value.is_object()) {
        std::map<std::string, const Json*> parts;
        for (const auto& [key, part] : value.items()) {
            parts.emplace(key, &part);
        }
        text += '{';
        for (const auto& [key, part] : parts) {
            text += Json(key).dump() + ':';
            appendCanonical(*part, text);
            text += ',';
        }
        text += '}';
    } else {
        text += value.dump();
    }
}

inline std::string hashOf(const std::string& text) {
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256);
    return hash.toHex().left(12).toStdString();
}

/// One digest for each key of objects, or column of rows, so that a difference names it; else one for all.
inline Json digestOf(const Json& list) {
    std::map<std::string, std::string> columns;
    const bool objects = std::ranges::all_of(list, [](const Json& item) { return item.is_object(); });
    const bool rows = std::ranges::all_of(
        list, [&](const Json& item) { return item.is_array() && item.size() == list.front().size(); });
    if (objects) {
        for (const Json& item : list) {
            for (const auto& [key, part] : item.items()) {
                columns[key];
            }
        }
        for (const Json& item : list) {
            for (auto& [key, text] : columns) {
                const auto part = item.find(key);
                if (part != item.end()) {
                    appendCanonical(*part, text);
                }
                text += '\n'; // also where there is none
            }
        }
        Json digests = Json::object();
        for (const auto& [key, text] : columns) {
            digests[key] = hashOf(text);
        }
        return digests;
    }
    if (rows) {
        Json digests = Json::array();
        for (std::size_t column = 0; column < list.front().size(); ++column) {
            std::string text;
            for (const Json& item : list) {
                appendCanonical(item[column], text);
                text += '\n';
            }
            digests.push_back(hashOf(text));
        }
        return digests;
    }
    std::string text;
    appendCanonical(list, text);
    return hashOf(text);
}

inline std::size_t leavesOf(const Json& value) {
    if (!value.is_structured()) {
        return 1;
    }
    std::size_t leaves = 0;
    for (const Json& part : value) {
        leaves += leavesOf(part);
    }
    return leaves;
}

inline bool isLong(const Json& list) {
    return list.size() > mostItems || (list.size() > someItems && leavesOf(list) > mostLeaves);
}

/// The value with its long lists and maps shortened to their number of items, three, the last, and a digest.
inline Json shortened(const Json& value, bool atTop = true) {
    Json result = value;
    if (value.is_array() && isLong(value)) {
        Json first = Json::array();
        for (std::size_t i = 0; i < firstItems; ++i) {
            first.push_back(shortened(value[i], false));
        }
        return Json{{std::string(lengthKey), value.size()},
                    {"first", std::move(first)},
                    {"last", shortened(value.back(), false)},
                    {"digest", digestOf(value)}};
    }
    if (value.is_object() && !atTop && value.size() > mostKeys) {
        std::map<std::string, const Json*> parts;
        for (const auto& [key, part] : value.items()) {
            parts.emplace(key, &part);
        }
        Json ends = Json::object();
        auto part = parts.begin();
        for (std::size_t i = 0; i < firstItems; ++i, ++part) {
            ends[part->first] = shortened(*part->second, false);
        }
        ends[parts.rbegin()->first] = shortened(*parts.rbegin()->second, false);
        std::string text;
        appendCanonical(value, text);
        return Json{
            {std::string(lengthKey), value.size()}, {"some", std::move(ends)}, {"digest", hashOf(text)}};
    }
    if (value.is_structured()) {
        for (Json& part : result) {
            part = shortened(part, false);
        }
    }
    return result;
}

// ---- differences --------------------------------------------------------------------------------------

inline std::string shown(const Json& value) {
    std::string text = value.dump();
    if (text.size() > 160) {
        text = text.substr(0, 150) + fmt::format("... ({} bytes)", text.size());
    }
    return text;
}

/// Appends "PATH: was GOLDEN, is NOW" for each place where both differ. Integers, words and kinds are exact.
inline void appendDifferences(const Json& was, const Json& now, const std::string& path,
                              std::vector<std::string>& differences) {
    const auto differs = [&] {
        differences.push_back(
            fmt::format("{}: was {}, is {}", path.empty() ? "(all)" : path, shown(was), shown(now)));
    };
    if (was.is_object() && now.is_object()) {
        for (const auto& [key, part] : was.items()) {
            const std::string place = path + (path.empty() ? "" : ".") + key;
            if (const auto found = now.find(key); found != now.end()) {
                appendDifferences(part, *found, place, differences);
            } else {
                differences.push_back(fmt::format("{}: was {}, is missing", place, shown(part)));
            }
        }
        for (const auto& [key, part] : now.items()) {
            if (!was.contains(key)) {
                differences.push_back(fmt::format("{}{}{}: was missing, is {}", path, path.empty() ? "" : ".",
                                                  key, shown(part)));
            }
        }
    } else if (was.is_array() && now.is_array()) {
        if (was.size() != now.size()) {
            differences.push_back(
                fmt::format("{}: was a list of {}, is one of {}", path, was.size(), now.size()));
        }
        for (std::size_t i = 0; i < std::min(was.size(), now.size()); ++i) {
            appendDifferences(was[i], now[i], fmt::format("{}[{}]", path, i), differences);
        }
    } else if (was.is_number_float() && now.is_number_float()) {
        if (!close(was.get<double>(), now.get<double>())) {
            differs();
        }
    } else if (was.is_string() && now.is_string()) {
        if (!sameText(was.get<std::string>(), now.get<std::string>())) {
            differs();
        }
    } else if (was.is_number_float() != now.is_number_float() || was.dump() != now.dump()) {
        differs();
    }
}

// ---- text ---------------------------------------------------------------------------------------------

/// A value as text for people who read a diff: what fits stands in one line.
inline std::string pretty(const Json& value, std::size_t indent = 0) {
    constexpr std::size_t widest = 110;
    if (!value.is_structured() || value.empty()) {
        return value.dump();
    }
    const bool flat = std::ranges::none_of(value, [](const Json& part) { return part.is_structured(); });
    const std::string line = value.dump();
    if (line.size() + indent <= widest || (flat && value.is_array() && line.size() <= 4 * widest)) {
        return line;
    }
    const std::string margin(indent + 1, ' ');
    std::string text(1, value.is_array() ? '[' : '{');
    for (const auto& [key, part] : value.items()) {
        text += text.size() > 1 ? ",\n" : "\n";
        text += margin + (value.is_object() ? Json(key).dump() + ": " : "") + pretty(part, indent + 1);
    }
    return text + '\n' + std::string(indent, ' ') + (value.is_array() ? ']' : '}');
}

// ---- tables -------------------------------------------------------------------------------------------

/// A CSV text by its cells: the columns' names, and the rows.
inline Json tableOf(const std::string& csv) {
    Json rows = Json::array();
    Json row = Json::array();
    std::string cell;
    bool quoted = false, begun = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        if (quoted) {
            if (c != '"') {
                cell += c;
            } else if (i + 1 < csv.size() && csv[i + 1] == '"') {
                cell += '"', ++i;
            } else {
                quoted = false;
            }
        } else if (c == '"' && cell.empty()) {
            quoted = begun = true;
        } else if (c == ',' || c == '\n') {
            row.push_back(std::exchange(cell, {}));
            begun = c == ',';
            if (c == '\n') {
                rows.push_back(std::exchange(row, Json::array()));
            }
        } else {
            cell += c;
            begun = true;
        }
    }
    if (begun) { // no line end at the end
        row.push_back(cell);
        rows.push_back(row);
        rows.push_back(Json::array({"(no line end)"}));
    }
    Json columns = rows.empty() ? Json::array() : rows.front();
    if (!rows.empty()) {
        rows.erase(rows.begin());
    }
    return Json{{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

} // namespace golden
