// Paints the progress of a long command over and over on one line of the terminal.
#include "app/cli/terminal/progress_line.h"

#include "app/cli/terminal/output.h"
#include "core/text/number_format.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace loadline::app {

std::string progressText(const std::string& verb, std::uint64_t done, std::uint64_t total,
                         std::int64_t elapsedMs) {
    std::string text = verb + " " + formatBytes(done);
    if (total > 0) {
        text += " of " + formatBytes(total);
    }
    if (done == 0 || elapsedMs <= 0) {
        return text;
    }
    const double bytesPerMs = static_cast<double>(done) / static_cast<double>(elapsedMs);
    text += ", " + formatBytes(static_cast<std::uint64_t>(bytesPerMs * 1000)) + "/s";
    if (total > done) {
        text += ", " +
                formatDuration(static_cast<std::int64_t>(static_cast<double>(total - done) / bytesPerMs)) +
                " left";
    }
    return text;
}

ProgressLine::ProgressLine(std::string verb, const Progress& progress)
    : ProgressLine([verb = std::move(verb), &progress](std::int64_t elapsedMs) {
          return progressText(verb, progress.bytesDone.load(), progress.bytesTotal.load(), elapsedMs);
      }) {}

ProgressLine::ProgressLine(std::function<std::string(std::int64_t elapsedMs)> text) {
    if (::isatty(STDERR_FILENO) == 0) {
        return;
    }
    painter_ = std::jthread([text = std::move(text)](std::stop_token stop) {
        using namespace std::chrono;
        const auto start = steady_clock::now();
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        // The first wait keeps short work silent.
        while (!ended.wait_for(lock, stop, milliseconds(250), [&stop] { return stop.stop_requested(); })) {
            const auto elapsed = duration_cast<milliseconds>(steady_clock::now() - start).count();
            paintLine(text(elapsed));
        }
        paintLine("");
    });
}

ProgressLine::~ProgressLine() = default;

} // namespace loadline::app
