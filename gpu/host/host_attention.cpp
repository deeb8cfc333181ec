#include "gpu/host/host_attention.h"

#include "core/base/random.h"
#include "gpu/host/host_check.h"
#include "gpu/host/host_work.h"
#include "gpu/host/poisoned.h"
#include "gpu/host/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace loadline::gpu {
namespace {

constexpr int headStep = 16;
constexpr int mostHeadDim = 512;
constexpr double tolerance = 1e-5; ///< fp32 sums; scores of some tens

std::int64_t rowHalvesOf(const AttentionHeads& heads) {
    return std::int64_t{heads.kvHeads} * heads.headDim;
}

/// Values of q, and of the result.
double activationsOf(const AttentionCall& call) {
    return static_cast<double>(call.batch) * static_cast<double>(call.queries()) * call.heads.qHeads *
           call.heads.headDim;
}

AttentionJob jobOf(const AttentionCall& call) {
    AttentionJob job;
    job.qHeads = call.heads.qHeads;
    job.kvHeads = call.heads.kvHeads;
    job.headDim = call.heads.headDim;
    job.batch = call.batch;
    job.queries = call.queries();
    job.context = call.keys();
    job.scale = static_cast<float>(std::numbers::log2e / std::sqrt(call.heads.headDim));
    return job;
}

} // namespace

HostAttentionWork::HostAttentionWork(HostRunner& runner, const WeightPool& pool, InstructionSet set,
                                     const AttentionCall& call, const float* q, float* out)
    : runner_(&runner), pool_(&pool), set_(set), rowHalves_(rowHalvesOf(call.heads)),
      contexts_(pool.denseMatricesOf(rowHalves_, call.keys()) / 2), job_(jobOf(call)),
      keys_(static_cast<std::size_t>(call.batch)), values_(keys_.size()) {
    job_.q = q;
    job_.out = out;
}

const AttentionJob& HostAttentionWork::jobAt(std::int64_t place) {
    for (std::int64_t i = 0; i < job_.batch; ++i) {
        const std::int64_t at = (place * job_.batch + i) % contexts_;
        keys_[static_cast<std::size_t>(i)] = pool_->dense(rowHalves_, job_.context, 2 * at).fp16;
        values_[static_cast<std::size_t>(i)] = pool_->dense(rowHalves_, job_.context, 2 * at + 1).fp16;
    }
    job_.keys = keys_.data();
    job_.values = values_.data();
    return job_;
}

void HostAttentionWork::run(std::int64_t place) {
    runner_->run(set_, jobAt(place));
}

HostAttention::HostAttention(HostRunner& runner, WeightPool& pool, InstructionSet set,
                             std::int64_t freeMemoryBytes)
    : runner_(runner), pool_(pool), set_(set), freeMemoryBytes_(freeMemoryBytes) {}

bool HostAttention::supports(const AttentionCall& call) const {
    const AttentionHeads& heads = call.heads;
    const bool divides = heads.kvHeads > 0 && heads.qHeads > 0 && heads.qHeads % heads.kvHeads == 0;
    const bool size = heads.headDim > 0 && heads.headDim <= mostHeadDim && heads.headDim % headStep == 0;
    if (!divides || !size || call.batch < 1 || call.tokens < 1) {
        return false;
    }
    const double third = static_cast<double>(freeMemoryBytes_) / 3;
    const double context = contextBytes(call) / call.batch;
    return freeMemoryBytes_ == 0 || (context <= third && 8 * activationsOf(call) <= third);
}

double HostAttention::guessUs(const AttentionCall& call) const {
    constexpr double callUs = 5;
    const double work = call.phase == AttentionPhase::Prefill
                            ? flopOf(call) * usPerPrefillFlop_
                            : std::max(contextBytes(call) * usPerByte_, flopOf(call) * usPerDecodeFlop_);
    return callUs + work;
}

void HostAttention::reserve(const AttentionCall& call) {
    pool_.reserveDense(rowHalvesOf(call.heads), call.keys(), 1); // at least two such matrices: K and V
}

HostAttentionWork HostAttention::workFor(const AttentionCall& call) {
    reserve(call);
    const auto values = static_cast<std::size_t>(activationsOf(call));
    if (q_.size() < values) {
        q_.resize(values);
        fillUniform(q_, 1);
    }
    out_.resize(std::max(out_.size(), values));
    return {runner_, pool_, set_, call, q_.data(), out_.data()};
}

double HostAttention::trialUs(const AttentionCall& call) {
    HostAttentionWork work = workFor(call);
    work.run(0);
    double best = 1e12;
    for (int place = 1; place < 4; ++place) {
        const auto begin = std::chrono::steady_clock::now();
        work.run(place);
        best = std::min(
            best,
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

void HostAttention::tryOut() {
    const AttentionCall bytes{AttentionPhase::Decode, {8, 8, 128}, 1, 1024};
    usPerByte_ = trialUs(bytes) / contextBytes(bytes);
    const AttentionCall shared{AttentionPhase::Decode, {64, 8, 128}, 1, 512};
    usPerDecodeFlop_ = trialUs(shared) / flopOf(shared);
    const AttentionCall prompt{AttentionPhase::Prefill, {8, 2, 128}, 1, 256};
    usPerPrefillFlop_ = trialUs(prompt) / flopOf(prompt);
}

CheckOutcome HostAttention::check(const AttentionCall& call, std::uint64_t seed) {
    reserve(call);
    const auto perSequence = static_cast<std::size_t>(activationsOf(call)) / call.batch;
    std::vector<float> q(perSequence * static_cast<std::size_t>(call.batch));
    fillUniform(q, seed);
    for (float& value : q) {
        value *= 16; // so that some keys count and others do not
    }
    Poisoned<float> out(q.size());
    HostAttentionWork work(runner_, pool_, set_, call, q.data(), out.data());
    const auto place = static_cast<std::int64_t>(scattered(seed) >> 32U);
    work.run(place);
    const AttentionJob& job = work.jobAt(place);
    std::vector<double> reference;
    const auto halves = static_cast<std::size_t>(call.keys() * rowHalvesOf(call.heads));
    for (std::size_t i = 0; i < static_cast<std::size_t>(call.batch); ++i) {
        const std::vector<double> one = referenceAttention(call.heads, call.queries(), call.keys(),
                                                           std::span(q).subspan(i * perSequence, perSequence),
                                                           {job.keys[i], halves}, {job.values[i], halves});
        reference.insert(reference.end(), one.begin(), one.end());
    }
    const bool written = std::ranges::all_of(out.values(), [](float value) { return std::isfinite(value); });
    return judged(relativeError(out.values(), reference), tolerance, written, out.guardsIntact());
}

std::string HostAttention::nameOf(AttentionPhase phase) const {
    return fmt::format("{} attention, {} (not FlashAttention)",
                       phase == AttentionPhase::Decode ? "simple split-KV" : "simple blocked",
                       gpu::nameOf(set_));
}

} // namespace loadline::gpu
