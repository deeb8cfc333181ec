// A prompt with part of its cached context left out.
#include "core/cache/tier/move_out.h"

#include "core/cache/split/prefill_decode_split.h"
#include "core/text/enum_words.h"

#include <algorithm>

namespace loadline {
namespace {

double flopsOf(const KvLayout& layout, double n, double cached) {
    return prefillFlops(layout.model->activeParameters, layout.model->attention, n, cached);
}

/// `held`: tokens of a session; `whole`: FLOPs of the prompt as it is.
MoveOutState stateOf(const KvLayout& layout, const MoveOutLoad& load, double input, double cached,
                     double held, double whole) {
    const double heldGB = held > 0 ? layout.bytesOf(held) / 1e9 : 0;
    const double loaded = cached > 0 ? layoutOffGpu(layout).bytesOf(cached) / 1e9 : 0;
    return {.input = input,
            .cached = cached,
            .hitRate = input > 0 ? cached / input : 0,
            .heldGB = heldGB,
            .allHeldGB = heldGB * load.sessions,
            .workLeft = whole > 0 ? flopsOf(layout, input, cached) / whole : 0,
            .kvReadGBs = loaded * load.requestsPerS};
}

} // namespace

std::string_view keyOf(MoveOutKind kind) {
    return wordOf(kind, {"files", "lookup"});
}

std::optional<MoveOutKind> moveOutKindFromKey(std::string_view key) {
    return withKey(key, MoveOutKind::Lookup);
}

MoveOutFigure moveOutOf(const KvLayout& layout, const MoveOut& question, const MoveOutLoad& load,
                        const CacheTier& tier) {
    const double cached = load.hitRate * load.input;
    const double whole = flopsOf(layout, load.input, 0);
    MoveOutFigure figure;
    figure.movedTokens = std::min(question.share * load.input, cached);
    figure.fetchedTokens = question.fetched * figure.movedTokens;
    const double gone = figure.movedTokens * (1 - question.index);
    const double back = question.kind == MoveOutKind::Files ? figure.fetchedTokens : 0;
    const double held = load.input > 0 ? load.heldTokens * (load.input - gone) / load.input : 0;
    figure.before = stateOf(layout, load, load.input, cached, load.heldTokens, whole);
    figure.after = stateOf(layout, load, load.input - gone + back, cached - gone, held, whole);
    figure.readBytes = figure.fetchedTokens * question.bytesPerToken;
    figure.readGBs = figure.readBytes * load.requestsPerS / 1e9;
    figure.bandwidthShare = figure.readGBs / tier.bandwidthGBs;
    figure.readS =
        figure.readBytes > 0 ? tier.latencyUs * 1e-6 + figure.readBytes / (tier.bandwidthGBs * 1e9) : 0;
    figure.sessionsPerGB = figure.after.heldGB > 0 ? figure.before.heldGB / figure.after.heldGB : 0;
    return figure;
}

} // namespace loadline
