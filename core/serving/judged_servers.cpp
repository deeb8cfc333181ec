// The text form of judged servers.
#include "core/serving/judged_servers.h"

#include "core/text/counted.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t mostWordBytes = 200;

/// True if a field or a comment can hold the text: it reads back as it was written.
bool isPlainText(std::string_view text, std::string_view without) {
    const auto isPlain = [&](char c) {
        return c >= ' ' && c <= '~' && without.find(c) == std::string_view::npos;
    };
    return text.size() <= mostWordBytes && trimmed(text) == text && std::ranges::all_of(text, isPlain);
}

/// A column of the text form. `read` puts a field into its server and returns what the column expects of a
/// field that it does not take, or "".
struct JudgedColumn {
    std::string_view name;
    std::string (*read)(std::string_view field, JudgedServer& server) = nullptr;
    std::string (*write)(const JudgedServer& server) = nullptr;
};

struct OfServer {
    template <typename Server>
    static auto& part(Server& server) {
        return server;
    }
};

struct OfPoint {
    template <typename Server>
    static auto& part(Server& server) {
        return server.at;
    }
};

template <typename Part, auto member, bool mayBeEmpty = false>
constexpr JudgedColumn wordColumn(std::string_view name) {
    return {.name = name,
            .read = [](std::string_view field, JudgedServer& server) -> std::string {
                if (!isPlainText(field, ",\"") || (field.empty() && !mayBeEmpty)) {
                    return "a word of printable letters";
                }
                Part::part(server).*member = std::string(field);
                return {};
            },
            .write = [](const JudgedServer& server) { return Part::part(server).*member; }};
}

template <auto member, const NumberRange<double>& range>
constexpr JudgedColumn realColumn(std::string_view name) {
    return {.name = name,
            .read = [](std::string_view field, JudgedServer& server) -> std::string {
                const auto value = parseNumber<double>(field, range);
                if (!value) {
                    return fmt::format("a number from {} to {}", range.least, range.most);
                }
                server.at.*member = *value;
                return {};
            },
            .write = [](const JudgedServer& server) { return fmt::format("{}", server.at.*member); }};
}

template <auto member>
constexpr JudgedColumn errorColumn(std::string_view name) {
    return {.name = name,
            .read = [](std::string_view field, JudgedServer& server) -> std::string {
                constexpr NumberRange<double> errors{.least = -1, .most = 1e6};
                const auto value = parseNumber<double>(field, errors);
                if (!value && !field.empty()) {
                    return fmt::format("an error from {} to {}", errors.least, errors.most);
                }
                server.*member = value;
                return {};
            },
            .write =
                [](const JudgedServer& server) {
                    return server.*member ? fmt::format("{}", *(server.*member)) : std::string();
                }};
}

constexpr NumberRange<double> byteRange{.least = 1, .most = 1e15};
constexpr NumberRange<double> tokenRange{.least = 0, .most = 1e9};
constexpr NumberRange<double> shareRange{.least = 0, .most = 1};
constexpr NumberRange<double> batchRange{.least = 0, .most = 1 << 20};

constexpr JudgedColumn gpusColumn{
    .name = "tensor_parallel",
    .read = [](std::string_view field, JudgedServer& server) -> std::string {
        constexpr NumberRange<int> gpus{.least = 1, .most = 1 << 12};
        const auto value = parseNumber<int>(field, gpus);
        if (!value) {
            return fmt::format("a whole number from {} to {}", gpus.least, gpus.most);
        }
        server.at.tensorParallel = *value;
        return {};
    },
    .write = [](const JudgedServer& server) { return fmt::format("{}", server.at.tensorParallel); }};

constexpr JudgedColumn kvBoundColumn{
    .name = "kv_bound",
    .read = [](std::string_view field, JudgedServer& server) -> std::string {
        if (field != "0" && field != "1") {
            return "0 or 1";
        }
        server.at.isKvBound = field == "1";
        return {};
    },
    .write = [](const JudgedServer& server) { return std::string(server.at.isKvBound ? "1" : "0"); }};

constexpr std::array judgedColumns{
    wordColumn<OfPoint, &ServerPoint::gpu>("gpu"),
    wordColumn<OfServer, &JudgedServer::model>("model"),
    realColumn<&ServerPoint::totalBytes, byteRange>("total_bytes"),
    realColumn<&ServerPoint::activeBytes, byteRange>("active_bytes"),
    wordColumn<OfPoint, &ServerPoint::weights>("weights"),
    wordColumn<OfPoint, &ServerPoint::experts, true>("experts"),
    wordColumn<OfPoint, &ServerPoint::kv>("kv"),
    gpusColumn,
    realColumn<&ServerPoint::context, tokenRange>("context"),
    realColumn<&ServerPoint::newTokens, tokenRange>("new_tokens"),
    realColumn<&ServerPoint::cachedShare, shareRange>("cached_share"),
    realColumn<&ServerPoint::batch, batchRange>("batch"),
    kvBoundColumn,
    wordColumn<OfServer, &JudgedServer::tier, true>("tier"),
    errorColumn<&JudgedServer::ttftError>("ttft_error"),
    errorColumn<&JudgedServer::tpotError>("tpot_error"),
};

