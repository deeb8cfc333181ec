// Reads a CSV of kernel timings.
#include "core/cost/import/import_rows.h"
#include "core/cost/import/plausible_times.h"
#include "core/text/plain_words.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

namespace loadline {
namespace {

constexpr const char* remedy = "a table with the columns kernel,shape,K,N,M,k_bits,time_us";

CsvHeader headerOf(TraceLines& lines) {
    return CsvHeader(lines.next().value_or(TraceLine{}).text);
}

bool isOfKernels(const CsvHeader& header) {
    const bool hasRows = header.find("m") || header.find("rows_m"); // the latter in tables exported here
    return header.find("kernel") && hasRows && header.find("time_us");
}

} // namespace

bool isKernelCsv(std::string_view csv) {
    TraceLines lines(csv);
    return isOfKernels(headerOf(lines));
}

Result<Profile> profileFromKernelCsv(std::string_view csv, const std::string& path,
                                     const KernelNames& names) {
    TraceLines lines(csv);
    const CsvHeader header = headerOf(lines);
    const std::vector<std::string>& columns = header.names();
    if (!isOfKernels(header)) {
        return Error{
            "not a table of kernel timings: its first line does not name the columns kernel, M and time_us",
            path, remedy};
    }
    ForeignRows rows(nameOfFile(path), names);
    CsvRow fields;
    while (const std::optional<TraceLine> line = lines.next()) {
        if (line->text.find_first_not_of(" \t,") == std::string_view::npos) {
            continue;
        }
        fields.split(line->text);
        std::optional<std::string> problem;
        ForeignRow row;
        if (fields.size() != columns.size()) {
            problem = fmt::format("it has {} fields, the first line {}", fields.size(), columns.size());
        }
        for (std::size_t i = 0; !problem && i < columns.size(); ++i) {
            setByName(row, columns[i], fields.at(i));
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
