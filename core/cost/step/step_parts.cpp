// Words of the parts of a step.
#include "core/cost/step/step_parts.h"

namespace loadline {
namespace {

struct StepPartWords {
    std::string_view key, name;
};

constexpr std::array<StepPartWords, stepPartCount> stepPartWords = {{
    {"attention_gemms", "attention GEMMs"},
    {"feed_forward", "feed-forward"},
    {"experts", "experts"},
    {"small_kernels", "small kernels"},
    {"all_reduce", "all-reduce"},
    {"decode_attention", "decode attention"},
    {"prefill_attention", "prefill attention"},
    {"head", "logits"},
}};

} // namespace

std::string_view keyOf(ServedPart part) {
    return stepPartWords[static_cast<std::size_t>(part)].key;
}

std::string_view nameOf(ServedPart part) {
    return stepPartWords[static_cast<std::size_t>(part)].name;
}

} // namespace loadline
