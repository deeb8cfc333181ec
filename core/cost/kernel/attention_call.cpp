// Words and work of an attention call.
#include "core/cost/kernel/attention_call.h"

#include "core/text/enum_words.h"

#include <fmt/format.h>

namespace loadline {

std::string_view keyOf(AttentionPhase phase) {
    return phase == AttentionPhase::Decode ? "decode" : "prefill";
}

std::optional<AttentionPhase> attentionPhaseFromKey(std::string_view key) {
    return withKey(key, AttentionPhase::Prefill);
}

double contextBytes(const AttentionCall& call) {
    constexpr double bytesOfBoth = 4; // K and V in fp16
    return bytesOfBoth * call.batch * static_cast<double>(call.keys()) * call.heads.kvHeads *
           call.heads.headDim;
}

double flopOf(const AttentionCall& call) {
    const auto tokens = static_cast<double>(call.tokens);
    const double pairs = call.phase == AttentionPhase::Decode ? tokens + 1 : tokens * (tokens + 1) / 2;
    return attentionFlopPerPair * call.batch * pairs * call.heads.qHeads * call.heads.headDim;
}

std::string textOf(const AttentionCall& call) {
    return fmt::format("{} attention, {} query and {} KV heads of {}, {} {} of {} tokens", keyOf(call.phase),
                       call.heads.qHeads, call.heads.kvHeads, call.heads.headDim, call.batch,
                       call.batch == 1 ? "sequence" : "sequences", call.tokens);
}

} // namespace loadline
