// Writes one setting of a sweep.
#include "app/cli/sweep/point_document.h"

#include "app/cli/simulate/pair_document.h"
#include "app/cli/simulate/run_document.h"
#include "app/cli/simulate/simulation_inputs.h"
#include "core/simulate/study/study_tables.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json bandOf(const Banded& banded) {
    return Json::array({banded.low, banded.high});
}

/// The published study's line for this point; null where it has none: another workload, other shapes, k or
/// chunk.
const PublishedUsers* publishedAt(const Swept& swept, const SweepPoint& point) {
    constexpr Tokens studyChunk = 512;
    const bool same = swept.request.workload == "reference" && swept.request.shapes.starts_with("study") &&
                      swept.request.arrivals.kind == ArrivalKind::Closed && point.kBits == 4 &&
                      point.chunkTokens == studyChunk;
    return same ? publishedUsersOf(point.users) : nullptr;
}

void addLatencies(Json& document, const ServedFigures& figures) {
    document["ttft_s"] = {
        {"p50", figures.ttftP50S.value}, {"p90", figures.ttftP90S.value}, {"p99", figures.ttftP99S.value}};
    document["tpot_s"] = {
        {"p50", figures.tpotP50S.value}, {"p90", figures.tpotP90S.value}, {"p99", figures.tpotP99S.value}};
    document["e2e_s"] = {{"mean", figures.e2eMeanS.value}};
}

void addAgainst(Json& document, const SweepPoint& point) {
    const PairedRatio& ratio = point.against->turnsPerS;
    document["turns_per_s"] = point.turnsPerS.value;
    document["turns_per_s_vs_against"] = ratio.value;
    const auto endsOf = [](const PairedRatio& one) {
        return one.low ? Json::array({*one.low, *one.high}) : Json(nullptr);
    };
    document["interval_vs_against"] = {{"turns_per_s", endsOf(ratio)}};
    if (point.against->paceOfRuns) {
        document["interval_vs_against_parts"] = {
            {"turns_per_s", partsDocument(endsOf(ratio.ofRuns()), ratio.value, point.against->kernelError)}};
    }
    Json against = {{"turns_per_s", point.against->figures.turnsPerS.value},
                    {"throughput_tokens_per_s", point.against->figures.throughputTokensPerS.value}};
    addLatencies(against, point.against->figures);
    document["against"] = std::move(against);
}

Json usersOrNull(const MemoryFit& fit) {
    const auto users = usersThatFit(fit);
    return users ? Json(*users) : Json(nullptr);
}

} // namespace

/// Returns the fit of a k that was swept; an empty one for any other k.
MemoryFit memoryAt(const SweepResult& result, int kBits) {
    const auto found = std::ranges::find(result.memory, kBits, &MemoryFit::kBits);
    return found == result.memory.end() ? MemoryFit{} : *found;
}

const SweptPair* pairAt(const SweepResult& result, int kBits) {
    const auto found = std::ranges::find_if(
        result.pairs, [kBits](const SweptPair& pair) { return pair.format.kBits() == kBits; });
    return found == result.pairs.end() ? nullptr : &*found;
}

nlohmann::ordered_json chunkOrNull(Tokens chunk) {
    return chunk > 0 ? Json(chunk) : Json(nullptr);
}

nlohmann::ordered_json pointDocument(const Swept& swept, const SweepPoint& point) {
    const bool closed = swept.request.arrivals.kind == ArrivalKind::Closed;
    Json document = {
        {"users", closed ? Json(point.users) : Json(nullptr)},
        {"chunk", chunkOrNull(point.chunkTokens)},
        {"k", point.kBits},
        {"avg_m", point.averageM.value},
        {"decode_only_fraction", point.decodeOnlyFraction.value},
        {"kernel_share", kernelShares(point.kernelShare)},
        {"time_vs_fp16", point.timeVsFp16.value},
        {"standard_error", point.standardError},
        {"band",
         {{"time_vs_fp16", bandOf(point.timeVsFp16)},
          {"avg_m", bandOf(point.averageM)},
          {"decode_only_fraction", bandOf(point.decodeOnlyFraction)}}},
        {"replicas_time_vs_fp16", point.replicaRatios},
    };
    if (point.timeVsFp16OfRuns) {
        document["band_parts"] = {
            {"time_vs_fp16",
             partsDocument(bandOf(*point.timeVsFp16OfRuns), point.timeVsFp16.value, point.kernelError, z90)}};
    }
    MemoryFit memory = memoryAt(swept.result, point.kBits);
    memory.conversations = closed ? point.users : memory.conversations;
    addMemory(document, memory);
    if (const PublishedUsers* published = publishedAt(swept, point)) {
        document["published"] = {{"avg_m", published->averageM},
                                 {"decode_only_fraction", published->decodeOnlyFraction},
                                 {"time_vs_fp16", published->timeVsFp16},
                                 {"source", studySource}};
    }
    document["settled"] = swept.inputs.base.length.isGiven() ? Json(nullptr) : Json(point.settled);
    if (!closed) {
        document["queue_grows"] = point.queueGrows;
    }
    if (swept.inputs.latencies) {
        document["throughput_tokens_per_s"] = point.throughputTokensPerS.value;
        addLatencies(document, point);
    }
    if (point.against) {
        addAgainst(document, point);
    }
    const SweptPair* const pair = pairAt(swept.result, point.kBits);
    if (pair != nullptr) {
        document["format"] = formatDocument(pair->format);
        document["fits"] = pair->fits && point.fits();
    }
    if (memory.isTooLarge() || !point.fits() || (pair != nullptr && !pair->fits)) {
        withoutFigures(document, {"format", "users", "chunk", "k", "fits", "memory_needed_bytes",
                                  "memory_available_bytes", "fp16_fits", "fp16_shortfall", "published"});
    }
    return document;
}

nlohmann::ordered_json formatsDocument(const SweepResult& result) {
    Json list = Json::array();
    for (std::size_t k = 0; k < result.pairs.size(); ++k) {
        const SweptPair& pair = result.pairs[k];
        list.push_back({{"format", formatDocument(pair.format)},
                        {"fits", pair.fits},
                        {"longest_request_tokens", pair.longest},
                        {"refused_share", pair.refusedShare},
                        {"users_that_fit", usersOrNull(result.memory[k])},
                        {"against",
                         {{"format", formatDocument(pair.againstFormat)},
                          {"fits", pair.againstFits},
                          {"weights_bytes", std::llround(pair.against.weightBytes)},
                          {"longest_request_tokens", pair.againstLongest},
                          {"refused_share", pair.againstRefusedShare},
                          {"users_that_fit", usersOrNull(pair.against)}}}});
    }
    return list;
}

} // namespace loadline::app
