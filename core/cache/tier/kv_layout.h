// Size of an engine's KV cache: a model, over how many GPUs, in which precision.
#pragma once

#include "core/cache/split/cache_model.h"
#include "core/cache/tier/cache_tiers.h"
#include "core/text/parse_number.h"

namespace loadline {

inline constexpr NumberRange<int> tensorParallelRange{1, 1024};
inline constexpr NumberRange<double> bytesPerKvValue{0.25, 8};

struct KvLayout {
    const CacheModel* model = &cacheModels().front(); ///< never null
    int tensorParallel = 1;
    double bytesPerValue = 2;
    /// False: the layout of a tier off the GPUs. Every GPU of a replica keeps a whole latent (MLA), and one
    /// of them is stored; heads that tensor parallelism repeats are stored as often (Mooncake's table of
    /// Qwen3-235B).
    bool onGpu = true;

    /// Returns the bytes by which a long sequence grows with each token, over all GPUs: copies that tensor
    /// parallelism makes are counted.
    [[nodiscard]] double bytesPerToken() const {
        const bool oneCopy = !onGpu && model->latentValues > 0;
        return kvBytesPerToken(*model, oneCopy ? 1 : tensorParallel, bytesPerValue);
    }

    [[nodiscard]] double copies() const {
        return bytesPerToken() / kvBytesPerToken(*model, 1, bytesPerValue);
    }

    /// Returns the bytes of a sequence, with windows and recurrent states as they are; of states there is one
    /// copy.
    [[nodiscard]] double bytesOf(double tokens) const {
        const double state = model->attention.stateBytes;
        return (kvBytesOf(*model, tokens, bytesPerValue) - state) * copies() + state;
    }
};

/// The layout as this tier keeps it.
inline KvLayout layoutIn(KvLayout layout, const CacheTier& tier) {
    layout.onGpu = tier.onGpu;
    return layout;
}

inline KvLayout layoutOffGpu(KvLayout layout) {
    layout.onGpu = false;
    return layout;
}

} // namespace loadline
