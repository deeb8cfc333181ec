// One call of a host kernel, or of a pair of them, over pool weights, ready to run again and again.
#pragma once

#include "gpu/backend.h"
#include "gpu/host/host_runner.h"
#include "gpu/host/weight_pool.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadline::gpu {

/// Makes the pool large enough for the point.
void reserveFor(WeightPool& pool, const PointSpec& spec);
/// Values uniform in [-1, 1).
void fillUniform(std::span<float> values, std::uint64_t seed);

/// Activations of a call and its result: [experts][rowsM][k], [experts][rowsM][n]; for dequantising
/// [experts][n][k], from which a pair's GEMM reads its weights.
struct HostPlaces {
    const float* x = nullptr;
    float* y = nullptr;
    std::uint16_t* out = nullptr;
};

/// A call on the pool's weights. Precondition: reserveFor, and the pool is not asked for more until the last
/// run.
class HostWork {
public:
    HostWork(HostRunner& runner, const WeightPool& pool, const HostKernel& kernel, const PointSpec& spec,
             const HostPlaces& at, std::int64_t mostPlaces);

    /// Returns the number of calls before weights come again: as many as fit the pool, `mostPlaces` at most.
    [[nodiscard]] std::int64_t places() const { return places_; }

    /// Runs the call on the weights at `place` modulo places().
    void run(std::int64_t place);
    /// The problems of that call, one for each expert.
    [[nodiscard]] std::span<const HostProblem> problemsAt(std::int64_t place);

private:
    HostRunner& runner_;
    const WeightPool& pool_;
    HostKernel kernel_;
    std::optional<HostKernel> second_; ///< of a pair
    PointSpec spec_;
    HostPlaces at_;
    std::int64_t places_ = 1;
    std::vector<HostProblem> problems_;
};

} // namespace loadline::gpu
