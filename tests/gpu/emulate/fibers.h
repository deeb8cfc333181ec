// Threads of one block as fibers on one thread of the host: deterministic, in an order of choice.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadline::gpu::emulate {

/// The order in which warps, and threads within one, get their turn. Each warp runs as far as barriers let it
/// before the next one moves. What a kernel computes must not depend on the order: a missing barrier shows in
/// one of the two.
enum class Order { Rising, Falling };

/// Runs `count` copies of `body` to their end, 32 to a warp, switching only where one waits.
class Fibers {
public:
    Fibers();
    ~Fibers();
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;

    /// Returns "", or why the fibers cannot go on: they wait for one another for ever.
    std::string run(int count, Order order, const std::function<void(int)>& body);
    /// Called by a fiber: lets the others run.
    void yield();
    /// Called by whoever opens a barrier: the others can go on.
    void progress() { progressed_ = true; }
    int current() const { return current_; }

private:
    struct Fiber;
    /// Lets a fiber begin at enter.
    void prepare(Fiber& fiber);
    static void enter(unsigned high, unsigned low);
    /// Turns for the fibers of one warp until none gets on; whether any did.
    bool runWarp(int begin, int end, Order order, int& running);

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::unique_ptr<Fiber> scheduler_;
    const std::function<void(int)>* body_ = nullptr;
    int current_ = 0;
    bool progressed_ = false;
};

} // namespace loadline::gpu::emulate
