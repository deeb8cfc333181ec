// Tells trace formats apart and calls their readers.
#include "core/trace/trace.h"

#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadline {
namespace {

struct FormatWords {
    std::string_view key;
    std::string_view name;
};

constexpr std::array<FormatWords, 7> words{{
    {"mooncake", "Mooncake request trace"},
    {"azure", "Azure LLM inference trace"},
    {"weka-requests", "kv-cache-tester sessions"},
    {"weka-session", "kv-cache-tester session"},
    {"plain-csv", "request table"},
    {"plain-lines", "requests as JSON lines"},
    {"engine-run", "recorded engine run"},
}};

constexpr std::size_t headBytes = std::size_t{1} << 16;

bool has(std::string_view text, std::string_view key) {
    return text.find(key) != std::string_view::npos;
}

std::optional<TraceFormat> jsonFormatOf(std::string_view head) {
    if (has(head, "\"hash_id_scope\"") || (has(head, "\"requests\"") && has(head, "\"block_size\""))) {
        return TraceFormat::WekaSession;
    }
    if (has(head, "\"input_length\"") && has(head, "\"output_length\"")) {
        return TraceFormat::Mooncake;
    }
    if (has(head, "\"input_toks\"") && has(head, "\"output_toks\"")) {
        return TraceFormat::EngineRun;
    }
    if (has(head, "\"arrival_s\"") && has(head, "\"input_tokens\"")) {
        return TraceFormat::PlainLines;
    }
    return std::nullopt;
}

std::optional<TraceFormat> csvFormatOf(std::string_view header) {
    const CsvHeader columns(header);
    if (columns.hasAll({"timestamp", "contexttokens", "generatedtokens"})) {
        return TraceFormat::Azure;
    }
    if (columns.hasAll({"arrival_s", "input_tokens", "output_tokens"})) {
        return TraceFormat::PlainCsv;
    }
    if (columns.hasAll({"file", "chain", "t", "in", "out"})) {
        return TraceFormat::WekaRequests;
    }
    return std::nullopt;
}

} // namespace

std::string_view keyOf(TraceFormat format) {
    return words.at(static_cast<std::size_t>(format)).key;
}

std::string_view nameOf(TraceFormat format) {
    return words.at(static_cast<std::size_t>(format)).name;
}

std::string sentenceOfLine(const Diagnostic& diagnostic) {
    if (diagnostic.kind == DiagnosticKind::ByteOrderMark) {
        return std::string(describe(diagnostic.kind));
    }
    if (diagnostic.count == 1) {
        return fmt::format("line {} left out: {}", diagnostic.line, diagnostic.detail);
    }
    return fmt::format("{} lines left out, the first is line {}: {}", diagnostic.count, diagnostic.line,
                       diagnostic.detail);
}

std::optional<TraceFormat> traceFormatOf(std::string_view head) {
    head = head.substr(0, headBytes);
    const std::optional<TraceLine> first = TraceLines(head).next();
    if (!first) {
        return std::nullopt;
    }
    const std::size_t start = first->text.find_first_not_of(" \t");
    const bool json = first->text[start] == '{';
    return json ? jsonFormatOf(head) : csvFormatOf(first->text);
}

Result<Trace> readTrace(std::string_view text, const std::string& path) {
    if (!TraceLines(text).next()) {
        return notATrace("it is empty", path);
    }
    const std::optional<TraceFormat> format = traceFormatOf(text);
    if (!format) {
        return notATrace("its format is not known", path);
    }
    switch (*format) {
    case TraceFormat::Azure:
    case TraceFormat::PlainCsv:
        return readCsvTrace(*format, text, path);
    case TraceFormat::WekaRequests:
        return readWekaRequests(text, path);
    case TraceFormat::WekaSession:
        return readWekaSession(text, path);
    case TraceFormat::Mooncake:
    case TraceFormat::PlainLines:
    case TraceFormat::EngineRun:
        break;
    }
    return readJsonLinesTrace(*format, text, path);
}

} // namespace loadline
