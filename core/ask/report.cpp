// Parts of a report by their paths.
#include "core/ask/report.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

namespace loadline::ask {
namespace {

const std::string& pathOf(const std::variant<Fact, Table>& part) {
    const auto* fact = std::get_if<Fact>(&part);
    return fact != nullptr ? fact->key : std::get<Table>(part).path;
}

/// True of the path itself and of all below it.
bool isWithin(std::string_view path, std::string_view whole) {
    return path.starts_with(whole) && (path.size() == whole.size() || path[whole.size()] == '.');
}

bool isKept(std::string_view path, std::initializer_list<std::string_view> kept) {
    return std::ranges::any_of(kept, [path](std::string_view whole) { return isWithin(path, whole); });
}

} // namespace

void Table::forgetRows(const std::function<bool(std::size_t row)>& where,
                       std::initializer_list<std::string_view> kept) {
    for (Column& column : columns) {
        if (!isKept(column.key, kept)) {
            column.at = [where, at = std::move(column.at)](std::size_t row) {
                return where(row) ? Cell() : at(row);
            };
        }
    }
}

void Report::addRow(std::string_view path, std::span<const Column> columns, std::size_t row) {
    for (const Column& column : columns) {
        if (!column.isOmitted(row)) {
            add(std::string(path) + (path.empty() ? "" : ".") + column.key, column.at(row));
        }
    }
}

bool Report::holdsCaveat(std::string_view words) const {
    return std::ranges::any_of(notes, [words](const Note& note) {
        return note.kind == Note::Kind::Caveat && note.text.find(words) != std::string::npos;
    });
}

void Report::addCaveat(std::string words, bool isElsewhere) {
    if (!words.empty() && !holdsCaveat(words)) {
        words += words.ends_with('.') ? "" : ".";
        notes.push_back({.text = std::move(words), .kind = Note::Kind::Caveat, .isElsewhere = isElsewhere});
    }
}

std::vector<std::string> Report::caveats() const {
    std::vector<std::string> texts;
    for (const Note& note : notes) {
        if (note.kind == Note::Kind::Caveat) {
            texts.push_back(note.text);
        }
    }
    return texts;
}

void Report::forgetAllBut(std::size_t first, std::initializer_list<std::string_view> kept) {
    const std::vector<std::variant<Fact, Table>> all(parts.begin() + static_cast<std::ptrdiff_t>(first),
                                                     parts.end());
    parts.resize(first);
    std::set<std::string_view> forgotten;
    for (const auto& part : all) {
        const std::string& path = pathOf(part);
        const std::string_view top = std::string_view(path).substr(0, path.find('.'));
        if (isKept(path, kept)) {
            parts.push_back(part);
        } else if (!top.empty() && forgotten.insert(top).second) {
            add(std::string(top), Cell());
        }
    }
}

void Report::forget(std::string_view path) {
    const auto isForgotten = [path](const auto& part) { return isWithin(pathOf(part), path); };
    const auto first = std::ranges::find_if(parts, isForgotten);
    if (first == parts.end()) {
        add(std::string(path), Cell());
        return;
    }
    *first = Fact{std::string(path), Cell()};
    parts.erase(std::remove_if(first + 1, parts.end(), isForgotten), parts.end());
}

const Table* Report::find(std::string_view path) const {
    for (const auto& part : parts) {
        if (const auto* table = std::get_if<Table>(&part); table != nullptr && table->path == path) {
            return table;
        }
    }
    const auto found = std::ranges::find(tables, path, &Table::path);
    return found == tables.end() ? nullptr : &*found;
}

} // namespace loadline::ask
