// Fibers by ucontext, taken in turns.
#include "tests/gpu/emulate/fibers.h"

#include <ucontext.h>

#include <cstdint>

namespace loadline::gpu::emulate {

namespace {
constexpr std::size_t stackBytes = 128 * 1024;
}

struct Fibers::Fiber {
    ucontext_t context{};
    std::vector<char> stack;
    bool done = false;
};

Fibers::Fibers() : scheduler_(std::make_unique<Fiber>()) {}
Fibers::~Fibers() = default;

void Fibers::enter(unsigned high, unsigned low) {
    const auto address = static_cast<std::uintptr_t>(high) << 32U | low;
    auto* self = reinterpret_cast<Fibers*>(address); // makecontext passes ints only
    const int me = self->current_;
    (*self->body_)(me);
    self->fibers_[static_cast<std::size_t>(me)]->done = true;
    self->progressed_ = true;
}

std::string Fibers::run(int count, Order order, const std::function<void(int)>& body) {
    body_ = &body;
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    for (int i = 0; i < count; ++i) {
        if (static_cast<std::size_t>(i) == fibers_.size()) {
            fibers_.push_back(std::make_unique<Fiber>());
            fibers_.back()->stack.resize(stackBytes);
        }
        Fiber& fiber = *fibers_[static_cast<std::size_t>(i)];
        fiber.done = false;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.data();
        fiber.context.uc_stack.ss_size = fiber.stack.size();
        fiber.context.uc_link = &scheduler_->context;
        makecontext(&fiber.context, reinterpret_cast<void (*)()>(&Fibers::enter), 2,
                    static_cast<unsigned>(address >> 32U), static_cast<unsigned>(address));
    }
    int running = count;
    while (running > 0) {
        progressed_ = false;
        running = 0;
        for (int turn = 0; turn < count; ++turn) {
            current_ = order == Order::Rising ? turn : count - 1 - turn;
            Fiber& fiber = *fibers_[static_cast<std::size_t>(current_)];
            if (!fiber.done) {
                swapcontext(&scheduler_->context, &fiber.context);
                running += fiber.done ? 0 : 1;
            }
        }
        if (running > 0 && !progressed_) {
            return std::to_string(running) + " threads of " + std::to_string(count) + " wait for ever";
        }
    }
    return {};
}

void Fibers::yield() {
    swapcontext(&fibers_[static_cast<std::size_t>(current_)]->context, &scheduler_->context);
}

} // namespace loadline::gpu::emulate
