// The rates that bound every kernel on this CPU: reading, copying, writing memory, and multiplying.
#pragma once

#include "core/cost/profile/profile.h"
#include "gpu/host/host_runner.h"
#include "gpu/host/machine/undisturbed.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace loadline::gpu {

/// Each rate is measured in pieces of a millisecond at most, on threads that do not wait for each other;
/// those during which another program had the processor are left out. A thread's rate is that of its fastest
/// tenth, so that no single lucky piece decides; the ceiling is the sum over the threads.
class HostCeilings {
public:
    struct Machine {
        InstructionSet set = InstructionSet::Portable;
        unsigned threads = 1;
        std::uint64_t seed = 1;
    };

    HostCeilings(const Machine& machine, std::stop_token stop) : machine_(machine), stop_(std::move(stop)) {}

    /// Pieces rotate over the words. Copying at some rate reads at half of it: the read ceiling is never
    /// less.
    void measureMemory(const AlignedVector<std::uint32_t>& words);
    /// The smallest call on the pool's threads.
    void measureEmptyCall(WorkerPool& pool, const std::function<void()>& call);
    void measureOwnGemm();
    /// Precondition: the runner has OpenBLAS, whose own threads nobody watches.
    void measureOpenBlas(HostRunner& runner);

    /// "read_gb_s", "read_median_gb_s", ..., "gemm_tflop_s": the best of both GEMMs.
    [[nodiscard]] Facts facts() &&;
    /// True if no piece of some thread was left alone: rates may be too low.
    [[nodiscard]] bool disturbed() const { return disturbed_; }

private:
    /// Rates of all threads together.
    struct Rate {
        double most = 0;
        double median = 0;
    };

    Rate rateOf(double amount, const std::function<void(unsigned thread, std::size_t piece)>& body);
    void addGbS(const std::string& name, const Rate& rate);
    void addGemm(const char* name, double tflops);
    void set(const std::string& name, double value);

    Machine machine_;
    std::stop_token stop_;
    Facts facts_;
    double gemm_ = 0;
    bool disturbed_ = false;
};

} // namespace loadline::gpu
