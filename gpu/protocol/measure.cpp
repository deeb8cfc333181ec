// Runs a plan on a device and gives a profile: correct first, then timed, with everything told that was odd.
#include "gpu/protocol/measure.h"

#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_naming.h"
#include "core/text/json/compact_json.h"
#include "gpu/protocol/bench_reports.h"
#include "gpu/protocol/collect.h"
#include "gpu/protocol/method_facts.h"
#include "gpu/protocol/point_timer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

namespace loadline::gpu {
namespace {

using Json = nlohmann::json;

class Run {
public:
    Run(Backend& backend, const Plan& plan, const MeasureContext& context, const Tell& tell,
        std::stop_token stop)
        : backend_(backend), plan_(plan), rule_(ruleOf(plan.preset)), context_(context), tell_(tell),
          stop_(std::move(stop)), begin_(context.seconds()),
          timer_(backend, rule_.sampling, context.sleepSeconds, stop_) {}

    Result<Profile> profile() {
        DeviceInfo device = backend_.device();
        device.facts.insert(context_.deviceFacts.begin(), context_.deviceFacts.end());
        if (!device.unavailable.empty()) {
            return Error{device.unavailable, device.name, "choose another device, or a saved profile"};
        }
        if (plan_.points.empty()) {
            return Error{"there is nothing to measure: the device has no kernel for these shapes and k",
                         device.name, "choose other shapes, or k from 2 to 5"};
        }
        profile_.name = context_.name.empty() ? device.name : context_.name;
        profile_.source = device.madeUp ? madeUpSource : "";
        profile_.deviceFacts = device.facts;
        naming_ = namingOf(&profile_);
        profile_.method = methodName(std::string(keyOf(plan_.preset)));
        profile_.methodFacts = methodFactsOf(backend_, plan_, naming_, context_);
        profile_.rowTiles = rowTilesOf(backend_, plan_);
        tell(benchDeviceOf(device));
        tell(benchPlanOf(plan_, naming_, context_, profile_));
        origin_ = device.madeUp ? PointOrigin::Modelled : PointOrigin::Measured;
        collector_.emplace(origin_);
        profile_.device = device.name;
        profile_.hardware = device.hardware;
        profile_.date = context_.date;
        work();
        collector_->stateBetweenRuns();
        if (const std::string words = interruptedWords(collector_->points()); !words.empty()) {
            remark(words);
        }
        profile_.points = collector_->points();
        for (const ProfilePoint& point : profile_.points) {
            if (point.betweenRuns) {
                tell(BenchPoint{.point = point, .samples = {}, .dropped = 0});
            }
        }
        if (profile_.points.empty()) {
            if (failure_) {
                return *failure_;
            }
            return Error{stop_.stop_requested() ? "stopped before the first point was measured"
                                                : "every kernel failed its check: nothing was timed",
                         device.name, "run it again"};
        }
        writeFacts();
        return std::move(profile_);
    }

private:
    void work() {
        if (const int others = otherProgramsOn(profile_); others > 0) {
            remark(fmt::format("other programs compute on this device ({}): times may be long", others));
        }
        say("measuring the ceilings");
        auto ceilings = backend_.measureCeilings(stop_);
        if (!ceilings) {
            failure_ = ceilings.error();
            return;
        }
        profile_.ceilings = std::move(*ceilings);
        for (const auto& [name, value] : profile_.ceilings) {
            tell(BenchCeiling{name, std::strtod(value.c_str(), nullptr)});
        }
        say("warming up");
        if (!warmUp(2000) || !checkAll()) {
            return;
        }
        beforeTiming_ = context_.seconds() - begin_;
        for (const PlannedPoint& planned : plan_.points) {
            if (stop_.stop_requested() || !visit(planned)) {
                return;
            }
            ++done_;
        }
        for (const AttentionCall& call : plan_.attention.calls) {
            if (stop_.stop_requested() || !visit(call)) {
                return;
            }
            ++done_;
        }
    }

    bool visit(const AttentionCall& call) {
        if (failedAttention_.count(call.phase) != 0) {
            return true;
        }
        say("timing " + textOf(call));
        const auto visit = timer_.time(call);
        if (!visit) {
            failure_ = visit.error();
            return false;
        }
        remarkOddities();
        if (!visit->wrong.empty()) {
            failures_.push_back(wrongOutput(textOf(call), visit->wrong));
            fail(call);
            return true;
        }
        const AttentionTiming point = timingOf(*visit, origin_);
        profile_.attention.push_back(point);
        tell(BenchAttentionTiming{point});
        return true;
    }

