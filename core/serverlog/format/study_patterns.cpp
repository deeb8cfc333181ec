// The server of the published live observation: its log, the time line that was written from it, and the
// lines that it proposes to add.
//
// Read against that study and the messages of its program: "POST /v1/messages: model=..., stream=True",
// "Cache hit: ID (N tokens)", "Cache reconstructed for ID: N tokens", "Response: 1 blocks, N output tokens".
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

bool isNumeral(char c) {
    return isDigit(c) || c == ',' || c == '.';
}

/// The number that ends before the text, with "," between thousands; "": none.
std::string_view numberBefore(std::string_view line, std::string_view text) {
    const std::size_t end = line.find(text);
    if (end == std::string_view::npos) {
        return {};
    }
    std::size_t begin = end;
    while (begin > 0 && isNumeral(line[begin - 1])) {
        --begin;
    }
    return line.substr(begin, end - begin);
}

bool closesAt(LogMatch& m, std::size_t begin, const TextCursor& c, bool there) {
    m.begin = begin;
    m.end = c.at();
    return there;
}

bool matchPost(std::string_view line, std::size_t at, LogMatch& m) {
    std::string_view& path = m.groups[0];
    TextCursor c(line, at);
    const bool isFound = c.skip("POST ") && c.text(path);
    m.groups[1] = c.rest();
    const bool colon = path.ends_with(':');
    path.remove_suffix(colon ? 1 : 0);
    const std::size_t next = m.groups[1].find_first_not_of(' ');
    // A path in quotes, or one that goes on otherwise, is of another server's access line.
    const bool ends =
        colon || next == std::string_view::npos || m.groups[1][next] == '(' || m.groups[1][next] == '|';
    const bool quoted = at > 0 && line[at - 1] != ' ' && line[at - 1] != '|';
    return closesAt(m, at, c, isFound && ends && !quoted);
}

struct Posted {
    std::vector<std::size_t> open;
    std::size_t last = LogAssembly::none;
    std::size_t lastEnded = LogAssembly::none;

    static Posted& in(LogAssembly& a) { return a.memory.of<Posted>(); }
};

void takePost(LogAssembly& a, const LogMatch& m) {
    Posted& study = Posted::in(a);
    study.last = a.addRequest();
    LogRequest& request = a.request(study.last);
    request.path = fmt::format("POST {}", m[0]);
    request.arrivalS = a.now;
    request.generates = generates("POST", m[0]);
    const auto says = [&](std::string_view text) { return m[1].find(text) != std::string_view::npos; };
    if (says("(streaming") || says("stream=True")) {
        request.streams = true;
    } else if (says("(non-streaming") || says("stream=False")) {
        request.streams = false;
    }
    a.addFactAfter(m[1], "model=", "model");
    if (!request.generates) {
        request.inputTokens = numberOf(numberBefore(m[1], " tokens"));
        return;
    }
    constexpr std::size_t mostOpen = 256;
    if (study.open.size() >= mostOpen) {
        study.open.erase(study.open.begin());
    }
    study.open.push_back(study.last);
}

bool matchTokenCount(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    return closesAt(m, at, c, c.skip("Token count: ") && c.count(m.groups[0]));
}

void takeTokenCount(LogAssembly& a, const LogMatch& m) {
    const std::size_t posted = Posted::in(a).last;
    if (posted != LogAssembly::none && !a.request(posted).generates) {
        a.touch(posted);
        a.request(posted).inputTokens = numberOf(m[0]);
    }
}

/// "Cache miss: ID", "Cache hit: 49,152 tokens", "Cache hit: ID (49152 tokens)": id, tokens.
bool matchCacheState(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    TextCursor c(line, at);
    if (c.skip("Cache miss: ")) {
        return closesAt(m, at, c, c.word(g[0]));
    }
    if (!c.skip("Cache hit: ")) {
        return false;
    }
    const TextCursor behind = c;
    if (c.count(g[1]) && c.skip(" tokens")) {
        return closesAt(m, at, c, true);
    }
    c = behind;
    return closesAt(m, at, c, c.word(g[0]) && c.skip(" (") && c.count(g[1]) && c.skip(" tokens"));
}

