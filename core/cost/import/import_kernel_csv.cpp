// Reads a CSV of kernel timings.
#include "core/cost/import/import_rows.h"
#include "core/cost/import/named_device.h"
#include "core/cost/import/plausible_times.h"
#include "core/text/plain_words.h"
#include "core/text/visible_text.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace loadline {
namespace {

constexpr const char* remedy = "a table with the columns kernel,shape,K,N,M,k_bits,time_us";

bool isOfKernels(const CsvHeader& header) {
    const bool hasRows = header.find("m") || header.find("rows_m"); // the latter in tables exported here
    return header.find("kernel") && hasRows && header.find("time_us");
}

/// Spreadsheets write semicolons where the comma is the decimal sign.
char separatorOf(std::string_view header) {
    for (const char separator : {';', '\t'}) {
        if (isOfKernels(CsvHeader(header, separator))) {
            return separator;
        }
    }
    return ',';
}

/// "8,432" as "8.432"; anything else stays.
std::string withDecimalPoint(std::string_view field) {
    std::string text(field);
    const std::size_t comma = text.find(',');
    if (comma != std::string::npos && text.find_first_not_of("0123456789,+-eE ") == std::string::npos) {
        text[comma] = '.';
    }
    return text;
}

struct KernelTable {
    TraceLines lines;
    std::string_view first;
    char separator;
    CsvHeader header;

    explicit KernelTable(std::string_view csv)
        : lines(csv), first(lines.next().value_or(TraceLine{}).text), separator(separatorOf(first)),
          header(first, separator) {}

    /// The next row that holds anything; its fields.
    std::optional<TraceLine> next(CsvRow& fields) {
        while (const std::optional<TraceLine> line = lines.next()) {
            if (line->text.find_first_not_of(" \t,;\r") != std::string_view::npos) {
                fields.split(line->text);
                return line;
            }
        }
        return std::nullopt;
    }
};

} // namespace

std::set<std::string> devicesInCsv(std::string_view csv) {
    KernelTable table(csv);
    const auto named = table.header.find("device") ? table.header.find("device") : table.header.find("gpu");
    std::set<std::string> devices;
    CsvRow fields(table.separator);
    while (named && table.next(fields)) {
        devices.emplace(fields.at(*named));
    }
    return devices;
}

bool isKernelCsv(std::string_view csv) {
    return isOfKernels(KernelTable(csv).header);
}

Result<Profile> profileFromKernelCsv(std::string_view csv, const std::string& path,
                                     const KernelNames& names) {
    KernelTable table(csv);
    const std::vector<std::string>& columns = table.header.names();
    if (!isOfKernels(table.header)) {
        return Error{
            "not a table of kernel timings: its first line does not name the columns kernel, M and time_us",
            path, remedy};
    }
    for (const std::string& column : columns) {
        if (!column.empty() && std::ranges::count(columns, column) > 1) {
            return Error{
                fmt::format("not a table of kernel timings: its first line names the column {} twice",
                            visibleText(column)),
                path, remedy};
        }
    }
    const auto device = deviceToRead(devicesInCsv(csv), names.device);
    if (!device) {
        return Error{"not a table of kernel timings of one device: " + device.error().what, path,
                     device.error().remedy};
    }
    ForeignRows rows(nameOfFile(path), names);
    CsvRow fields(table.separator);
    while (const std::optional<TraceLine> line = table.next(fields)) {
        std::optional<std::string> problem;
        ForeignRow row;
        if (fields.size() != columns.size()) {
            problem = fmt::format("it has {} fields, the first line {}", fields.size(), columns.size());
        }
        for (std::size_t i = 0; !problem && i < columns.size(); ++i) {
            const std::string field =
                table.separator == ';' ? withDecimalPoint(fields.at(i)) : std::string(fields.at(i));
            setByName(row, columns[i], field);
        }
        if (!problem && !device->empty() && row.device != *device) {
            rows.passOver();
            continue;
        }
        if (!problem) {
            problem = rows.take(row);
        }
        if (problem) {
            return Error{"not a table of kernel timings: " + *problem,
                         fmt::format("{}, line {}", path, line->number), remedy};
        }
    }
    Profile profile;
    profile.name = nameOfFile(path);
    profile.source = std::string(importedFrom) + nameOfFile(path);
    profile.method = "as its author timed it: not measured by this program";
    profile.points = rows.points();
    if (profile.points.empty()) {
        return Error{"the table of kernel timings is empty", path, remedy};
    }
    profile.methodFacts = rows.facts();
    if (!rows.device().empty()) {
        setDevice(profile, rows.device());
    }
    if (const auto mistake = unitMistakeIn(profile, path)) {
        return *mistake;
    }
    flagFasterThanDevice(profile);
    return profile;
}

} // namespace loadline
