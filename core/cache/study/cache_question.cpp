// From the words of a question about caches to settings, and back.
#include "core/cache/study/cache_question.h"

#include "core/cache/figure/cache_figure.h"

#include <utility>

namespace loadline {

CacheSettings settingsOf(const CacheQuestion& question, double longestTurn) {
    const TierOptions& machine = question.machine;
    return *withTiers({.count = question.lru,
                       .ttlS = question.ttlS,
                       .model = machine.model,
                       .bytesPerValue = machine.bytesPerKvValue,
                       .bytesPerWeight = machine.bytesPerWeight,
                       .tensorParallel = machine.tensorParallel,
                       .tiers = {},
                       .fleet = question.fleet,
                       .longestTurn = longestTurn,
                       .chain = question.chain},
                      machine.tiers);
}

CacheSettings settingsOf(const CacheQuestion& question, const ask::Sources& sources) {
    const auto* figure = sources.get<CacheFigure>();
    return settingsOf(question, figure == nullptr ? 0 : figure->longestTurn());
}

CacheQuestion withSettings(CacheQuestion question, const CacheSettings& settings) {
    question.lru = settings.count;
    question.ttlS = settings.ttlS;
    question.fleet = settings.fleet;
    question.chain = settings.chain;
    TierOptions& machine = question.machine;
    machine.model = settings.model;
    machine.bytesPerKvValue = settings.bytesPerValue;
    machine.bytesPerWeight = settings.bytesPerWeight;
    machine.tensorParallel = settings.tensorParallel;
    machine.tiers = tiersTextOf(settings);
    return question;
}

CacheQuestion settled(const CacheQuestion& before, CacheQuestion after, double longestTurn) {
    const TierOptions& was = before.machine;
    const TierOptions& is = after.machine;
    const bool moves = is.model != was.model || is.bytesPerKvValue != was.bytesPerKvValue ||
                       is.bytesPerWeight != was.bytesPerWeight || is.tensorParallel != was.tensorParallel;
    if (!moves || is.tiers != was.tiers) {
        return after;
    }
    CacheSettings settings = withModel(settingsOf(before, longestTurn), is.model);
    settings = withBytesPerValue(settings, is.bytesPerKvValue);
    settings = withBytesPerWeight(settings, is.bytesPerWeight);
    settings = withTensorParallel(settings, is.tensorParallel);
    after.machine.tensorParallel = settings.tensorParallel;
    after.machine.tiers = tiersTextOf(settings);
    return after;
}

} // namespace loadline