void takeCacheState(LogAssembly& a, const LogMatch& m) {
    const bool miss = m[1].empty();
    const double tokens = miss ? notTold : numberOf(m[1]);
    a.addEvent(miss ? LogEventKind::CacheMiss : LogEventKind::CacheHit, tokens, std::string(m[0]));
    const std::size_t posted = Posted::in(a).last;
    if (posted == LogAssembly::none || isTold(a.request(posted).cachedTokens)) {
        return;
    }
    a.touch(posted);
    LogRequest& request = a.request(posted);
    request.id = request.id.empty() ? std::string(m[0]) : request.id;
    request.cachedTokens = miss ? 0 : tokens;
}

/// Adds an event; a line without a time may quote it in prose: then it was not after the line before.
void addQuoted(LogAssembly& a, LogEventKind kind, double tokens, std::string_view detail, double seconds) {
    const double before = std::exchange(a.now, a.hasTime ? a.now : notTold);
    a.addEvent(kind, tokens, std::string(detail), seconds);
    a.now = before;
}

bool matchReconstructed(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    return closesAt(m, at, c,
                    c.skip("Cache reconstructed for ") && c.word(m.groups[0]) && c.skip(": ") &&
                        c.count(m.groups[1]) && c.skip(" tokens"));
}

void takeReconstructed(LogAssembly& a, const LogMatch& m) {
    addQuoted(a, LogEventKind::CacheHit, numberOf(m[1]), m[0], notTold);
}

bool matchResponse(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    m.groups[0] = line.substr(at);
    return closesAt(
        m, at, c,
        c.skip("Response complete") ||
            (c.skip("Response: ") && m.groups[0].find(" output tokens") != std::string_view::npos));
}

/// The request that has ended: streamed answers are not logged, so it is the last other one, if there is any.
std::size_t endedRequest(LogAssembly& a) {
    auto& open = Posted::in(a).open;
    auto found = std::find_if(open.rbegin(), open.rend(),
                              [&](std::size_t index) { return a.request(index).streams == false; });
    found = found == open.rend() ? open.rbegin() : found;
    if (found == open.rend()) {
        return a.addRequest();
    }
    const std::size_t index = *found;
    open.erase(std::next(found).base());
    return index;
}

/// "Duration: 321 seconds", "25.5 tokens/sec", wherever they stand.
void takeTimings(LogAssembly& a, std::string_view text) {
    LogRequest& request = a.request(Posted::in(a).lastEnded);
    const double seconds = numberOf(numberBefore(text, " seconds"));
    if (!isTold(request.arrivalS) && isTold(seconds)) {
        request.arrivalS = request.endS - seconds;
        request.arrivalInferred = isTold(request.arrivalS);
    }
    const double rate = numberOf(numberBefore(text, " tokens/sec"));
    request.decodeTokensPerS = isTold(rate) ? rate : request.decodeTokensPerS;
}

void takeResponse(LogAssembly& a, const LogMatch& m) {
    const std::size_t ended = Posted::in(a).lastEnded = endedRequest(a);
    a.request(ended).outputTokens = numberOf(numberBefore(m[0], " output tokens"));
    a.end(ended, RequestEnd::Complete);
    takeTimings(a, m[0]);
}

bool matchDuration(std::string_view line, std::size_t at, LogMatch& m) {
    TextCursor c(line, at);
    m.groups[0] = line.substr(at);
    return closesAt(m, at, c, c.skip("Duration: ") && c.number(m.groups[1]) && c.skip(" seconds"));
}

void takeDuration(LogAssembly& a, const LogMatch& m) {
    if (const std::size_t ended = Posted::in(a).lastEnded; ended != LogAssembly::none) {
        a.touch(ended);
        takeTimings(a, m[0]);
    }
}

/// "[BATCH] Step: active=2", "[BATCH] Step start: batch_size=2, uids=['a', 'b']", "[BATCH] Step complete:
/// 0.041s, responses=2": requests, seconds, responses.
bool matchStep(std::string_view line, std::size_t at, LogMatch& m) {
    auto& g = m.groups;
    const std::string_view rest = line.substr(at);
    const auto value = [&](std::string_view key, std::string_view& into) {
        const std::size_t found = rest.find(key);
        std::string_view figures;
        const bool isFound =
            found != std::string_view::npos && TextCursor(rest, found + key.size()).digits(figures);
        into = isFound ? figures : into;
    };
    value(" batch_size=", g[0]);
    value(" active=", g[0]);
    value(" responses=", g[2]);
    const std::size_t colon = rest.find(": ");
    if (colon != std::string_view::npos) {
        TextCursor c(rest, colon + 2);
        std::string_view seconds;
        g[1] = c.number(seconds) && c.skip("s") ? seconds : g[1];
    }
    m.begin = at;
    m.end = line.size();
    return !g[0].empty() || !g[1].empty() || !g[2].empty();
}

