#include "gpu/protocol/bench_reports.h"

#include "gpu/protocol/method_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace loadline::gpu {

BenchDevice benchDeviceOf(const DeviceInfo& device) {
    return {.key = device.key,
            .name = device.name,
            .hardware = device.hardware,
            .unavailable = device.unavailable,
            .madeUp = device.madeUp,
            .facts = device.facts};
}

BenchPlan benchPlanOf(const Plan& plan, KernelNaming naming, const MeasureContext& context,
                      const Profile& profile) {
    return {.name = context.name,
            .date = context.date,
            .preset = std::string(keyOf(plan.preset)),
            .shapes = plan.shapes,
            .kBits = plan.kBits,
            .points = plan.points.size() + plan.attention.calls.size(),
            .checks = plan.checks.size() + plan.attention.checks.size(),
            .seconds = plan.guessedSeconds,
            .leftOut = leftOutWords(plan, naming),
            .facts = profile.methodFacts,
            .rowTiles = profile.rowTiles};
}

BenchPoint benchPointOf(const ProfilePoint& point, const Visit& visit) {
    BenchPoint report{.point = point, .samples = {}, .dropped = visit.summary.dropped};
    for (const Sample& sample : visit.samples) {
        report.samples.push_back({sample.us, sample.clockMhz});
    }
    return report;
}

AttentionTiming timingOf(const AttentionVisit& visit, PointOrigin origin) {
    const PointSummary& summary = visit.summary;
    return {.call = visit.call,
            .timeUs = summary.medianUs,
            .minUs = summary.minUs,
            .p25Us = summary.p25Us,
            .p75Us = summary.p75Us,
            .samples = summary.samples,
            .clockMhz = summary.clockMhz,
            .flags = summary.flags,
            .origin = origin};
}

int otherProgramsOn(const Profile& profile) {
    const auto found = profile.deviceFacts.find("other_processes");
    return found == profile.deviceFacts.end()
               ? 0
               : static_cast<int>(std::strtol(found->second.c_str(), nullptr, 10));
}

std::string wrongOutput(const std::string& what, const std::string& why) {
    return fmt::format("{} gave a wrong output when it was timed, and its time was dropped: {}", what, why);
}

std::string interruptedWords(const std::vector<ProfilePoint>& points) {
    const auto count = std::count_if(points.begin(), points.end(), [](const ProfilePoint& point) {
        return std::find(point.flags.begin(), point.flags.end(), "interrupted") != point.flags.end();
    });
    if (4 * static_cast<std::size_t>(count) <= points.size()) {
        return {};
    }
    return fmt::format("other programs interrupted every sample of {} of {} points: their times are too "
                       "long; fewer threads (--threads) are left alone more often",
                       count, points.size());
}

} // namespace loadline::gpu
