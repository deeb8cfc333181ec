// How the versions of the agent differ in what they write down.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace loadline::generate {

/// The output counts on the lines of a call (format page, "Is output_tokens true?").
enum class OutputLog : std::uint8_t {
    Growing,       ///< grows over the lines, sometimes to the end
    PartlyFinal,   ///< a third of the calls final
    StartOnly,     ///< the placeholder of the first message
    Snapshot,      ///< what was there in mid-stream
    FinalEachLine, ///< the true count on each line
    FinalLastLine, ///< the true count on the last line
};

enum class SubAgentPlace : std::uint8_t { Inline, BesideSessions, Folder };

struct CliVersion {
    std::string_view name;
    std::string_view firstDay; ///< sessions start on this day or up to `days` later
    int days;
    OutputLog output;
    SubAgentPlace subAgents;
    bool cacheSplit;   ///< 5 min and 1 h apart
    bool slug;         ///< records carry the session's name of three words
    bool progress;     ///< progress records
    bool attachments;  ///< attachment records
    bool thinkingText; ///< else only a signature
    bool meta;         ///< sub-agents have a .meta.json
    unsigned hiddenThinkingPerMille;
    std::array<std::string_view, 3> models; ///< large, medium, small
};

/// Versions in the order in which sessions take turns with them: any eight cover every quality of output
/// counts.
extern const std::array<CliVersion, 8> cliVersions;

} // namespace loadline::generate
