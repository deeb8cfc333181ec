// bench --compare: what changed from one profile to another.
#include "app/cli/bench/bench_options.h"
#include "app/cli/terminal/output.h"
#include "app/options/cost_option.h"
#include "core/cost/figure/profile_comparison.h"

#include <nlohmann/json.hpp>

namespace loadline::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

Result<std::shared_ptr<const Profile>> profileToCompare(const std::string& path) {
    const Result<TimesChoice> times = resolveTimes(path);
    if (!times) {
        return times.error();
    }
    if (times->profile == nullptr) {
        return Error{"a roofline has no points to compare", path, "a profile file, or rtx4090-published"};
    }
    return times->profile;
}

OrderedJson boundOrNull(const std::optional<double>& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson documentOf(const ProfileComparison& comparison) {
    OrderedJson document = {{"schema", "loadline.bench_compare/1"},
                            {"before", comparison.before},
                            {"after", comparison.after},
                            {"points", OrderedJson::array()}};
    for (const ComparedPoint& point : comparison.points) {
        OrderedJson entry = {{"kernel", keyOf(point.kernel)}};
        if (!point.name.empty()) {
            entry["name"] = point.name;
        }
        entry["shape"] = textOf(point.size);
        entry["experts"] = point.experts;
        entry["rows_m"] = point.rowsM;
        entry["k_bits"] = point.kBits;
        entry["before_us"] = point.beforeUs;
        entry["after_us"] = point.afterUs;
        entry["ratio"] = point.change.ratio;
        entry["low"] = boundOrNull(point.change.low);
        entry["high"] = boundOrNull(point.change.high);
        entry["flagged"] = point.flagged;
        document["points"].push_back(std::move(entry));
    }
    document["by_m"] = OrderedJson::object();
    document["by_m_interval"] = OrderedJson::object();
    document["by_m_points"] = OrderedJson::object(); // unflagged points behind each mean
    for (const auto& [rowsM, points] : comparison.pointsByM) {
        const std::string key = std::to_string(rowsM);
        const auto mean = comparison.byM.find(rowsM);
        const bool any = mean != comparison.byM.end();
        document["by_m"][key] = any ? OrderedJson(mean->second.ratio) : OrderedJson(nullptr);
        document["by_m_interval"][key] = {any ? boundOrNull(mean->second.low) : OrderedJson(nullptr),
                                          any ? boundOrNull(mean->second.high) : OrderedJson(nullptr)};
        document["by_m_points"][key] = points;
    }
    document["not_in_both"] = comparison.notInBoth;
    document["attention"] = OrderedJson::array();
    for (const ComparedAttention& one : comparison.attention) {
        document["attention"].push_back({{"phase", keyOf(one.call.phase)},
                                         {"q_heads", one.call.heads.qHeads},
                                         {"kv_heads", one.call.heads.kvHeads},
                                         {"head_dim", one.call.heads.headDim},
                                         {"batch", one.call.batch},
                                         {"tokens", one.call.tokens},
                                         {"before_us", one.beforeUs},
                                         {"after_us", one.afterUs},
                                         {"ratio", one.change.ratio},
                                         {"low", boundOrNull(one.change.low)},
                                         {"high", boundOrNull(one.change.high)},
                                         {"flagged", one.flagged}});
    }
    document["attention_not_in_both"] = comparison.attentionNotInBoth;
    document["intervals_of_quartiles"] = comparison.ofQuartiles;
    document["remarks"] = comparison.remarks;
    return document;
}

} // namespace

int runCompare(const BenchOptions& options) {
    const auto before = profileToCompare(options.compare.front());
    if (!before) {
        return fail(before.error());
    }
    const auto after = profileToCompare(options.compare.back());
    if (!after) {
        return fail(after.error());
    }
    const Result<ProfileComparison> comparison = compareProfiles(**before, **after);
    if (!comparison) {
        return fail(comparison.error());
    }
    return options.json ? printJson(documentOf(*comparison)) : printText(markdownOf(*comparison));
}

} // namespace loadline::app
