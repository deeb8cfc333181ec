// Points problems at the pool's weights.
#include "gpu/host/host_work.h"

#include "core/base/parallel_for.h"
#include "core/base/random.h"

#include <algorithm>

namespace loadline::gpu {
namespace {

KBitShape shapeOf(const PointSpec& spec) {
    return {spec.size.k, spec.size.n, spec.kBits};
}

} // namespace

void reserveFor(WeightPool& pool, const PointSpec& spec) {
    if (readsKBits(spec.kernel)) {
        pool.reserve(shapeOf(spec), spec.experts);
    } else {
        pool.reserveDense(spec.size.k, spec.size.n, spec.experts);
    }
}

void fillUniform(std::span<float> values, std::uint64_t seed) {
    constexpr std::size_t part = std::size_t{1} << 18;
    const RandomStream random(seed);
    parallelFor((values.size() + part - 1) / part, 0, {}, [&](std::size_t index, unsigned) {
        for (std::size_t i = index * part; i < std::min(values.size(), (index + 1) * part); ++i) {
            values[i] = static_cast<float>(static_cast<std::int32_t>(random.at(i) >> 32U)) * 0x1p-31F;
        }
    });
}

HostWork::HostWork(HostRunner& runner, const WeightPool& pool, const HostKernel& kernel,
                   const PointSpec& spec, const HostPlaces& at, std::int64_t mostPlaces)
    : runner_(runner), pool_(pool), kernel_(kernel), spec_(spec), at_(at),
      problems_(static_cast<std::size_t>(spec.experts)) {
    const std::int64_t matrices = readsKBits(spec.kernel) ? pool.matricesOf(shapeOf(spec))
                                                          : pool.denseMatricesOf(spec.size.k, spec.size.n);
    places_ = std::clamp<std::int64_t>(matrices / spec.experts, 1, mostPlaces);
    if (const auto second = hostSecondOf(spec.kernel)) {
        second_ = HostKernel{*second, kernel.set};
    }
}

std::span<const HostProblem> HostWork::problemsAt(std::int64_t place) {
    const std::int64_t first = place % places_ * spec_.experts;
    for (std::int64_t expert = 0; expert < spec_.experts; ++expert) {
        HostProblem& problem = problems_[static_cast<std::size_t>(expert)];
        problem.rowsM = spec_.rowsM;
        problem.x = at_.x + expert * spec_.rowsM * spec_.size.k;
        problem.y = at_.y + expert * spec_.rowsM * spec_.size.n;
        if (readsKBits(spec_.kernel)) {
            problem.packed = pool_.packed(shapeOf(spec_), first + expert);
            problem.out.fp16 = at_.out + expert * spec_.size.k * spec_.size.n;
            if (second_) {
                problem.dense = {};
                problem.dense.k = spec_.size.k;
                problem.dense.n = spec_.size.n;
                problem.dense.fp16 = problem.out.fp16;
            }
        } else {
            problem.dense = pool_.dense(spec_.size.k, spec_.size.n, first + expert);
        }
    }
    return problems_;
}

void HostWork::run(std::int64_t place) {
    const std::span<const HostProblem> problems = problemsAt(place);
    runner_.run(kernel_, problems);
    if (second_) {
        runner_.run(*second_, problems);
    }
}

} // namespace loadline::gpu
