// Writes lines, or paints over one.
#include "app/cli/bench/bench_teller.h"

#include "app/cli/bench/bench_text.h"
#include "app/cli/help/command.h"
#include "app/cli/terminal/output.h"
#include "core/text/text_table.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>
#include <unistd.h>

namespace loadline::app {
namespace {

constexpr auto paintEvery = std::chrono::milliseconds(100);
constexpr std::size_t lineWidth = 100;

} // namespace

BenchTeller::BenchTeller(bool jsonLines, std::stop_source stop)
    : jsonLines_(jsonLines), stop_(std::move(stop)), terminal_(::isatty(STDERR_FILENO) != 0) {}

BenchTeller::~BenchTeller() {
    if (painted_) {
        paintLine("");
    }
}

void BenchTeller::operator()(const BenchEvent& event) {
    if (jsonLines_) {
        if (allWritten_ && printJsonText(toJsonLine(event)) != exitDone) {
            allWritten_ = false;
            stop_.request_stop();
        }
        return;
    }
    if (const auto* progress = std::get_if<BenchProgress>(&event)) {
        paint(*progress);
    } else if (const auto* failure = std::get_if<BenchCheckFailure>(&event)) {
        sayAside(fmt::format("{}, {}, M = {}: {}; it is not timed", nameOf(failure->kernel),
                             textOf(failure->size), failure->rowsM, failure->what));
    } else if (const auto* remark = std::get_if<BenchRemark>(&event)) {
        sayAside(remark->sentence);
    }
}

void BenchTeller::paint(const BenchProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || (painted_ && now - lastPainted_ < paintEvery)) {
        return;
    }
    lastPainted_ = now;
    painted_ = true;
    paintLine(shortened(visibleText(progressText(progress)), lineWidth));
}

void BenchTeller::sayAside(const std::string& sentence) {
    if (painted_) {
        paintLine("");
        painted_ = false;
    }
    say("loadline: " + sentence);
}

} // namespace loadline::app
