// Standard input, pipes and FIFOs as regular files: copied as they come, so that they can be read twice.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace loadline {

/// "-": standard input.
inline constexpr std::string_view standardInput = "-";

/// True if a path names a stream rather than a file: "-", a FIFO, a socket or a terminal.
bool isStream(const std::string& path);

/// A copy of a stream in a file without a name, which is gone with this value.
class SpooledStream {
public:
    /// Reads all of the stream; waits for its writer, and for a terminal's end of input. Polls `stop`: what
    /// was read until then is kept. `refused` says why a stream that begins so is none to be read; "": it is.
    /// The Error: it cannot be opened or read, is refused, or there is no room for its copy.
    static Result<SpooledStream> read(const std::string& path, const std::stop_token& stop,
                                      Progress& progress,
                                      const std::function<std::string(std::string_view)>& refused);
    ~SpooledStream();
    SpooledStream(SpooledStream&& other) noexcept;
    SpooledStream& operator=(SpooledStream&& other) noexcept;

    /// Returns a path under which the copy can be opened as long as this value lives.
    [[nodiscard]] std::string path() const;

private:
    explicit SpooledStream(int descriptor) : descriptor_(descriptor) {}

    int descriptor_ = -1;
};

} // namespace loadline
