// Threads of one block as fibers on one thread of the host: deterministic, in an order of choice.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadline::gpu::emulate {

/// The order in which blocks, warps, and threads within one, get their turn. Rising, Falling: each block to
/// its end, each warp as far as barriers let it before the next one moves. Mixed: several blocks at a time,
/// begun in random order; a random warp of one of them moves up to its next barrier, exchange or atomic. What
/// a kernel computes must not depend on the order: a missing barrier shows in one of the first two, an order
/// between blocks that nobody promised in the third.
enum class Order { Rising, Falling, Mixed };

/// Runs `count` copies of `body` to their end, 32 to a warp, switching only where one waits.
class Fibers {
public:
    Fibers();
    ~Fibers();
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;

    /// Returns "", or why the fibers cannot go on: they wait for one another for ever.
    std::string run(int count, Order order, const std::function<void(int)>& body);
    /// The same in steps: `body` must live until the last fiber has ended.
    void begin(int count, const std::function<void(int)>& body);
    int running() const { return running_; }
    /// One turn for each fiber of a warp; whether any got on.
    bool turn(int warp, Order order);
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

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::unique_ptr<Fiber> scheduler_;
    const std::function<void(int)>* body_ = nullptr;
    int count_ = 0;
    int running_ = 0;
    int current_ = 0;
    bool progressed_ = false;
};

} // namespace loadline::gpu::emulate
