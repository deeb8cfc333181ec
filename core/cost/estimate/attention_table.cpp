// Reads attention tables and looks up between their points.
#include "core/cost/estimate/attention_table.h"

#include "core/cost/kernel/time_limits.h"
#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>

namespace loadline {
namespace {

constexpr double pointError = 0.02;
constexpr double largestValue = 1e12;
constexpr double mostBatch = 1e9;

/// A line of `values.size()` numbers of 0 or more; false if it is anything else.
bool readNumbers(std::string_view line, std::span<double> values) {
    const char* at = line.data();
    const char* const stop = line.data() + line.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto [next, problem] = std::from_chars(at, stop, values[i]);
        const bool last = i + 1 == values.size();
        if (problem != std::errc{} || !(values[i] >= 0) || values[i] > largestValue ||
            (last ? next != stop : next == stop || *next != ',')) {
            return false;
        }
        at = last ? next : next + 1;
    }
    return true;
}

using Points = std::map<AttentionHeads, std::map<int, std::vector<CurvePoint>>>;

/// Columns: batch, tokens, q_heads, kv_heads, head_dim, [cached_tokens,] time_us.
std::optional<Error> readTable(std::string_view csv, std::string_view header, bool withCached,
                               Points& points) {
    std::array<double, 7> values{};
    const std::size_t columns = withCached ? 7 : 6;
    std::size_t lineNumber = 0;
    for (std::size_t begin = 0; begin < csv.size();) {
        const std::size_t end = std::min(csv.find('\n', begin), csv.size());
        std::string_view line = csv.substr(begin, end - begin);
        begin = end + 1;
        ++lineNumber;
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || (lineNumber == 1 && line == header)) {
            continue;
        }
        const bool good = readNumbers(line, std::span(values).first(columns));
        const double time = values.at(columns - 1);
        bool counts = good && isKernelTime(time);
        for (std::size_t i = 0; counts && i < 5; ++i) {
            counts = values.at(i) >= 1 && values.at(i) <= 1e9 && values.at(i) == std::floor(values.at(i));
        }
        if (!counts) {
            return Error{.what = "not an attention table: a line is not " + std::string(header) +
                                 " with numbers above 0",
                         .where = fmt::format("line {}", lineNumber),
                         .remedy = "a table with that header"};
        }
        if (withCached && values[5] != 0) {
            continue;
        }
        const AttentionHeads heads{.qHeads = static_cast<int>(values[2]),
                                   .kvHeads = static_cast<int>(values[3]),
                                   .headDim = static_cast<int>(values[4])};
        points[heads][static_cast<int>(values[0])].push_back(
            {.x = values[1], .y = time, .error = pointError});
    }
    return std::nullopt;
}

std::map<AttentionHeads, AttentionTable::ByBatch> curvesOf(const Points& points) {
    std::map<AttentionHeads, AttentionTable::ByBatch> curves;
    for (const auto& [heads, byBatch] : points) {
        for (const auto& [batch, line] : byBatch) {
            curves[heads].emplace(batch, LogCurve(line));
        }
    }
    return curves;
}

} // namespace

Result<AttentionTable> attentionTableFromCsv(std::string_view decodeCsv, std::string_view prefillCsv,
                                             const std::string& source, const std::string& device) {
    Points decode;
    Points prefill;
    if (auto error =
            readTable(decodeCsv, "batch,kv_tokens,q_heads,kv_heads,head_dim,time_us", false, decode)) {
        return *error;
    }
    if (auto error =
            readTable(prefillCsv, "batch,prompt_tokens,q_heads,kv_heads,head_dim,cached_tokens,time_us", true,
                      prefill)) {
        return *error;
    }
    if (decode.empty() && prefill.empty()) {
        return Error{.what = "the attention tables are empty",
                     .where = source,
                     .remedy = "a table of decode or prefill"};
    }
    return AttentionTable{
        .source = source, .device = device, .decode = curvesOf(decode), .prefill = curvesOf(prefill)};
}

std::optional<AttentionTable> attentionTableOf(const Profile& profile) {
    if (profile.attention.empty()) {
        return std::nullopt;
    }
    Points decode;
    Points prefill;
    AttentionTable table{.source = fmt::format("{} of simple kernels, not FlashAttention{}{}",
                                               counted(profile.attention.size(), "timing"),
                                               profile.source.empty() ? "" : "; ", profile.source),
                         .device = profile.device,
                         .origin = PointOrigin::Measured,
                         .decode = {},
                         .prefill = {}};
    for (const AttentionTiming& point : profile.attention) {
        const bool isDecode = point.call.phase == AttentionPhase::Decode;
        (isDecode ? decode : prefill)[point.call.heads][point.call.batch].push_back(
            {.x = static_cast<double>(point.call.tokens),
             .y = point.timeUs,
             .error = relativeErrorOf(point)});
        table.origin = std::max(table.origin, point.origin);
    }
    table.decode = curvesOf(decode);
    table.prefill = curvesOf(prefill);
    return table;
}

std::optional<CurveValue> timeIn(const std::map<AttentionHeads, AttentionTable::ByBatch>& times,
                                 const AttentionHeads& heads, double batch, double tokens) {
    const auto found = times.find(heads);
    if (found == times.end()) {
        return std::nullopt;
    }
    const AttentionTable::ByBatch& byBatch = found->second;
    const auto covers = [&](const LogCurve& curve) { return tokens <= curve.points().back().x; };
    auto above = byBatch.lower_bound(static_cast<int>(std::ceil(batch)));
    while (above != byBatch.end() && !covers(above->second)) {
        ++above;
    }
    if (above != byBatch.end() && above->first == batch) {
        return above->second.at(tokens);
    }
    auto below = byBatch.lower_bound(static_cast<int>(std::ceil(batch)));
    while (below != byBatch.begin()) {
        --below;
        if (covers(below->second)) {
            break;
        }
    }
    if (above == byBatch.end() || below->first > batch || !covers(below->second)) {
        return std::nullopt;
    }
    const CurveValue low = below->second.at(tokens);
    const CurveValue high = above->second.at(tokens);
    const LogCurve across({{.x = static_cast<double>(below->first), .y = low.y, .error = low.error},
                           {.x = static_cast<double>(above->first), .y = high.y, .error = high.error}});
    CurveValue value = across.at(batch);
    value.exact = false;
    return value;
}

std::optional<EdgeTime> edgeIn(const std::map<AttentionHeads, AttentionTable::ByBatch>& times,
                               const AttentionHeads& heads, double batch, double tokens) {
    const auto found = times.find(heads);
    if (found == times.end() || found->second.empty()) {
        return std::nullopt;
    }
    auto edge = found->second.upper_bound(static_cast<int>(std::min(batch, mostBatch)));
    edge = edge == found->second.begin() ? edge : std::prev(edge);
    const LogCurve& curve = edge->second;
    const double held = std::clamp(tokens, curve.points().front().x, curve.points().back().x);
    return EdgeTime{.batch = static_cast<double>(edge->first), .tokens = held, .time = curve.at(held)};
}

} // namespace loadline
