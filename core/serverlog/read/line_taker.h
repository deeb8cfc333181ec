// Takes whole lines of a log, one after the other.
#pragma once

#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/pattern_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

inline constexpr char terminalEscape = '\x1b';         ///< begins what colours text
inline constexpr std::string_view shownEscape = "^[["; ///< the same, made visible

inline bool holdsEscape(std::string_view text) {
    return text.find(terminalEscape) != std::string_view::npos ||
           text.find(shownEscape) != std::string_view::npos;
}

class LineTaker {
public:
    explicit LineTaker(const ServerLogLimits& limits);

    void beginFile(const std::string& path);
    /// Lines from here on may hold escapes.
    void expectColours() { mayBeColoured_ = true; }
    /// Without its end.
    void take(std::string_view line);
    /// Of the last line that was taken, or the file where there was none.
    void note(DiagnosticKind kind, const std::string& detail);

    [[nodiscard]] std::uint64_t linesOfServers() const { return linesOfServers_; }

    /// What is known, with times since the first.
    [[nodiscard]] ServerLog log(std::uint64_t bytes) const&;
    [[nodiscard]] ServerLog log(std::uint64_t bytes) &&; ///< nothing can be taken afterwards

private:
    void takeKnown(std::string_view line);
    void placeStamp(const LogStamp& stamp);
    std::string_view bare(std::string_view line);
    [[nodiscard]] ServerLog finished(ServerLog log, std::uint64_t bytes) const;

    LogAssembly assembly_;
    LogTimes times_;
    double firstS_ = notTold;
    double lastS_ = notTold;
    std::vector<std::uint64_t> counts_; ///< by pattern
    std::vector<std::uint64_t> votes_;  ///< lines, by server
    std::uint64_t linesOfServers_ = 0;
    bool mayBeColoured_ = false;
    // Of the line being taken, kept for their memory.
    std::vector<AnchorHit> hits_;
    std::vector<PatternMatch> matches_;
    std::vector<LogStamp> stamps_;
    std::string bare_;
};

} // namespace loadline
