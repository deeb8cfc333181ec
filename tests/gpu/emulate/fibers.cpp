// Fibers by ucontext, taken in turns.
#include "tests/gpu/emulate/fibers.h"

#include <ucontext.h>

#include <algorithm>
#include <cstdint>

namespace loadline::gpu::emulate {

namespace {
constexpr std::size_t stackBytes = 128 * 1024;
constexpr int warpSize = 32;
} // namespace

struct Fibers::Fiber {
    ucontext_t context{};
    std::unique_ptr<char[]> stack;
    bool done = false;
};

Fibers::Fibers() : scheduler_(std::make_unique<Fiber>()) {}
Fibers::~Fibers() = default;

void Fibers::enter(unsigned high, unsigned low) {
    const auto address = static_cast<std::uintptr_t>(high) << 32U | low;
    // makecontext passes ints only
    auto* self = reinterpret_cast<Fibers*>(address); // NOLINT(performance-no-int-to-ptr)
    const int me = self->current_;
    (*self->body_)(me);
    self->fibers_[static_cast<std::size_t>(me)]->done = true;
    self->progressed_ = true;
}

void Fibers::prepare(Fiber& fiber) {
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    fiber.done = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = &scheduler_->context;
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(&Fibers::enter), 2,
                static_cast<unsigned>(address >> 32U), static_cast<unsigned>(address));
}

void Fibers::begin(int count, const std::function<void(int)>& body) {
    body_ = &body;
    count_ = running_ = count;
    for (int i = 0; i < count; ++i) {
        if (static_cast<std::size_t>(i) == fibers_.size()) {
            fibers_.push_back(std::make_unique<Fiber>());
            fibers_.back()->stack = std::make_unique_for_overwrite<char[]>(stackBytes);
        }
        prepare(*fibers_[static_cast<std::size_t>(i)]);
    }
}

std::string Fibers::run(int count, Order order, const std::function<void(int)>& body) {
    begin(count, body);
    const int warps = (count + warpSize - 1) / warpSize;
    while (running_ > 0) {
        bool moved = false;
        for (int i = 0; i < warps; ++i) {
            while (turn(order == Order::Rising ? i : warps - 1 - i, order)) {
                moved = true;
            }
        }
        if (running_ > 0 && !moved) {
            return std::to_string(running_) + " threads of " + std::to_string(count) + " wait for ever";
        }
    }
    return {};
}

bool Fibers::turn(int warp, Order order) {
    const int begin = warp * warpSize;
    const int end = std::min(count_, begin + warpSize);
    progressed_ = false;
    for (int i = begin; i < end; ++i) {
        current_ = order == Order::Rising ? i : end - 1 - (i - begin);
        Fiber& fiber = *fibers_[static_cast<std::size_t>(current_)];
        if (!fiber.done) {
            swapcontext(&scheduler_->context, &fiber.context);
            running_ -= fiber.done ? 1 : 0;
        }
    }
    return progressed_;
}

void Fibers::yield() {
    swapcontext(&fibers_[static_cast<std::size_t>(current_)]->context, &scheduler_->context);
}

} // namespace loadline::gpu::emulate
