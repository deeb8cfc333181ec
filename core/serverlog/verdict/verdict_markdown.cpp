// A verdict as Markdown.
#include "core/serverlog/log_clock.h"
#include "core/serverlog/server_log.h"
#include "core/serverlog/verdict/finding.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/plain_words.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

namespace loadline {
namespace {

/// Returns text of a log, or its name, so that Markdown shows it as it is: between more backticks than it
/// holds.
std::string asCode(std::string_view text) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    return fence + " " + visibleText(text) + " " + fence;
}

std::string placeText(const ServerLog& log, const LogLine& where) {
    return log.files.size() > 1 ? fmt::format("{}, line {}", asCode(log.files[where.file]), where.line)
                                : fmt::format("line {}", where.line);
}

std::string basisOf(const LogVerdict& verdict) {
    const SpeedOfLight& light = *verdict.light;
    const ReleasedBits* released = light.served().released;
    std::string text = fmt::format(
        "\n## Ceiling\n\n{} GB/s / ({} GB of weights + KV cache of the context), {}{}.\n",
        formatReal(light.bandwidthGBs(), 4), formatReal(light.weightsGB(), 3), light.served().words(),
        released == nullptr ? "" : fmt::format(" ({}; {})", released->format, released->source));
    for (const DecodePoint* point : light.band().points) {
        text +=
            fmt::format("- {} of the bandwidth: {}, {}, {} tokens/s ({})\n", formatShare(point->efficiency()),
                        point->device, point->what, formatReal(point->tokensPerS, 4), point->source);
    }
    return text;
}

/// "`vllm.log`: "
std::string filesWords(const ServerLog& log) {
    std::string names;
    for (const std::string& file : log.files) {
        names += file.empty() ? "" : (names.empty() ? "" : ", ") + asCode(nameOfFile(file));
    }
    return names.empty() ? names : names + ": ";
}

std::string sourceWords(const ServerLog& log, const VerdictSource& source) {
    const std::string begin = logBeginText(log);
    std::string text;
    if (!begin.empty()) {
        text += fmt::format("\nThe log begins at {} and spans {}.\n", begin, formatSeconds(log.lengthS));
    }
    text += source.date.empty() ? "" : fmt::format("\nWritten on {}.\n", source.date);
    return text + (source.command.empty() ? "" : fmt::format("\n    {}\n", visibleText(source.command)));
}

} // namespace

std::string markdownOf(const LogVerdict& verdict, const ServerLog& log,
                       const std::vector<std::string>& evidenceTexts, const VerdictSource& source) {
    constexpr std::uint64_t shortLog = 100; // lines
    std::string text = fmt::format(
        "# {}\n\n{}\n\n{}{}, {} of a known form{}.\n", serverNameOf(log), verdict.headline, filesWords(log),
        counted(log.lines, "line"), formatExact(static_cast<std::int64_t>(log.knownLines)),
        log.requestsFrom == RequestsFrom::Inferred ? "; times of requests are inferred" : "");
    text += sourceWords(log, source);
    std::size_t next = 0;
    text += "\n## Findings\n";
    bool listed = false;
    for (const Finding& finding : verdict.findings) {
        if (log.lines < shortLog && finding.verdict == Verdict::NotExcluded) {
            next += finding.evidence.size();
            text += fmt::format("{}- {}: {}. {}\n", listed ? "" : "\n", finding.claim,
                                wordOf(finding.verdict), finding.reason);
            listed = true;
            continue;
        }
        text += fmt::format("\n### {}: {}\n\n{}\n", finding.claim, wordOf(finding.verdict), finding.reason);
        for (const LogLine& where : finding.evidence) {
            text += fmt::format("- {}", placeText(log, where));
            text += next < evidenceTexts.size() ? ": " + asCode(evidenceTexts[next]) + "\n" : "\n";
            ++next;
        }
    }
    if (!verdict.next.empty()) {
        text += "\n## Next\n\n";
        for (std::size_t i = 0; i < verdict.next.size(); ++i) {
            text += fmt::format("{}. {}\n", i + 1, verdict.next[i]);
        }
    }
    return text + (verdict.light ? basisOf(verdict) : "");
}

} // namespace loadline
