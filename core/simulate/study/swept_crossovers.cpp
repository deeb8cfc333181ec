// Crossovers of the curves of a sweep.
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/preview_runs.h"
#include "core/simulate/study/preview_words.h"
#include "core/simulate/study/sweep_misfits.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace loadline {
namespace {

/// Places of the least and the largest pace; a preview's of few answers are passed over as long as there are
/// others.
std::pair<std::size_t, std::size_t> extremesOf(std::span<const SweepPoint> curve) {
    const bool hasOthers = !std::ranges::all_of(curve, isRough);
    std::optional<std::size_t> best, worst;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (hasOthers && isRough(curve[i])) {
            continue;
        }
        const double pace = curve[i].pace().value;
        best = !best || pace < curve[*best].pace().value ? i : *best;
        worst = !worst || pace >= curve[*worst].pace().value ? i : *worst;
    }
    return {best.value_or(0), worst.value_or(0)};
}

/// True if no point beside one of the crossings, or none of the curve, has an interval on one side of 1.
bool isUntold(const std::vector<Crossing>& crossings, std::span<const SweepPoint> curve) {
    const auto tells = [&](std::int64_t from, std::int64_t to) {
        return std::ranges::any_of(curve, [&](const SweepPoint& point) {
            return point.users >= from && point.users <= to && !point.isEvenAtMost();
        });
    };
    std::int64_t from = curve.front().users;
    for (const Crossing& crossing : crossings) {
        if (!tells(from, crossing.fromUsers)) {
            return true;
        }
        from = crossing.toUsers;
    }
    return !tells(from, curve.back().users);
}

PointLatency latencyOf(const SweepPoint& point) {
    return {.ttftP50S = point.ttftP50S.value,
            .againstTtftP50S = point.against ? point.against->figures.ttftP50S.value : 0};
}

/// "fp16 does not fit: needs 139 GiB of 24 GiB." with the users that fit at k; "" where both fit.
std::string misfitOf(const SweptPair& pair, const MemoryFit& own) {
    if (pair.isCompared()) {
        return {};
    }
    const bool isOwn = !pair.fits;
    const std::string need = needWordsOf(isOwn ? own : pair.against);
    const Tokens room = isOwn ? pair.longest : pair.againstLongest;
    std::string text =
        nameOf(isOwn ? pair.format : pair.againstFormat) + " " +
        (need.empty() ? fmt::format("does not fit: its KV room of {} tokens holds no turn", formatExact(room))
                      : need) +
        ".";
    if (const auto users = usersThatFit(isOwn ? pair.against : own); users && *users > 0) {
        text += fmt::format(" {} does, with room for the conversations of {}.",
                            nameOf(isOwn ? pair.againstFormat : pair.format), usersText(*users));
    }
    return text;
}

} // namespace

std::vector<Crossover> crossoversOf(const SweepResult& swept, StepScope scope, bool isPreview) {
    std::vector<Crossover> found;
    const SweepResult sweep = withoutMisfits(swept);
    if (sweep.points.empty()) {
        return found;
    }
    for (std::size_t k = 0; k < sweep.weights.size(); ++k) {
        for (std::size_t chunk = 0; chunk < sweep.chunks.size(); ++chunk) {
            const std::vector<SweepPoint> curve = sweep.ownCurve(k, chunk);
            Crossover one;
            one.weights = sweep.weights[k];
            one.chunkTokens = sweep.chunks[chunk];
            one.scope = scope;
            one.memory = k < sweep.memory.size() ? sweep.memory[k] : MemoryFit{};
            one.leftOutLoads = k < sweep.leftOut.size() ? sweep.leftOut[k] : "";
            one.fromUsers = sweep.users.front();
            one.toUsers = sweep.users.back();
            std::vector<double> ratios;
            std::vector<std::int64_t> users;
            for (const SweepPoint& point : curve) {
                ratios.push_back(point.pace().value);
                users.push_back(point.users);
            }
            if (k < sweep.pairs.size()) {
                const SweptPair& pair = sweep.pairs[k];
                one.format = pair.format;
                one.against = pair.againstFormat;
                one.byTurns = pair.isCompared();
                one.misfit = misfitOf(pair, one.memory);
            } else {
                one.format = Format(one.weights);
            }
            one.crossings = one.misfit.empty() ? crossingsOf(users, ratios) : std::vector<Crossing>();
            const auto [bestPlace, worstPlace] = extremesOf(curve);
            const SweepPoint& bestPoint = curve[bestPlace];
            const SweepPoint& worstPoint = curve[worstPlace];
            one.best = bestPoint.pace();
            one.bestTimeVsFp16 = bestPoint.timeVsFp16.value;
            one.bestKernelError = bestPoint.paceKernelError();
            one.atBest = latencyOf(bestPoint);
            one.bestUsers = bestPoint.users;
            one.worst = worstPoint.pace();
            one.worstTimeVsFp16 = worstPoint.timeVsFp16.value;
            one.worstKernelError = worstPoint.paceKernelError();
            one.atWorst = latencyOf(worstPoint);
            one.worstUsers = worstPoint.users;
            const auto errorOf = [&](const SweepPoint& point) {
                const double known = point.paceError() * point.pace().value;
                if (!isPreview) {
                    return known;
                }
                return known > 0 ? std::max(known, previewError) : oneRunError * point.pace().value;
            };
            one.bestError = errorOf(bestPoint);
            one.worstError = errorOf(worstPoint);
            one.isPreview = isPreview;
            one.isUntold = isPreview && one.byTurns && isUntold(one.crossings, curve);
            if (one.crossings.empty()) {
                one.kind =
                    ratios.front() < 1 ? CrossoverKind::QuantisedFaster : CrossoverKind::QuantisedSlower;
            } else {
                one.kind = one.crossings.size() == 1 ? CrossoverKind::One : CrossoverKind::Several;
            }
            one.sentence = crossoverSentence(one);
            found.push_back(std::move(one));
        }
    }
    return found;
}

} // namespace loadline