struct JudgedComment {
    std::string_view key;
    std::string JudgedServers::*value = nullptr;
};

constexpr std::array judgedComments{
    JudgedComment{"source", &JudgedServers::source},
    JudgedComment{"licence", &JudgedServers::licence},
    JudgedComment{"date", &JudgedServers::date},
    JudgedComment{"program", &JudgedServers::program},
};

Error notJudged(const std::string& why, const std::string& path) {
    return {"not a list of judged servers: " + why, path, "make the file anew: loadline_judge_servers"};
}

/// Keeps "# source: ..." of a comment; other comments are for people.
void readComment(const TraceLine& line, JudgedServers& judged) {
    const std::string_view text = line.text.substr(1);
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto* const found =
        std::ranges::find(judgedComments, trimmed(text.substr(0, colon)), &JudgedComment::key);
    if (found == judgedComments.end()) {
        return;
    }
    const std::string_view value = trimmed(text.substr(std::min(colon + 1, text.size())));
    if (isPlainText(value, "")) {
        judged.*(found->value) = std::string(value);
    } else {
        judged.diagnostics.push_back(
            {.line = line.number, .column = "", .what = fmt::format("has no plain text as {}", found->key)});
    }
}

/// Returns the place of each column in the file.
Result<std::vector<std::size_t>> placesOfColumns(const CsvHeader& header, const std::string& path) {
    std::vector<std::size_t> places;
    for (const JudgedColumn& column : judgedColumns) {
        const auto place = header.find(column.name);
        if (!place) {
            return notJudged(fmt::format("it has no column {}", column.name), path);
        }
        places.push_back(*place);
    }
    return places;
}

void readServer(const CsvRow& fields, std::span<const std::size_t> places, std::uint64_t line,
                JudgedServers& judged) {
    JudgedServer server;
    for (std::size_t i = 0; i < judgedColumns.size(); ++i) {
        const std::string expected = judgedColumns[i].read(fields.at(places[i]), server);
        if (!expected.empty()) {
            judged.diagnostics.push_back({.line = line,
                                          .column = std::string(judgedColumns[i].name),
                                          .what = "is not " + expected + "; the row is left out"});
            return;
        }
    }
    judged.servers.push_back(std::move(server));
}

} // namespace

Result<JudgedServers> judgedServersFrom(std::string_view text, const std::string& path) {
    JudgedServers judged;
    TraceLines lines(text);
    auto line = lines.next();
    for (; line && line->text.starts_with('#'); line = lines.next()) {
        readComment(*line, judged);
    }
    if (!line) {
        return notJudged("it has no header", path);
    }
    const CsvHeader header(line->text);
    const auto places = placesOfColumns(header, path);
    if (!places) {
        return places.error();
    }
    CsvRow fields;
    while ((line = lines.next())) {
        fields.split(line->text);
        if (fields.size() != header.names().size()) {
            judged.diagnostics.push_back(
                {.line = line->number,
                 .column = "",
                 .what = fmt::format("has {}, the header {}; the row is left out",
                                     counted(fields.size(), "field"), header.names().size())});
            continue;
        }
        readServer(fields, *places, line->number, judged);
        if (judged.servers.size() > mostJudgedServers) {
            return notJudged(fmt::format("it has more than {} rows", mostJudgedServers), path);
        }
    }
    if (judged.servers.empty()) {
        return notJudged("no row of it can be used", path);
    }
    return judged;
}

std::string judgedServersCsv(const JudgedServers& judged) {
    std::string text;
    for (const JudgedComment& comment : judgedComments) {
        text += fmt::format("# {}: {}\n", comment.key, judged.*(comment.value));
    }
    for (const JudgedColumn& column : judgedColumns) {
        text += (&column == judgedColumns.data() ? "" : ",") + std::string(column.name);
    }
    text += '\n';
    for (const JudgedServer& server : judged.servers) {
        for (std::size_t i = 0; i < judgedColumns.size(); ++i) {
            text += (i == 0 ? "" : ",") + judgedColumns[i].write(server);
        }
        text += '\n';
    }
    return text;
}

} // namespace loadline
