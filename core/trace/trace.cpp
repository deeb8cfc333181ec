// The table of trace formats: tells them apart and calls their readers.
#include "core/trace/trace.h"

#include "core/base/file/read_file.h"
#include "core/text/counted.h"
#include "core/text/word_rule.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadline {
namespace {

using Text = std::string_view;
using Path = const std::string&;

constexpr auto formats = std::to_array<TraceFormat>({
    {"weka-session", "kv-cache-tester session", false, "hash_id_scope | requests block_size", readWekaSession,
     true},
    {"bailian", "Qwen-Bailian request trace", false, "chat_id input_length output_length",
     [](Text text, Path path) {
         return readRequestLines({"timestamp", "input_length", "output_length", 1, true}, text, path);
     },
     true},
    {"mooncake", "Mooncake request trace", false, "input_length output_length",
     [](Text text, Path path) {
         return readRequestLines({"timestamp", "input_length", "output_length", 1000, true}, text, path);
     },
     true},
    {"engine-run", "recorded engine run", false, "input_toks output_toks",
     [](Text text, Path path) {
         return readRequestLines({"arrival_time", "input_toks", "output_toks"}, text, path);
     }},
    {"plain-lines", "requests as JSON lines", false, "arrival_s input_tokens",
     [](Text text, Path path) {
         return readRequestLines({"arrival_s", "input_tokens", "output_tokens"}, text, path);
     }},
    {"azure", "Azure LLM inference trace", true, "timestamp contexttokens generatedtokens",
     [](Text text, Path path) {
         return readTable({"timestamp", "contexttokens", "generatedtokens", 0}, text, path);
     }},
    {"burstgpt", "BurstGPT request table", true, "timestamp request_tokens response_tokens",
     [](Text text, Path path) {
         return readTable({"timestamp", "request tokens", "response tokens"}, text, path);
     }},
    {"plain-csv", "request table", true, "arrival_s input_tokens output_tokens",
     [](Text text, Path path) {
         return readTable({"arrival_s", "input_tokens", "output_tokens"}, text, path);
     }},
    {"weka-requests", "kv-cache-tester sessions", true, "file chain t in out", readWekaRequests},
});

/// "request_tokens" as a column may be called: "request tokens".
std::string spaced(std::string_view word) {
    std::string name(word);
    std::ranges::replace(name, '_', ' ');
    return name;
}

} // namespace

std::span<const TraceFormat> traceFormats() {
    return formats;
}

std::string sentenceOfLine(const Diagnostic& diagnostic) {
    if (diagnostic.kind == DiagnosticKind::ByteOrderMark) {
        return std::string(describe(diagnostic.kind));
    }
    if (diagnostic.kind == DiagnosticKind::UnequalBlock) {
        return fmt::format("{} {} other lengths in other prompts, in {}: equal ids should stand for equal "
                           "tokens",
                           counted(diagnostic.count, "block"), diagnostic.count == 1 ? "has" : "have",
                           linesOf(diagnostic));
    }
    if (diagnostic.count == 1) {
        return fmt::format("line {} left out: {}", diagnostic.line, diagnostic.detail);
    }
    return fmt::format("{} lines left out ({}): {}", diagnostic.count, linesOf(diagnostic),
                       diagnostic.detail);
}

bool leavesOutLine(const Diagnostic& diagnostic) {
    return diagnostic.kind != DiagnosticKind::ByteOrderMark &&
           diagnostic.kind != DiagnosticKind::UnequalBlock;
}

const TraceFormat* traceFormatOf(std::string_view head) {
    head = head.substr(0, headBytes);
    const std::optional<TraceLine> first = TraceLines(head).next();
    if (!first) {
        return nullptr;
    }
    const bool table = first->text[first->text.find_first_not_of(" \t")] != '{';
    const CsvHeader columns(table ? first->text : std::string_view());
    const auto has = [&](std::string_view word) {
        return table ? columns.find(word) || columns.find(spaced(word))
                     : head.find(fmt::format("\"{}\"", word)) != std::string_view::npos;
    };
    const auto found = std::ranges::find_if(formats, [&](const TraceFormat& format) {
        return format.isTable == table && fits(format.rule, has);
    });
    return found == formats.end() ? nullptr : &*found;
}

Result<Trace> readTrace(std::string_view text, const std::string& path) {
    if (!TraceLines(text).next()) {
        return notATrace("it is empty", path);
    }
    const TraceFormat* format = traceFormatOf(text);
    if (format == nullptr) {
        return notATrace("its format is not known", path);
    }
    Result<Trace> trace = format->read(text, path);
    if (trace) {
        trace->format = format;
    }
    return trace;
}

} // namespace loadline
