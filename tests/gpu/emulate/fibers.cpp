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
    std::vector<char> stack;
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
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = &scheduler_->context;
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(&Fibers::enter), 2,
                static_cast<unsigned>(address >> 32U), static_cast<unsigned>(address));
}

std::string Fibers::run(int count, Order order, const std::function<void(int)>& body) {
    body_ = &body;
    for (int i = 0; i < count; ++i) {
        if (static_cast<std::size_t>(i) == fibers_.size()) {
            fibers_.push_back(std::make_unique<Fiber>());
            fibers_.back()->stack.resize(stackBytes);
        }
        prepare(*fibers_[static_cast<std::size_t>(i)]);
    }
    const int warps = (count + warpSize - 1) / warpSize;
    int running = count;
    while (running > 0) {
        const int before = running;
        bool moved = false;
        for (int turn = 0; turn < warps; ++turn) {
            const int warp = order == Order::Rising ? turn : warps - 1 - turn;
            moved = runWarp(warp * warpSize, std::min(count, (warp + 1) * warpSize), order, running) || moved;
        }
        if (running > 0 && running == before && !moved) {
            return std::to_string(running) + " threads of " + std::to_string(count) + " wait for ever";
        }
    }
    return {};
}

bool Fibers::runWarp(int begin, int end, Order order, int& running) {
    bool moved = false;
    do {
        progressed_ = false;
        for (int turn = begin; turn < end; ++turn) {
            current_ = order == Order::Rising ? turn : end - 1 - (turn - begin);
            Fiber& fiber = *fibers_[static_cast<std::size_t>(current_)];
            if (!fiber.done) {
                swapcontext(&scheduler_->context, &fiber.context);
                running -= fiber.done ? 1 : 0;
            }
        }
        moved = moved || progressed_;
    } while (progressed_);
    return moved;
}

void Fibers::yield() {
    swapcontext(&fibers_[static_cast<std::size_t>(current_)]->context, &scheduler_->context);
}

} // namespace loadline::gpu::emulate
