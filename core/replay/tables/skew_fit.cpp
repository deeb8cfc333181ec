// Reads the table of alpha and finds a step's bucket.
#include "core/replay/tables/skew_fit.h"

#include "core/replay/tables/linear_curve.h"
#include "core/replay/tables/plain_yaml.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace loadline {
namespace {

using Meta = std::map<std::string, std::string, std::less<>>;

std::string bucketOf(std::string_view decodes, std::string_view rate, std::string_view mostContext,
                     std::string_view chunkContext) {
    return fmt::format("{}|{}|{}|{}", decodes, rate, mostContext, chunkContext);
}

std::vector<std::string> listIn(const Meta& meta, const std::string& key) {
    const auto found = meta.find(key);
    return found == meta.end() ? std::vector<std::string>() : flowList(found->second);
}

/// Larger ones are none of what is counted here; differences and products of these are numbers.
constexpr double mostAlphaOrEdge = 1e12;

std::optional<double> boundedFrom(std::string_view text) {
    const auto value = realFrom(text);
    return value && std::abs(*value) <= mostAlphaOrEdge ? value : std::nullopt;
}

enum class Representative : std::uint8_t { UpperEdge, Middle, LogarithmOfUpperEdge };

/// Empty labels where the axis is missing or no good. Bins are the edges: one more than labels. The last bin
/// of counts has no upper edge worth the name: it continues the one before.
SkewAxis axisOf(const Meta& meta, const std::string& name, Representative representative) {
    SkewAxis axis;
    axis.labels = listIn(meta, "skew_fit.bucket_axes." + name + "_labels");
    std::vector<double> edges;
    for (const std::string& entry : listIn(meta, "skew_fit.bucket_axes." + name + "_bins")) {
        if (const auto edge = boundedFrom(entry)) {
            edges.push_back(*edge);
        }
    }
    const bool good = edges.size() == axis.labels.size() + 1 && !axis.labels.empty() &&
                      (representative != Representative::LogarithmOfUpperEdge || edges[1] > 0) &&
                      std::ranges::adjacent_find(edges, std::greater_equal<>()) == edges.end();
    if (!good) {
        axis.labels.clear();
        return axis;
    }
    for (std::size_t i = 1; i < edges.size(); ++i) {
        if (representative == Representative::Middle) {
            axis.at.push_back((std::max(edges[i - 1], 0.0) + std::min(edges[i], 1.0)) / 2);
        } else if (representative == Representative::LogarithmOfUpperEdge) {
            axis.at.push_back(std::log2(edges[i]) - 0.5);
        } else {
            axis.at.push_back(edges[i]);
        }
    }
    return axis;
}

/// alpha at a chunk: between the chunks that were timed linear, beyond them the nearest.
double alphaAt(const std::map<double, double>& overChunks, double chunk) {
    const auto above = overChunks.lower_bound(chunk);
    if (above == overChunks.end()) {
        return std::prev(above)->second;
    }
    if (above == overChunks.begin() || above->first == chunk) {
        return above->second;
    }
    const auto below = std::prev(above);
    const double share = (chunk - below->first) / (above->first - below->first);
    return below->second + share * (above->second - below->second);
}

AxisPlace clamped(const SkewAxis& axis, double x) {
    AxisPlace place = placeOn(axis.at, x);
    place.share = std::min(place.share, 1.0);
    return place;
}

} // namespace

double SkewFit::alphaOf(const DecodeSpread& spread) const {
    const double width = spread.most - spread.least;
    const AxisPlace n = clamped(decodes, spread.decodes);
    const AxisPlace r =
        clamped(rate, width > 0 ? std::clamp((spread.mean - spread.least) / width, 0.0, 1.0) : 0.5);
    const AxisPlace m = clamped(mostContext, std::log2(std::max(spread.most, 1.0)));
    const AxisPlace c = clamped(chunkContext, spread.chunkContext);
    double alpha = 0;
    for (unsigned corner = 0; corner < 16; ++corner) {
        const auto of = [&](const AxisPlace& place, unsigned bit, double& weight) {
            const bool high = (corner & bit) != 0;
            weight *= high ? place.share : 1 - place.share;
            return high ? place.high : place.low;
        };
        double weight = 1;
        const std::string& nLabel = decodes.labels[of(n, 1, weight)];
        const std::string& rLabel = rate.labels[of(r, 2, weight)];
        const std::string& mLabel = mostContext.labels[of(m, 4, weight)];
        const std::string& cLabel = chunkContext.labels[of(c, 8, weight)];
        if (weight == 0) {
            continue;
        }
        const auto found = alphas.find(bucketOf(nLabel, rLabel, mLabel, cLabel));
        alpha += weight * (found == alphas.end() ? alphaDefault : alphaAt(found->second, spread.chunk));
    }
    return alpha;
}

Result<SkewFit> readSkewFit(std::string_view table, const Meta& meta, std::int64_t tensorParallel) {
    SkewFit fit;
    fit.decodes = axisOf(meta, "n", Representative::UpperEdge);
    fit.rate = axisOf(meta, "skew_rate", Representative::Middle);
    fit.mostContext = axisOf(meta, "kv_big", Representative::LogarithmOfUpperEdge);
    fit.chunkContext = axisOf(meta, "kp", Representative::UpperEdge);
    for (const SkewAxis* axis : {&fit.decodes, &fit.rate, &fit.mostContext, &fit.chunkContext}) {
        if (axis->labels.empty()) {
            return Error{"the skew fit's axes are missing or broken", "meta.yaml: skew_fit.bucket_axes", ""};
        }
    }
    const std::string defaultKey = fmt::format("skew_fit.per_tp.{}.alpha_default", tensorParallel);
    if (const auto found = meta.find(defaultKey); found != meta.end()) {
        fit.alphaDefault = boundedFrom(found->second).value_or(0);
    }
    TraceLines lines(table);
    const CsvHeader header(lines.next().value_or(TraceLine{}).text);
    const auto chunkAt = header.find("pc");
    const auto decodesAt = header.find("n_label");
    const auto rateAt = header.find("skew_rate_label");
    const auto mostAt = header.find("kv_big_label");
    const auto contextAt = header.find("kp_label");
    const auto alphaAt = header.find("alpha");
    if (!chunkAt || !decodesAt || !rateAt || !mostAt || !contextAt || !alphaAt) {
        return Error{"it has not the columns pc,n_label,skew_rate_label,kv_big_label,kp_label,alpha", "", ""};
    }
    CsvRow row;
    while (const auto line = lines.next()) {
        row.split(line->text);
        const auto chunk = tokensFrom(row.at(*chunkAt));
        const auto alpha = boundedFrom(row.at(*alphaAt));
        if (!chunk || !alpha) {
            return Error{"a line holds no chunk or no alpha", fmt::format("line {}", line->number), ""};
        }
        fit.alphas[bucketOf(row.at(*decodesAt), row.at(*rateAt), row.at(*mostAt), row.at(*contextAt))]
            .emplace(static_cast<double>(*chunk), *alpha);
    }
    return fit;
}

} // namespace loadline
