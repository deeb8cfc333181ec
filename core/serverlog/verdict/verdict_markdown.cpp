// A verdict as Markdown.
#include "core/serverlog/read_server_log.h"
#include "core/serverlog/verdict/finding.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
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
        "\n## Ceiling\n\n{} GB/s / ({} GB of weights at {} bits{} + KV cache of the context), {}.\n",
        formatReal(light.bandwidthGBs(), 4), formatReal(light.weightsGB(), 3),
        formatReal(light.served().bitsPerWeight, 3),
        released == nullptr ? "" : fmt::format(" ({}; {})", released->format, released->source),
        light.served().model->key);
    for (const DecodePoint* point : light.band().points) {
        text +=
            fmt::format("- {} of the bandwidth: {}, {}, {} tokens/s ({})\n", formatShare(point->efficiency()),
                        point->device, point->what, formatReal(point->tokensPerS, 4), point->source);
    }
    return text;
}

} // namespace

std::string markdownOf(const LogVerdict& verdict, const ServerLog& log,
                       const std::vector<std::string>& evidenceTexts) {
    std::string text = fmt::format(
        "# {}\n\n{}\n\n{}, {} of a known form{}.\n", log.server == nullptr ? "Server log" : log.server->name,
        verdict.headline, counted(log.lines, "line"), formatExact(static_cast<std::int64_t>(log.knownLines)),
        log.requestsFrom == RequestsFrom::Inferred ? "; times of requests are inferred" : "");
    std::size_t next = 0;
    text += "\n## Findings\n";
    for (const Finding& finding : verdict.findings) {
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
