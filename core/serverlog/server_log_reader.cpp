// Cuts pieces into lines.
#include "core/serverlog/read/line_taker.h"
#include "core/serverlog/read_server_log.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

/// True if a line, or a text of which it is the first, is JSON, in which any text may stand.
bool isJson(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const std::string_view rest = start == std::string_view::npos ? std::string_view() : text.substr(start);
    if (rest.starts_with('{')) {
        return !rest.starts_with("{\"log\":\""); // Docker's records
    }
    const std::size_t next =
        rest.starts_with('[') ? rest.find_first_not_of(" \t\r\n", 1) : std::string_view::npos;
    return next != std::string_view::npos &&
           std::string_view("{[\"]").find(rest[next]) != std::string_view::npos;
}

} // namespace

struct ServerLogReader::State {
    explicit State(const ServerLogLimits& limits) : mostBytes(limits.lineBytes), taker(limits) {}

    std::size_t mostBytes; ///< of a line
    LineTaker taker;
    std::string pending;  ///< the beginning of a line whose end has not come
    bool tooLong = false; ///< the rest of it is left out
    bool padded = false;  ///< NUL bytes were before it
    std::uint64_t bytes = 0;

    void append(std::string_view part) {
        const std::size_t room = mostBytes - pending.size();
        tooLong = tooLong || part.size() > room;
        pending += part.substr(0, room);
    }

    void finishLine() {
        takeLine(pending);
        pending.clear();
    }

    void takeLine(std::string_view line) {
        taker.take(line);
        if (std::exchange(tooLong, false)) {
            taker.note(DiagnosticKind::LineTooLong, "only the beginning was looked at");
        }
        if (std::exchange(padded, false)) {
            taker.note(DiagnosticKind::NulPadding, {});
        }
    }
};

ServerLogReader::ServerLogReader(const ServerLogLimits& limits) : state_(std::make_unique<State>(limits)) {}

ServerLogReader::~ServerLogReader() = default;
ServerLogReader::ServerLogReader(ServerLogReader&&) noexcept = default;
ServerLogReader& ServerLogReader::operator=(ServerLogReader&&) noexcept = default;

void ServerLogReader::beginFile(const std::string& path) {
    if (!state_->pending.empty()) {
        state_->finishLine();
    }
    state_->taker.beginFile(path);
}

void ServerLogReader::add(std::string_view bytes) {
    State& state = *state_;
    state.bytes += bytes.size();
    while (!bytes.empty()) {
        if (state.pending.empty() && bytes.front() == '\0') { // a log that was cut while it was written
            const std::size_t text = std::min(bytes.find_first_not_of('\0'), bytes.size());
            bytes.remove_prefix(text);
            state.padded = true;
            continue;
        }
        const std::size_t end = bytes.find('\n');
        const std::string_view line = bytes.substr(0, end);
        if (end == std::string_view::npos) {
            state.append(line);
            return;
        }
        if (state.pending.empty() && !state.tooLong && line.size() <= state.mostBytes) {
            state.takeLine(line);
        } else {
            state.append(line);
            state.finishLine();
        }
        bytes.remove_prefix(end + 1);
    }
}

ServerLog ServerLogReader::log() && {
    if (!state_->pending.empty()) {
        state_->finishLine();
    }
    return std::move(state_->taker).log(state_->bytes);
}

ServerLog ServerLogReader::log() const& {
    if (state_->pending.empty()) {
        return state_->taker.log(state_->bytes);
    }
    State whole = *state_;
    whole.finishLine();
    return whole.taker.log(whole.bytes);
}

ServerLog serverLogOf(std::string_view text, const std::string& path) {
    ServerLogReader reader;
    reader.beginFile(path);
    reader.add(text);
    return std::move(reader).log();
}

bool isServerLog(std::string_view head) {
    if (isJson(head)) {
        return false;
    }
    LineTaker taker({});
    taker.beginFile({});
    while (!head.empty() && taker.linesOfServers() == 0) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        if (!isJson(head.substr(0, end))) {
            taker.take(head.substr(0, end));
        }
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    return taker.linesOfServers() > 0;
}

std::string_view serverNameOf(const ServerLog& log) {
    return log.server != nullptr ? log.server->name
           : log.known()         ? std::string_view("Access lines")
                                 : std::string_view("Unknown server");
}

std::string_view factOf(const ServerLog& log, std::string_view name) {
    const auto found = std::find_if(log.facts.rbegin(), log.facts.rend(),
                                    [&](const LogFact& fact) { return fact.name == name; });
    return found == log.facts.rend() ? std::string_view() : std::string_view(found->value);
}

std::string keptRequestsWords(const ServerLog& log) {
    return log.moreRequests == 0
               ? std::string()
               : "; figures from the first " + formatExact(static_cast<std::int64_t>(keptRequests(log)));
}

std::string logSentenceOf(const Diagnostic& diagnostic) {
    const bool clock = diagnostic.kind == DiagnosticKind::BadTimestamp; // whose detail is all of it
    const std::string what = clock ? diagnostic.detail : sentenceOf(diagnostic);
    return diagnostic.line == 0 ? what : fmt::format("{}: {}", linesOf(diagnostic), what);
}

} // namespace loadline