void takeStep(LogAssembly& a, const LogMatch& m) {
    const bool completes = m[0].empty() && !a.log.steps.empty() && isTold(a.log.steps.back().active) &&
                           !isTold(a.log.steps.back().seconds) && !isTold(a.log.steps.back().responses);
    if (completes) { // the line before told what is in the batch
        a.log.steps.back().seconds = numberOf(m[1]);
        a.log.steps.back().responses = numberOf(m[2]);
        return;
    }
    a.addStep({.active = numberOf(m[0]), .seconds = numberOf(m[1]), .responses = numberOf(m[2])});
}

bool matchReported(std::string_view line, std::size_t at, LogMatch& m) {
    std::size_t begin = at;
    while (begin > 0 && (isDigit(line[begin - 1]) || line[begin - 1] == ',')) {
        --begin;
    }
    m.groups[0] = line.substr(begin, at - begin);
    TextCursor c(line, at);
    return closesAt(m, begin, c,
                    begin != at && c.skip(" tokens in ") && c.number(m.groups[1]) &&
                        (c.skip(" s") || c.skip("s")));
}

void takeReported(LogAssembly& a, const LogMatch& m) {
    addQuoted(a, LogEventKind::ReportedRate, numberOf(m[0]), {}, numberOf(m[1]));
}

void takeEngineSettings(LogAssembly& a, const LogMatch& m) {
    a.addFactAfter(m[0], "max_batch_size=", "max_batch_size");
    a.addFactAfter(m[0], "prefill_step_size=", "prefill_step_size");
}

void takeKilled(LogAssembly& a, const LogMatch& /*match*/) {
    a.addEvent(LogEventKind::ServerStopped);
}

/// "**Model**: Gemma 3 12B 4-bit (`mlx-community/gemma-3-12b-it-4bit`)": the name in "`", or what stands
/// before "(".
void takeHeading(LogAssembly& a, const LogMatch& m) {
    const std::size_t colon = m[0].find(": ");
    if (colon == std::string_view::npos) {
        return;
    }
    std::string_view value = m[0].substr(colon + 2);
    const std::size_t tick = value.find('`');
    const std::size_t close = tick == std::string_view::npos ? tick : value.find('`', tick + 1);
    value = close == std::string_view::npos ? value.substr(0, value.find(" ("))
                                            : value.substr(tick + 1, close - tick - 1);
    a.addFact(m[0].starts_with("**Model") ? "model" : "device", value);
}

constexpr auto studyTable = std::to_array<LogPattern>({
    {"study_post", {"POST /v0"}, matchPost, takePost},
    {"study_cache", {"Cache miss: ", "Cache hit: "}, matchCacheState, takeCacheState},
    {"study_reconstructed", {"Cache reconstructed for "}, matchReconstructed, takeReconstructed},
    {"study_response", {"Response complete", "Response: "}, matchResponse, takeResponse},
    {"study_duration", {"Duration: 0"}, matchDuration, takeDuration},
    {"study_step", {"[BATCH] Step"}, matchStep, takeStep},
    {"", {"Token count: 0"}, matchTokenCount, takeTokenCount, Tells::Shared},
    {"", {" tokens in 0"}, matchReported, takeReported, Tells::Shared},
    {"", {"max_batch_size=0", "prefill_step_size=0"}, matchRestOfLine, takeEngineSettings, Tells::Shared},
    {"", {"[Server killed]"}, matchRestOfLine, takeKilled},
    {"", {"**Model**: ", "**Hardware**: "}, matchRestOfLine, takeHeading, Tells::Time},
});

} // namespace

std::span<const LogPattern> studyPatterns() {
    return studyTable;
}

} // namespace loadline
