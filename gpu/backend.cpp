// Answers of a device that has no attention.
#include "gpu/backend.h"

namespace loadline::gpu {
namespace {

Error noAttention(const AttentionCall& call) {
    return {"this device has no kernel for attention", textOf(call), "another device"};
}

} // namespace

Result<CheckOutcome> Backend::checkAttention(const AttentionCall& call, std::uint64_t /*seed*/) {
    return noAttention(call);
}

Result<std::unique_ptr<PreparedPoint>> Backend::prepareAttention(const AttentionCall& call,
                                                                 const Rotation& /*rotation*/) {
    return noAttention(call);
}

} // namespace loadline::gpu
