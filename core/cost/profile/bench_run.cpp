// Gathers a run's events into what can be said of it so far.
#include "core/cost/profile/bench_run.h"

#include "core/base/file/read_json.h"
#include "core/text/json/compact_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>

namespace loadline {
namespace {

constexpr const char* cutKey = "cut";

bool isSame(const ProfilePoint& a, const ProfilePoint& b) {
    return std::tie(a.kernel, a.size, a.experts, a.rowsM, a.kBits) ==
           std::tie(b.kernel, b.size, b.experts, b.rowsM, b.kBits);
}

/// Each point once: a later timing takes the place of the earlier one.
void put(std::vector<ProfilePoint>& points, const ProfilePoint& point) {
    const auto known =
        std::ranges::find_if(points, [&](const ProfilePoint& other) { return isSame(other, point); });
    if (known == points.end()) {
        points.push_back(point);
    } else {
        *known = point;
    }
}

class Taker {
public:
    explicit Taker(BenchRun& run) : run_(run) {}

    void operator()(const BenchDevice& device) const {
        run_.devices.push_back(device);
        run_.profile.name = device.name;
        run_.profile.device = device.name;
        run_.profile.hardware = device.hardware;
        run_.profile.source = device.madeUp ? madeUpSource : "";
        run_.profile.deviceFacts = device.facts;
        markCut(run_.profile, "the run has not ended");
    }

    void operator()(const BenchPlan& plan) const {
        run_.plan = plan;
        run_.profile.date = plan.date;
        if (!plan.name.empty()) {
            run_.profile.name = plan.name;
        }
        run_.profile.method = methodName(plan.preset);
        run_.profile.rowTiles = plan.rowTiles;
        run_.profile.methodFacts.insert(plan.facts.begin(), plan.facts.end());
    }

    void operator()(const BenchCeiling& ceiling) const {
        run_.profile.ceilings[ceiling.name] = fmt::format("{:.6g}", ceiling.value);
    }

    void operator()(const BenchProgress& progress) const { run_.progress = progress; }

    void operator()(const BenchPoint& point) const {
        const auto known = std::ranges::find_if(
            run_.points, [&](const BenchPoint& other) { return isSame(other.point, point.point); });
        if (known == run_.points.end()) {
            run_.points.push_back(point);
        } else if (point.samples.empty()) {
            known->point = point.point;
        } else {
            *known = point;
        }
        put(run_.profile.points, point.point);
    }

    void operator()(const BenchAttentionTiming& timing) const {
        std::vector<AttentionTiming>& all = run_.profile.attention;
        const auto known = std::ranges::find(all, timing.point.call, &AttentionTiming::call);
        if (known == all.end()) {
            all.push_back(timing.point);
        } else {
            *known = timing.point;
        }
    }

    void operator()(const BenchCheckFailure& failure) const { run_.checkFailures.push_back(failure); }

    void operator()(const BenchRemark& remark) const { run_.remarks.push_back(remark.sentence); }

    /// The profile's points may know more than the events did: flags that a later point gave them.
    void operator()(const BenchDone& done) const {
        run_.profile = done.profile;
        run_.path = done.path;
        run_.cut = done.cut;
        run_.done = true;
        for (const ProfilePoint& point : done.profile.points) {
            for (BenchPoint& known : run_.points) {
                if (isSame(known.point, point)) {
                    known.point = point;
                }
            }
        }
    }

    void operator()(const BenchFailed& failed) const { run_.error = failed.error; }

private:
    BenchRun& run_;
};

} // namespace

void apply(BenchRun& run, const BenchEvent& event) {
    std::visit(Taker(run), event);
}

std::string methodName(const std::string& preset) {
    return "median of calls over rotated weight copies, preset " + preset;
}

void markCut(Profile& profile, const std::string& why) {
    if (why.empty()) {
        profile.methodFacts.erase(cutKey);
    } else {
        profile.methodFacts[cutKey] = compactJson(why);
    }
}

std::string cutOf(const Profile& profile) {
    const auto found = profile.methodFacts.find(cutKey);
    if (found == profile.methodFacts.end()) {
        return "";
    }
    const nlohmann::json why = jsonFrom(found->second);
    return why.is_string() ? why.get<std::string>() : found->second;
}

} // namespace loadline
