// Finds and leaves out settings that outgrow the device.
#include "core/simulate/study/sweep_misfits.h"

#include "core/simulate/fit/run_fit.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/rate_crossings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

namespace loadline {
namespace {

SimulationInputs servedAt(const SweptSetting& setting, const SimulationInputs& base, const Format& format) {
    SimulationInputs one = inputsAt(setting, base);
    one.cost.format = format;
    return one;
}

/// Outgrown bytes at the least of these loads that has any, and its place; 0 and their number where all fit.
Result<std::pair<double, std::size_t>> leastMisfit(std::size_t loads,
                                                   const std::function<Result<double>(std::size_t)>& at) {
    auto most = at(loads - 1);
    if (!most) {
        return most.error();
    }
    if (!(*most > 0)) {
        return std::pair(0.0, loads);
    }
    std::pair<double, std::size_t> found{*most, loads - 1};
    std::size_t from = 0;
    while (from < found.second) {
        const std::size_t middle = from + (found.second - from) / 2;
        const auto bytes = at(middle);
        if (!bytes) {
            return bytes.error();
        }
        if (*bytes > 0) {
            found = {*bytes, middle};
        } else {
            from = middle + 1;
        }
    }
    return found;
}

std::string loadText(const SweepPoint& point) {
    return point.ratePerS > 0 ? rateText(point.ratePerS) : usersText(point.users);
}

/// True at a rate that the format does not keep up with: its latencies tell how long the run was.
bool isOverloaded(const SweepPoint& point) {
    return point.ratePerS > 0 && point.queueGrows;
}

bool isAgainstOverloaded(const SweepPoint& point) {
    return point.ratePerS > 0 && point.against && point.against->figures.queueGrows;
}

/// "From 48 users on k = 4 does not fit: needs 25.1 GiB of 24 GiB."
std::string leftOutText(const SweepPoint& point, const Format& format, const MemoryFit& fit) {
    return fmt::format("From {} on {} {}.", loadText(point), nameOf(format), needWordsOf(fit));
}

/// Which loads of a sweep are left out.
class Cut {
public:
    explicit Cut(SweepResult& sweep) : sweep_(sweep), out_(sweep.users.size()) {
        sweep_.leftOut.resize(sweep_.weights.size());
    }

    void look() {
        for (std::size_t k = 0; k < sweep_.weights.size(); ++k) {
            const bool hasPair = k < sweep_.pairs.size();
            if (k >= sweep_.memory.size() || (hasPair && !sweep_.pairs[k].fits)) {
                continue;
            }
            MemoryFit& own = sweep_.memory[k];
            const Format format = hasPair ? sweep_.pairs[k].format : Format(sweep_.weights[k]);
            if (!leaveOut(k, &SweepPoint::outgrownKvBytes, format, own)) {
                if (hasPair) {
                    sweep_.pairs[k].fits = false;
                }
                continue;
            }
            if (hasPair && sweep_.pairs[k].againstFits) {
                SweptPair& pair = sweep_.pairs[k];
                pair.againstFits =
                    leaveOut(k, &SweepPoint::againstOutgrownKvBytes, pair.againstFormat, pair.against);
            }
        }
    }

    void lookForOverload() {
        for (std::size_t k = 0; k < sweep_.weights.size(); ++k) {
            const bool hasPair = k < sweep_.pairs.size();
            leaveOut(k, isOverloaded, hasPair ? sweep_.pairs[k].format : Format(sweep_.weights[k]));
            if (hasPair) {
                leaveOut(k, isAgainstOverloaded, sweep_.pairs[k].againstFormat);
            }
        }
    }

    void drop() {
        for (std::size_t i = 0; i < sweep_.points.size(); ++i) {
            if (out_[i % out_.size()]) {
                sweep_.mostLeftOut = std::max(sweep_.mostLeftOut, sweep_.points[i].load());
            }
        }
        const auto kept = [&](auto& list) {
            std::remove_reference_t<decltype(list)> some;
            for (std::size_t i = 0; i < list.size(); ++i) {
                if (!out_[i % out_.size()]) {
                    some.push_back(std::move(list[i]));
                }
            }
            list = std::move(some);
        };
        kept(sweep_.points); // users are their innermost order
        std::erase_if(sweep_.leadingUsers, [&](std::int64_t users) {
            const auto place = std::ranges::find(sweep_.users, users) - sweep_.users.begin();
            return place < std::ssize(out_) && out_[static_cast<std::size_t>(place)];
        });
        kept(sweep_.ratesPerS);
        kept(sweep_.users);
    }

private:
    /// Leaves out the loads at which isOut is true at some chunk size, unless it is at all of them.
    void leaveOut(std::size_t k, bool (*isOut)(const SweepPoint&), const Format& format) {
        const SweepPoint* least = nullptr;
        std::vector<bool> out(out_.size());
        for (std::size_t chunk = 0; chunk < sweep_.chunks.size(); ++chunk) {
            for (std::size_t i = 0; i < out.size(); ++i) {
                const SweepPoint& point = sweep_.at(k, chunk, i);
                out[i] = out[i] || isOut(point);
                least = isOut(point) && (least == nullptr || point.load() < least->load()) ? &point : least;
            }
        }
        if (least == nullptr || std::ranges::all_of(out, std::identity())) {
            return;
        }
        sweep_.leftOut[k] +=
            fmt::format("{}At {} or more {} falls behind.", sweep_.leftOut[k].empty() ? "" : " ",
                        loadText(*least), nameOf(format));
        for (std::size_t i = 0; i < out.size(); ++i) {
            out_[i] = out_[i] || out[i];
        }
    }

