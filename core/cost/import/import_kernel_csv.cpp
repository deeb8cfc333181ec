// Reads a CSV of kernel timings.
#include "core/cost/import/import_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

/// The next line without its end.
std::string_view nextLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

/// Fields parted by commas; a field in quotes may hold commas, and "" for a quote. Blanks around are dropped.
std::vector<std::string> fieldsOf(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
                fields.back() += line[++i];
            } else {
                quoted = !quoted;
            }
        } else if (line[i] == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[i];
        }
    }
    for (std::string& field : fields) {
        field.erase(0, std::min(field.find_first_not_of(" \t"), field.size()));
        field.erase(field.find_last_not_of(" \t") + 1);
    }
    return fields;
}

std::string_view withoutMark(std::string_view csv) {
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    return csv.starts_with(byteOrderMark) ? csv.substr(byteOrderMark.size()) : csv;
}

std::vector<std::string> columnsOf(std::string_view line) {
    std::vector<std::string> columns = fieldsOf(line);
    for (std::string& column : columns) {
        column = lowered(column);
    }
    return columns;
}

bool has(const std::vector<std::string>& columns, std::string_view name) {
    return std::ranges::find(columns, name) != columns.end();
}

constexpr const char* remedy = "a table with the columns kernel,shape,K,N,M,k_bits,time_us";

} // namespace

bool isKernelCsv(std::string_view csv) {
    csv = withoutMark(csv);
    const std::vector<std::string> columns = columnsOf(nextLine(csv));
    return has(columns, "kernel") && has(columns, "m") && has(columns, "time_us");
}

Result<Profile> profileFromKernelCsv(std::string_view csv, const std::string& path,
                                     const KernelNames& names) {
    if (!isKernelCsv(csv)) {
        return Error{
            "not a table of kernel timings: its first line does not name the columns kernel, M and time_us",
            path, remedy};
    }
    csv = withoutMark(csv);
    const std::vector<std::string> columns = columnsOf(nextLine(csv));
    ForeignRows rows(fileNameOf(path), names);
    for (std::size_t number = 2; !csv.empty(); ++number) {
        const std::string_view line = nextLine(csv);
        if (line.find_first_not_of(" \t,") == std::string_view::npos) {
            continue;
        }
        const std::vector<std::string> fields = fieldsOf(line);
        std::optional<std::string> problem;
        ForeignRow row;
        if (fields.size() != columns.size()) {
            problem = fmt::format("it has {} fields, the first line {}", fields.size(), columns.size());
        }
        for (std::size_t i = 0; !problem && i < columns.size(); ++i) {
            setByName(row, columns[i], fields[i]);
        }
        if (!problem) {
            problem = rows.take(row);
        }
        if (problem) {
            return Error{"not a table of kernel timings: " + *problem,
                         fmt::format("{}, line {}", path, number), remedy};
        }
    }
    Profile profile;
    profile.name = fileNameOf(path);
    profile.source = std::string(importedFrom) + fileNameOf(path);
    profile.method = "as its author timed it: not measured by this program";
    profile.points = rows.points();
    if (profile.points.empty()) {
        return Error{"the table of kernel timings is empty", path, remedy};
    }
    return profile;
}

} // namespace loadline
