// Reads a log of an inference server from bytes.
#pragma once

#include "core/serverlog/server_log.h"

#include <memory>
#include <string>
#include <string_view>

namespace loadline {

/// Takes a log in pieces, cut anywhere.
class ServerLogReader {
public:
    explicit ServerLogReader(const ServerLogLimits& limits = {});
    ~ServerLogReader();
    ServerLogReader(ServerLogReader&&) noexcept;
    ServerLogReader& operator=(ServerLogReader&&) noexcept;

    /// Takes all bytes that are added from here on as those of this file.
    void beginFile(const std::string& path);
    void add(std::string_view bytes);
    /// All that was added, a last line without an end included. More can be added afterwards.
    [[nodiscard]] ServerLog log() const&;
    [[nodiscard]] ServerLog log() &&; ///< nothing can be added afterwards

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One text, as if it were one file of this name.
ServerLog serverLogOf(std::string_view text, const std::string& path = {});

} // namespace loadline
