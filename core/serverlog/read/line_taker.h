// Takes whole lines of a log, one after the other.
#pragma once

#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/shape_memory.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

class LineTaker {
public:
    /// Keeps a reference to the table. `recalls` changes nothing but the time that it takes.
    LineTaker(const PatternTable& table, const ServerLogLimits& limits, bool recalls = true);

    void beginFile(const std::string& path);
    /// Takes a line without its end.
    void take(std::string_view line);
    /// Adds a note on the last line that was taken, or on the file if there was none.
    void note(DiagnosticKind kind, const std::string& detail);

    [[nodiscard]] std::uint64_t linesOfServers() const { return linesOfServers_; }

    /// Returns the log as far as it is known, with times since the first.
    [[nodiscard]] ServerLog log(std::uint64_t bytes) const&;
    [[nodiscard]] ServerLog log(std::uint64_t bytes) &&; ///< nothing can be taken afterwards

private:
    bool takeRecalled(std::string_view line);
    void takeKnown(std::string_view line, const LineFindings& findings);
    void readStamps(std::string_view line, const LineFindings& findings);
    void placeStamp(const LogStamp& stamp);
    std::string_view bare(std::string_view line);
    [[nodiscard]] ServerLog finished(ServerLog log, std::uint64_t bytes) const;

    const PatternTable* table_;
    LogAssembly assembly_;
    LogTimes times_;
    double firstS_ = notTold;
    double lastS_ = notTold;
    std::vector<std::uint64_t> counts_; ///< by pattern
    std::vector<std::uint64_t> votes_;  ///< lines, by server
    std::uint64_t linesOfServers_ = 0;
    bool recalls_;
    ShapeMemory memory_;
    // These are of the line being taken, kept for their memory.
    std::vector<AnchorHit> hits_;
    LineFindings findings_;
    std::vector<LogStamp> stamps_;
    std::string bare_;
};

} // namespace loadline