    bool warmUp(double mostMs) {
        const auto clock = backend_.warmUp(mostMs, stop_);
        if (!clock) {
            failure_ = clock.error();
            return false;
        }
        timer_.addClock(*clock);
        return true;
    }

    /// Runs all checks; false: the run is over.
    bool checkAll() {
        std::uint64_t seed = plan_.seed;
        for (const PointSpec& spec : plan_.checks) {
            if (!check(
                    words(spec), [&] { return backend_.check(spec, ++seed); },
                    [&](const std::string& why) { fail(spec, why); })) {
                return false;
            }
        }
        for (const AttentionCall& call : plan_.attention.checks) {
            if (!check(
                    textOf(call), [&] { return backend_.checkAttention(call, ++seed); },
                    [&](const std::string&) { fail(call); })) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool hasFailed(const PointSpec& spec) const { return failed_.count(seriesOf(spec)) != 0; }

    /// Marks a series as failed: nothing of it is timed any more.
    void fail(const PointSpec& spec, const std::string& why) {
        failed_.insert(seriesOf(spec));
        tell(BenchCheckFailure{spec.kernel, spec.size, spec.experts, spec.rowsM, spec.kBits, why});
    }

    /// Marks a phase of attention as failed; remarks the last of `failures_`.
    void fail(const AttentionCall& call) {
        failedAttention_.insert(call.phase);
        remark(failures_.back());
    }

    /// True if the output of the visit is wrong: it is then told and dropped.
    bool dropped(const Visit& visit) {
        if (visit.wrong.empty()) {
            return false;
        }
        failures_.push_back(wrongOutput(words(visit.planned.spec), visit.wrong));
        fail(visit.planned.spec, visit.wrong);
        return true;
    }

    /// Runs one; `wrong` takes what did not pass. False: the run is over.
    template <typename Check, typename Wrong>
    bool check(const std::string& what, const Check& run, const Wrong& wrong) {
        if (stop_.stop_requested()) {
            return false;
        }
        say("checking " + what);
        const Result<CheckOutcome> outcome = run();
        if (!outcome) {
            failure_ = outcome.error();
            return false;
        }
        if (!outcome->passed) {
            failures_.push_back(fmt::format("{} is wrong and was not timed: {}", what, outcome->what));
            wrong(outcome->what);
        }
        return true;
    }

    /// Visits a point; false: the run is over.
    bool visit(const PlannedPoint& planned) {
        if (hasFailed(planned.spec)) {
            return true;
        }
        auto visit = time(planned);
        if (!visit) {
            return false;
        }
        if (dropped(*visit)) {
            return true;
        }
        if (planned.role == PointRole::Anchor) {
            return takeAnchor(*visit);
        }
        tellPoint(collector_->take(*visit), *visit);
        if (planned.role == PointRole::Point && plan_.anchor) {
            sinceAnchor_.push_back(std::move(*visit));
        }
        return true;
    }

    std::optional<Visit> time(const PlannedPoint& planned) {
        say("timing " + words(planned.spec));
        auto visit = timer_.time(planned);
        if (!visit) {
            failure_ = visit.error();
            return std::nullopt;
        }
        remarkOddities();
        return std::move(*visit);
    }

    void remarkOddities() {
        for (const std::string& odd : backend_.oddities()) {
            remark(odd);
        }
    }

    bool takeAnchor(const Visit& visit) {
        collector_->takeAnchor(visit);
        const double before = std::exchange(anchorUs_, visit.summary.medianUs);
        const std::vector<Visit> since = std::exchange(sinceAnchor_, {});
        return since.empty() || !hasMoved(before, anchorUs_) || timeAgain(since, visit.planned);
    }

    /// Points between two anchors of which the second is another: each is flagged and timed once more, as far
    /// as there is time, and then the anchor. Where it has stood still, those points are good.
    bool timeAgain(const std::vector<Visit>& since, const PlannedPoint& anchor) {
        remark(fmt::format("the anchor moved by more than {:.0f} %: the points since, {}, are timed again",
                           100 * mostDrift, since.size()));
        for (const Visit& visit : since) {
            tellPoint(collector_->flagDrift(visit.planned), visit);
        }
        const double begin = context_.seconds();
        std::vector<Visit> again;
        std::size_t seen = 0; // timed again, or of a series that is wrong since
        more_ += since.size() + 1;
        for (const Visit& first : since) {
            if (stop_.stop_requested()) {
                return true;
            }
            if (againSeconds_ + context_.seconds() - begin >= rule_.mostAgainSeconds) {
                break;
            }
            ++done_;
            ++seen;
            if (hasFailed(first.planned.spec)) {
                continue;
            }
            auto visit = time(first.planned);
            if (!visit) {
                return false;
            }
            if (!dropped(*visit)) { // where it is, the first time stays flagged
                tellPoint(collector_->takeAgain(*visit), *visit);
                again.push_back(std::move(*visit));
            }
        }
        more_ -= since.size() - seen;
        againSeconds_ += context_.seconds() - begin;
        if (seen < since.size()) {
            remark(fmt::format("no time is left to time {} of them again: they stay flagged \"drift\"",
                               since.size() - seen));
        }
        ++done_;
        if (hasFailed(anchor.spec)) {
            return true;
        }
        const auto visit = time(anchor);
        if (!visit) {
            return false;
        }
        if (dropped(*visit)) {
            return true;
        }
        collector_->takeAnchor(*visit);
        if (!hasMoved(std::exchange(anchorUs_, visit->summary.medianUs), visit->summary.medianUs)) {
            for (const Visit& good : again) {
                tellPoint(collector_->clearDrift(good.planned), good);
            }
        }
        return true;
    }

    void tellPoint(const ProfilePoint& point, const Visit& visit) const { tell(benchPointOf(point, visit)); }

    [[nodiscard]] std::string words(const PointSpec& spec) const { return wordsFor(spec, naming_); }

    void addFact(const std::string& key, const Json& value) {
        profile_.methodFacts[key] = compactJson(value);
    }

    /// Writes the facts gathered while measuring.
    void writeFacts() {
        for (auto& [key, value] : collector_->facts()) {
            profile_.methodFacts[key] = value;
        }
        for (auto& [key, value] : backend_.conditions()) {
            profile_.methodFacts[key] = value;
        }
        addFact("seconds", context_.seconds() - begin_);
        if (!failures_.empty()) {
            addFact("failed_checks", failures_);
        }
        if (failure_ || (stop_.stop_requested() && done_ < total())) {
            markCut(profile_, failure_ ? failure_->sentence() : "stopped by the user");
        }
    }

    void say(const std::string& doing) const {
        const double spent = context_.seconds() - begin_;
        const std::size_t all = total();
        const double pace = done_ == 0 ? 0 : (spent - beforeTiming_) / static_cast<double>(done_);
        const double left =
            done_ == 0 ? std::max(0.0, plan_.guessedSeconds) : pace * static_cast<double>(all - done_);
        tell(BenchProgress{doing, done_, all, spent, left});
    }

    [[nodiscard]] std::size_t total() const {
        return plan_.points.size() + plan_.attention.calls.size() + more_;
    }

    void remark(const std::string& sentence) const { tell(BenchRemark{sentence}); }

    void tell(const BenchEvent& event) const {
        if (tell_) {
            tell_(event);
        }
    }

    Backend& backend_;
    const Plan& plan_;
    PresetRule rule_;
    const MeasureContext& context_;
    const Tell& tell_;
    std::stop_token stop_;
    double begin_;
    double beforeTiming_ = 0; ///< seconds of ceilings, warm-up and checks

    Profile profile_;
    KernelNaming naming_ = KernelNaming::Role;
    std::optional<Collector> collector_; ///< from the beginning on
    std::optional<Error> failure_;
    PointTimer timer_;
    std::size_t done_ = 0;
    std::size_t more_ = 0; ///< visits that the plan does not have
    double anchorUs_ = 0;  ///< its last time
    std::vector<Visit> sinceAnchor_;
    double againSeconds_ = 0;
    std::set<SeriesKey> failed_;
    std::set<AttentionPhase> failedAttention_;
    PointOrigin origin_ = PointOrigin::Measured;
    std::vector<std::string> failures_;
};

} // namespace

Result<Profile> measure(Backend& backend, const Plan& plan, const MeasureContext& context, const Tell& tell,
                        const std::stop_token& stop) {
    return Run(backend, plan, context, tell, stop).profile();
}

} // namespace loadline::gpu