    /// Leaves out the loads at which the format outgrows the device; if it does at every load, returns false,
    /// leaves nothing out and puts into `fit` what the format needs at the first.
    bool leaveOut(std::size_t k, double SweepPoint::*outgrown, const Format& format, MemoryFit& fit) {
        std::vector<const SweepPoint*> first(out_.size()); // misfit, by load
        for (std::size_t chunk = 0; chunk < sweep_.chunks.size(); ++chunk) {
            for (std::size_t i = 0; i < out_.size(); ++i) {
                const SweepPoint& point = sweep_.at(k, chunk, i);
                first[i] = first[i] == nullptr && point.*outgrown > 0 ? &point : first[i];
            }
        }
        const auto misfit = [](const SweepPoint* point) { return point != nullptr; };
        const auto least = std::ranges::find_if(first, misfit);
        if (least == first.end()) {
            return true;
        }
        MemoryFit needed = fit;
        needed.kvBytes = (*least)->*outgrown;
        if (std::ranges::all_of(first, misfit)) {
            fit = needed;
            return false;
        }
        sweep_.leftOut[k] += (sweep_.leftOut[k].empty() ? "" : " ") + leftOutText(**least, format, needed);
        for (std::size_t i = 0; i < out_.size(); ++i) {
            out_[i] = out_[i] || misfit(first[i]);
        }
        return true;
    }

    SweepResult& sweep_;
    std::vector<bool> out_; ///< by users or rates: true where a load is left out
};

} // namespace

Status findUnboundMisfits(std::vector<SweptSetting>& settings, const SimulationInputs& base,
                          const SweepInputs& sweep, const std::vector<Storage>& weights,
                          const std::stop_token& stop) {
    if (specOf(base.policy.policy).paged || !memoryFitOf(base).known()) {
        return Done{};
    }
    std::vector<Format> formats = formatsOf(base.cost.format, weights);
    if (comparesFormats(base)) {
        formats.push_back(base.against);
    }
    std::map<Tokens, std::vector<SweptSetting*>> byChunk;
    for (SweptSetting& setting : settings) {
        setting.outgrownKvBytes.assign(weights.size(), 0);
        byChunk[setting.chunk].push_back(&setting);
    }
    for (auto& [chunk, ofChunk] : byChunk) {
        std::ranges::stable_sort(ofChunk, {}, [](const SweptSetting* one) {
            return one->ratePerS > 0 ? one->ratePerS : static_cast<double>(one->users);
        });
        for (std::size_t f = 0; f < formats.size(); ++f) {
            const auto outgrownAt = [&](std::size_t place) -> Result<double> {
                SimulationInputs one = servedAt(*ofChunk[place], base, formats[f]);
                one.length = lengthFor(sweep, one.arrivals.users);
                const auto need = unboundKvNeedOf(one, stop);
                if (!need) {
                    return need.error();
                }
                const double bytes = *need ? (*need)->peakBytes : 0;
                return memoryFitOf(one, bytes).fits().value_or(true) ? 0.0 : bytes;
            };
            if (memoryFitOf(servedAt(*ofChunk.front(), base, formats[f])).isTooLarge()) {
                continue; // the weights alone
            }
            const auto least = leastMisfit(ofChunk.size(), outgrownAt);
            if (!least) {
                return least.error();
            }
            for (std::size_t place = least->second; place < ofChunk.size(); ++place) {
                (f < weights.size() ? ofChunk[place]->outgrownKvBytes[f]
                                    : ofChunk[place]->againstOutgrownKvBytes) = least->first;
            }
        }
    }
    return Done{};
}

void putMisfits(SweptSetting& setting, const SimulationInputs& base, const std::vector<Storage>& weights) {
    const SimulationInputs against = servedAt(setting, base, base.against);
    for (std::size_t k = 0; k < setting.points.size(); ++k) {
        SweepPoint& point = setting.points[k];
        const SimulationInputs own = servedAt(setting, base, withWeights(base.cost.format, weights[k]));
        point.outgrownKvBytes = k < setting.outgrownKvBytes.size() && setting.outgrownKvBytes[k] > 0
                                    ? setting.outgrownKvBytes[k]
                                    : outgrownKvBytes(own, setting.peakKvBlocks[k]);
        point.againstOutgrownKvBytes = setting.againstOutgrownKvBytes > 0
                                           ? setting.againstOutgrownKvBytes
                                           : outgrownKvBytes(against, setting.againstPeakKvBlocks[k]);
        if (!point.fits() || !point.againstFits()) {
            point.against.reset();
        }
    }
}

SweepResult withoutMisfits(SweepResult sweep) {
    const auto isMisfit = [](const SweepPoint& point) {
        return !point.fits() || !point.againstFits() || isOverloaded(point) || isAgainstOverloaded(point);
    };
    if (std::ranges::none_of(sweep.points, isMisfit)) {
        return sweep;
    }
    Cut cut(sweep);
    cut.look();
    cut.lookForOverload();
    cut.drop();
    return sweep;
}

} // namespace loadline
