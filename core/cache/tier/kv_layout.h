// What an engine's KV cache takes: a model, over how many GPUs, in which precision.
#pragma once

#include "core/cache/split/cache_model.h"
#include "core/text/parse_number.h"

namespace loadline {

inline constexpr NumberRange<int> tensorParallelRange{1, 1024};
inline constexpr NumberRange<double> bytesPerKvValue{0.25, 8};

struct KvLayout {
    const CacheModel* model = &cacheModels().front(); ///< never null
    int tensorParallel = 1;
    double bytesPerValue = 2;

    /// By which a long sequence grows, over all GPUs: copies that tensor parallelism makes are counted.
    [[nodiscard]] double bytesPerToken() const {
        return kvBytesPerToken(*model, tensorParallel, bytesPerValue);
    }

    [[nodiscard]] double copies() const {
        return bytesPerToken() / kvBytesPerToken(*model, 1, bytesPerValue);
    }

    /// Of a sequence, windows and recurrent states as they are; of states there is one copy.
    [[nodiscard]] double bytesOf(double tokens) const {
        const double state = model->attention.stateBytes;
        return (kvBytesOf(*model, tokens, bytesPerValue) - state) * copies() + state;
    }
};

} // namespace loadline
