// Reads peer_config.json and peer_error_summary.txt.
#include "core/replay/peer.h"

#include "core/base/file/read_json.h"
#include "core/text/json/json_fields.h"
#include "core/text/number_format.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr double bytesPerGb = 1e9;
constexpr double sPerNs = 1e-9;
constexpr double largest = 1e12;
constexpr double leastMs = 1e-9;

/// A number, or the first of a list of numbers (one per network dimension).
std::optional<double> numberIn(const Json& object, const char* key, double least) {
    const Json& member = memberOf(object, key);
    const Json& value = member.is_array() && !member.empty() ? member.front() : member;
    if (!value.is_number()) {
        return std::nullopt;
    }
    const double number = value.get<double>();
    return number >= least && number <= largest ? std::optional(number) : std::nullopt;
}

/// The first entry of a list.
const Json& firstOf(const Json& object, const char* key) {
    const Json& list = memberOf(object, key);
    return list.is_array() && !list.empty() ? list.front() : list;
}

/// 0.006 of "+0.6%": rounded less than the times beside it.
std::optional<double> publishedError(std::istream& words) {
    constexpr double percent = 100;
    std::string text;
    if (!(words >> text) || !text.ends_with('%')) {
        return std::nullopt;
    }
    text.pop_back();
    const auto value = realFrom(text.starts_with('+') ? text.substr(1) : text);
    return value ? std::optional(*value / percent) : std::nullopt;
}

} // namespace

Result<PeerConfig> peerConfigFromJson(std::string_view json, const std::string& path) {
    const auto broken = [&](const std::string& why) {
        return Error{"not a peer's description of the machine: " + why, path,
                     R"({"link_bw": GB/s, "link_latency": ns, "nodes": [{"instances": [{"npu_mem": )"
                     R"({"mem_size": GiB}}]}]})"};
    };
    const Json document = jsonFrom(json);
    if (document.is_discarded() || !document.is_object()) {
        return broken(document.is_discarded() ? "it is not JSON" : "it is not a JSON object");
    }
    const auto bandwidth = numberIn(document, "link_bw", 1e-6);
    const auto latency = numberIn(document, "link_latency", 0);
    if (!bandwidth || !latency) {
        return broken(fmt::format("\"{}\" is missing or no number", bandwidth ? "link_latency" : "link_bw"));
    }
    const Json& instance = firstOf(firstOf(document, "nodes"), "instances");
    const auto size = numberIn(memberOf(instance, "npu_mem"), "mem_size", 1e-6);
    if (!size) {
        return broken("\"npu_mem\": \"mem_size\" of its first instance is missing or no number");
    }
    return PeerConfig{.linkBytesPerS = *bandwidth * bytesPerGb,
                      .linkLatencyS = *latency * sPerNs,
                      .memoryBytes = *size * bytesPerGib};
}

std::vector<PeerFigure> peerFiguresFromText(std::string_view text) {
    std::vector<PeerFigure> figures;
    TraceLines lines(text);
    while (const auto line = lines.next()) {
        std::istringstream words{std::string(line->text)};
        PeerFigure figure;
        std::string recorded;
        std::string predicted;
        if (!(words >> figure.metric >> figure.statistic >> recorded >> predicted)) {
            continue;
        }
        const auto was = realFrom(recorded);
        const auto said = realFrom(predicted);
        if (was && said && *was >= leastMs && *was <= largest && *said >= 0 && *said <= largest) {
            figure.recordedMs = *was;
            figure.predictedMs = *said;
            figure.error = publishedError(words).value_or(*said / *was - 1);
            figures.push_back(std::move(figure));
        }
    }
    return figures;
}

} // namespace loadline
