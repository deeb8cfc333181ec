// Cuts pieces into lines.
#include "core/serverlog/files/server_log_reader.h"

#include "core/serverlog/format/server_formats.h"
#include "core/serverlog/read/line_taker.h"

#include <algorithm>
#include <utility>

namespace loadline {
struct ServerLogReader::State {
    explicit State(const ServerLogLimits& limits)
        : mostBytes(limits.lineBytes), taker(patternTable(), limits) {}

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

} // namespace loadline
