// Reads on from where it was; a file that is shorter or another one is read from its beginning.
#include "core/serverlog/files/log_follower.h"

#include "core/base/file/byte_source.h"
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/read/log_bytes.h"

#include <sys/stat.h>

#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

namespace loadline {

struct LogFollower::State {
    explicit State(std::string followed) : path(std::move(followed)) { begin(); }

    void begin() {
        reader = ServerLogReader();
        reader.beginFile(path);
        at = 0;
    }

    std::string path;
    ServerLogReader reader;
    std::uint64_t at = 0;
    std::pair<std::uint64_t, std::uint64_t> file; ///< device and inode
};

LogFollower::LogFollower(std::string path) : state_(std::make_unique<State>(std::move(path))) {}

LogFollower::~LogFollower() = default;

Result<bool> LogFollower::poll(const std::stop_token& stop) {
    constexpr std::size_t pieceBytes = std::size_t{1} << 18;
    State& state = *state_;
    const FileSource source(state.path);

    struct stat status {};

    if (!source.problem().empty() || ::stat(state.path.c_str(), &status) != 0) {
        return Error{.what = "cannot follow the log: " + source.problem(), .where = state.path, .remedy = ""};
    }
    const std::pair<std::uint64_t, std::uint64_t> file(status.st_dev, status.st_ino);
    const bool another = state.at > 0 && (file != state.file || source.size() < state.at);
    if (another) {
        state.begin();
    }
    state.file = file;
    const std::uint64_t before = state.at;
    std::vector<char> piece(pieceBytes);
    while (!stop.stop_requested()) {
        const std::int64_t got = source.read(piece.data(), piece.size(), state.at);
        if (got < 0) {
            return Error{.what = "cannot follow the log: " +
                                 std::generic_category().message(static_cast<int>(-got)),
                         .where = state.path,
                         .remedy = ""};
        }
        if (got == 0) {
            break;
        }
        const std::string_view bytes(piece.data(), static_cast<std::size_t>(got));
        const std::string refused = state.at == 0 ? notALog(bytes) : "";
        if (!refused.empty()) {
            return Error{"cannot follow the log: " + refused, state.path, "a server's log as plain text"};
        }
        state.reader.add(bytes);
        state.at += bytes.size();
    }
    return another || state.at != before;
}

ServerLog LogFollower::log() const {
    return state_->reader.log();
}

} // namespace loadline
