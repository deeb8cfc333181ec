// Servers on MLX that tell the progress of prompts: mlx_lm.server (and its command) and mlx-openai-server.
//
// Read against excerpts of cubist38/mlx-openai-server 137 and of public session notes with mlx_lm.server's
// log of 2026 (two prompts at a time, "Prompt Cache") and of MLX Manager (2026, "KV Caches").
#include "core/serverlog/format/being_served.h"
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loadline {
namespace {

bool matchDateTime(TextCursor& c) {
    std::string_view d;
    return c.digits(d, 4) && c.skip("-") && c.digits(d, 2) && c.skip("-") && c.digits(d, 2) && c.skip(" ") &&
           c.digits(d, 2) && c.skip(":") && c.digits(d, 2) && c.skip(":") && c.digits(d, 2);
}

bool matchProgress(std::string_view line, std::size_t at, LogMatch& m) {
    constexpr std::size_t before = 33; // "2026-08-21 17:06:28,049 - INFO - "
    auto& g = m.groups;
    std::string_view milliseconds;
    if (at < before) {
        return false;
    }
    TextCursor c(line, at - before);
    const bool there = matchDateTime(c) && c.skip(",") && c.digits(milliseconds, 3) && c.skip(" - INFO - ") &&
                       c.skip("Prompt processing progress: ") && c.digits(g[1]) && c.skip("/") &&
                       c.digits(g[2]);
    g[0] = line.substr(at - before, 23);
    m.begin = at - before;
    m.end = c.at();
    return there;
}

/// Matches the line of older versions: without milliseconds.
bool matchPlainProgress(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    const bool there = c.skip("Prompt processing progress: ") && c.digits(m.groups[1]) && c.skip("/") &&
                       c.digits(m.groups[2]);
    m.begin = at;
    m.end = c.at();
    LogMatch full;
    return there && !matchProgress(line, at, full);
}

bool matchMlxCache(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    constexpr std::string_view level = "- INFO - ";
    TextCursor c(line, at);
    const bool there = endsBefore(line, at, level) &&
                       ((c.skip("Prompt Cache: ") && c.digits(g[0]) && c.skip(" sequences")) ||
                        (c.skip("KV Caches: ") && c.digits(g[1]) && c.skip(" seq"))) &&
                       c.skip(", ") && c.number(g[2]) && c.skip(" GB");
    m.begin = at - (there ? level.size() : 0);
    m.end = c.at();
    return there;
}

bool matchAccess(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    g[0] = line.substr(0, at);
    std::string_view d;
    std::string_view month;
    if (at == 0 || std::ranges::any_of(g[0], isBlank)) {
        return false;
    }
    TextCursor c(line, at);
    const bool date = c.skip(" - - [") && c.digits(d, 2) && c.skip("/") && line.size() > c.at() + 3 &&
                      std::ranges::all_of(line.substr(c.at(), 3), isWordLetter);
    if (!date) {
        return false;
    }
    c = TextCursor(line, c.at() + 3);
    const bool there = c.skip("/") && c.digits(d, 4) && c.skip(" ") && c.digits(d, 2) && c.skip(":") &&
                       c.digits(d, 2) && c.skip(":") && c.digits(d, 2) && c.skip("] \"") && c.word(g[2]) &&
                       c.skip(" ") && c.text(g[3]) && c.skip(" HTTP/") && c.number(month) && c.skip("\" ") &&
                       c.digits(g[4], 3);
    g[1] = line.substr(at + 6, 20);
    m.end = c.at();
    return there;
}

bool matchProcessed(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    if (!c.skip("Processed") || !c.skipBlanks(1) || !c.digits(g[1]) || !c.skip("/") || !c.digits(g[2]) ||
        !c.skip(" tokens (") || !c.skipBlanks() || !c.number(g[3]) || !c.skip(" tok/s)")) {
        return false;
    }
    m.end = c.at();
    for (std::size_t i = line.find(" |"); i != std::string_view::npos && i < at; i = line.find(" |", i + 1)) {
        constexpr std::size_t bytes = 19;
        TextCursor time(line, i < bytes ? 0 : i - bytes);
        if (i >= bytes && matchDateTime(time)) {
            m.begin = i - bytes;
            g[0] = line.substr(m.begin, bytes);
            return true;
        }
    }
    return false;
}

bool matchCommand(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    const bool there = (c.skip("Prompt: ") || c.skip("Generation: ")) && c.digits(g[0]) &&
                       c.skip(" tokens, ") && c.number(g[1]) && c.skip(" tokens-per-sec");
    m.begin = at;
    m.end = c.at();
    return there;
}

struct Prompt {
    double total = 0;
    double done = 0;
    double lastS = notTold;  ///< when that much was done
    double beganS = notTold; ///< when nothing of it was done
    std::size_t request = LogAssembly::none;
};

/// How much of which length is done.
struct Prompts {
    std::vector<Prompt> open;
    std::vector<std::size_t> begun;    ///< requests whose prompts have not begun
    std::vector<std::size_t> decoding; ///< whose prompts are done
    double emptyCacheAt = notTold;

    static Prompts& in(LogAssembly& a) { return a.memory.of<Prompts>(); }

    void shiftTimes(double seconds) {
        for (Prompt& prompt : open) {
            prompt.lastS += seconds;
        }
        emptyCacheAt += seconds;
    }
};

void finishPrompt(LogAssembly& a, const Prompt& prompt) {
    Prompts& prompts = Prompts::in(a);
    LogRequest& request = a.request(prompt.request);
    request.firstTokenS = prompt.lastS;
    request.prefillS = prompt.lastS - (isTold(prompt.beganS) ? prompt.beganS : request.arrivalS);
    if (prompts.emptyCacheAt >= request.arrivalS) { // nothing of it could be cached
        request.inputTokens = prompt.total;
        request.cachedTokens = 0;
    }
    prompts.decoding.push_back(prompt.request);
}

/// No line tells that an answer is complete: requests whose prompts are done are over when another is taken,
/// at the latest where the server serves one at a time.
void boundDecoding(LogAssembly& a) {
    Prompts& prompts = Prompts::in(a);
    constexpr double unseen = 5; // older versions do not write of a prompt's last tokens
    std::erase_if(prompts.open, [&](const Prompt& prompt) {
        const bool done = prompt.total - prompt.done <= unseen;
        if (done) {
            finishPrompt(a, prompt);
        }
        return done;
    });
    for (const std::size_t index : prompts.decoding) {
        LogRequest& request = a.request(index);
        request.endInferred = request.endInferred || !isTold(request.endS);
        request.endS = isTold(request.endS) ? request.endS : a.now;
    }
    prompts.decoding.clear();
}

/// The prompt of this length, of which as much was done before, or a new one.
Prompt& promptOf(LogAssembly& a, double total, double done) {
    Prompts& prompts = Prompts::in(a);
    auto& open = prompts.open;
    const auto found = std::ranges::find_if(
        open, [&](const Prompt& prompt) { return prompt.total == total && prompt.done <= done && done > 0; });
    if (found != open.end()) {
        return *found;
    }
    constexpr std::size_t mostOpen = 256;
    if (open.size() >= mostOpen) {
        open.erase(open.begin());
    }
    Prompt prompt{.total = total};
    if (prompts.begun.empty()) {
        boundDecoding(a);
        prompt.request = a.addRequest();
        a.request(prompt.request).arrivalS = done == 0 ? a.now : notTold;
    } else {
        prompt.request = prompts.begun.front();
        prompts.begun.erase(prompts.begun.begin());
        LogRequest& begun = a.request(prompt.request);
        if (isTold(begun.endS)) { // its access line was written with the answer's head
            begun.arrivalS = begun.endS;
            begun.endS = notTold;
            begun.end = RequestEnd::NotTold;
        }
    }
    open.push_back(prompt);
    return open.back();
}

void takeProgress(LogAssembly& a, const LogMatch& m) {
    const double done = numberOf(m[1]);
    const double total = numberOf(m[2]);
    Prompt& prompt = promptOf(a, total, done);
    prompt.done = done;
    prompt.lastS = a.now;
    prompt.beganS = done == 0 ? a.now : prompt.beganS;
    a.touch(prompt.request);
    a.addProgress({.request = prompt.request,
                   .ofPrompt = true,
                   .tokens = done,
                   .ofTokens = total,
                   .tokensPerS = done > 0 ? numberOf(m[3]) : notTold});
    if (done >= total) {
        finishPrompt(a, prompt);
        auto& open = Prompts::in(a).open;
        open.erase(open.begin() + (&prompt - open.data()));
    }
}

/// The next prompt that begins is its own.
void addBegun(LogAssembly& a, std::size_t index) {
    Prompts& prompts = Prompts::in(a);
    constexpr std::size_t mostWaiting = 256;
    if (prompts.begun.size() >= mostWaiting) {
        prompts.begun.erase(prompts.begun.begin());
    }
    prompts.begun.push_back(index);
}

/// mlx_lm.server tells its cache when it takes a request; of a streamed answer the access line comes before.
void takeCache(LogAssembly& a, const LogMatch& m) {
    Prompts& prompts = Prompts::in(a);
    constexpr double sameS = 1; // access lines tell whole seconds
    boundDecoding(a);
    const auto isTaken = [&](std::size_t begun) { return a.now - a.request(begun).endS <= sameS; };
    const bool taken = std::ranges::any_of(prompts.begun, isTaken);
    std::erase_if(prompts.begun,
                  [&](std::size_t begun) { return isTold(a.request(begun).endS) && !isTaken(begun); });
    if (!taken) {
        const std::size_t index = a.addRequest();
        a.request(index).arrivalS = a.now;
        addBegun(a, index);
    }
    if (m[0] == "0" || m[1] == "0") {
        prompts.emptyCacheAt = a.now;
    }
}

/// Written with the answer's head: of a streamed answer when the request is taken, of another when it is
/// complete; a prompt that is being computed is this request's, or else the next one that begins.
void takeAccess(LogAssembly& a, const LogMatch& m) {
    const bool answers = generates(m[2], m[3]);
    a.tellsServer = answers;
    if (!answers) {
        a.addAccess(m[2], m[3], m[4]);
        return;
    }
    Prompts& prompts = Prompts::in(a);
    const auto name = [&](std::size_t index) {
        a.touch(index);
        a.request(index).path = fmt::format("{} {}", m[2], m[3].substr(0, 256));
    };
    const auto isUnnamed = [&](std::size_t index) { return a.request(index).path.empty(); };
    const auto begun = std::ranges::find_if(prompts.begun, isUnnamed);
    const auto computed = std::ranges::find_if(prompts.open, isUnnamed, &Prompt::request);
    if (begun != prompts.begun.end()) {
        name(*begun);
    } else if (!prompts.decoding.empty() && isUnnamed(prompts.decoding.front())) {
        name(prompts.decoding.front());
        boundDecoding(a);
    } else if (computed != prompts.open.end()) {
        name(computed->request);
    } else {
        boundDecoding(a);
        addBegun(a, a.addAccess(m[2], m[3], m[4]));
    }
}

/// The request whose figures the command, or a server that prints as it does, tells: one that is being
/// served, else a new one.
std::size_t servedOrNew(LogAssembly& a) {
    if (const std::size_t served = BeingServed::in(a).request; served != LogAssembly::none) {
        return served;
    }
    const Prompts& prompts = Prompts::in(a);
    return !prompts.decoding.empty() ? prompts.decoding.front()
           : !prompts.open.empty()   ? prompts.open.front().request
           : !prompts.begun.empty()  ? prompts.begun.front()
                                     : a.addRequest();
}

void takeCommandPrompt(LogAssembly& a, const LogMatch& m) {
    std::size_t& served = BeingServed::in(a).request;
    served = LogAssembly::none;
    served = servedOrNew(a);
    a.touch(served);
    LogRequest& request = a.request(served);
    request.inputTokens = numberOf(m[0]);
    request.prefillS = request.inputTokens / numberOf(m[1]);
}

void takeCommandOutput(LogAssembly& a, const LogMatch& m) {
    const std::size_t index = servedOrNew(a);
    LogRequest& request = a.request(index);
    a.touch(index);
    request.outputTokens = numberOf(m[0]);
    request.decodeTokensPerS = numberOf(m[1]);
    request.end = RequestEnd::Complete;
    if (a.hasTime && isTold(request.arrivalS)) {
        request.endS = a.now;
        request.endInferred = false;
    }
    Prompts& prompts = Prompts::in(a);
    const auto isIt = [index](std::size_t other) { return other == index; };
    std::erase_if(prompts.begun, isIt);
    std::erase_if(prompts.decoding, isIt);
    std::erase_if(prompts.open, [&](const Prompt& prompt) { return isIt(prompt.request); });
    BeingServed::in(a).request = LogAssembly::none;
}

void takeStarted(LogAssembly& a, const LogMatch& /*match*/) {
    a.addEvent(LogEventKind::ServerStarted);
}

constexpr std::string_view endsUnknown =
    "The log does not tell when an answer was complete: at the latest when the next "
    "request came, if the server serves one at a time.";

constexpr auto lmPatterns = std::to_array<LogPattern>({
    {"mlx_progress",
     {"Prompt processing progress: "},
     matchProgress,
     takeProgress,
     Tells::Server,
     endsUnknown},
    {"mlx_cache", {"Prompt Cache: ", "KV Caches: "}, matchMlxCache, takeCache},
    {"http_basic", {" - - [00"}, matchAccess, takeAccess, Tells::Record},
    {"mlx_cli_prompt", {"Prompt: 0"}, matchCommand, takeCommandPrompt},
    {"mlx_cli_gen", {"Generation: 0"}, matchCommand, takeCommandOutput},
    {"", {"Prompt processing progress: "}, matchPlainProgress, takeProgress},
    {"", {"Starting httpd at "}, matchRestOfLine, takeStarted, Tells::Shared},
});

constexpr auto openAiPatterns = std::to_array<LogPattern>({
    {"mlx_openai_server", {"Processed"}, matchProcessed, takeProgress, Tells::Server, endsUnknown},
});

} // namespace

std::span<const LogPattern> mlxLmPatterns() {
    return lmPatterns;
}

std::span<const LogPattern> mlxOpenAiPatterns() {
    return openAiPatterns;
}

} // namespace loadline
