// Out of memory, dead engines.
//
// Read against the messages of vLLM ("EngineCore encountered a fatal error."), PyTorch ("CUDA out of memory.
// Tried to allocate"), SGLang ("Scheduler hit an exception"), ggml ("cudaMalloc failed: out of memory"),
// Ollama ("llama runner process has terminated"), HIP, NCCL ("NCCL error"), the driver ("NVRM: Xid"), Metal
// and Linux ("Out of memory: Killed process").
#include "core/serverlog/format/failures.h"

#include "core/serverlog/read/log_assembly.h"

#include <algorithm>
#include <string>
#include <utility>

namespace loadline::failures {

namespace {

constexpr std::size_t longestDetail = 120; ///< bytes of a line that an event keeps

struct LastFailure {
    LogLine where; ///< line 0: none
};

} // namespace

bool match(std::string_view line, std::size_t anchor, LogMatch& match) {
    constexpr std::size_t farthest = 400; // further on a line quotes what it was sent
    for (const std::string_view quoting : {"prompt: ", "\"content\"", "Received request", "POST to "}) {
        if (line.substr(0, anchor).find(quoting) != std::string_view::npos) {
            return false;
        }
    }
    return anchor < farthest && matchRestOfLine(line, anchor, match);
}

void take(LogAssembly& a, const LogMatch& m) {
    constexpr std::uint64_t traceback = 400; // lines
    const LogLine last = std::exchange(a.memory.of<LastFailure>().where, a.where);
    if (last.line > 0 && last.file == a.where.file && a.where.line < last.line + traceback) {
        const auto before =
            std::find_if(a.log.events.rbegin(), a.log.events.rend(),
                         [](const LogEvent& event) { return event.kind == LogEventKind::Failure; });
        // The last line of a traceback names the error that its first line announces.
        if (before != a.log.events.rend() && before->detail.find("Traceback") != std::string::npos) {
            before->detail = std::string(m[0].substr(0, longestDetail));
        }
        return;
    }
    a.addEvent(LogEventKind::Failure, notTold, std::string(m[0].substr(0, longestDetail)));
}

void takeRefused(LogAssembly& a, const LogMatch& m) {
    a.addEvent(LogEventKind::Refused, notTold, std::string(m[0].substr(0, longestDetail)));
}

} // namespace loadline::failures
