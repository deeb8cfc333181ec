// The table of versions.
#include "tests/tools/generate/transcript/cli_version.h"

namespace loadline::generate {
namespace {

using Models = std::array<std::string_view, 3>;
constexpr Models summer2025 = {"claude-opus-4-20250514", "claude-sonnet-4-20250514",
                               "claude-3-5-haiku-20241022"};
constexpr Models winter2025 = {"claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929",
                               "claude-haiku-4-5-20251001"};
constexpr Models spring2026 = {"claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5-20251001"};
constexpr Models summer2026 = {"claude-opus-4-8", "claude-sonnet-4-6", "claude-haiku-4-5-20251001"};

} // namespace

const std::array<CliVersion, 8> cliVersions = {{
    {"2.1.62", "2026-03-20", 9, OutputLog::FinalEachLine, SubAgentPlace::Folder, true, true, true, false,
     true, true, 0, spring2026},
    {"2.1.17", "2026-01-21", 6, OutputLog::StartOnly, SubAgentPlace::Folder, true, true, true, false, true,
     false, 0, winter2025},
    {"2.1.34", "2026-02-06", 8, OutputLog::Snapshot, SubAgentPlace::Folder, true, true, true, false, true,
     false, 0, winter2025},
    {"2.1.120", "2026-04-24", 20, OutputLog::FinalEachLine, SubAgentPlace::Folder, true, true, false, true,
     false, true, 600, spring2026},
    {"1.0.98", "2025-08-30", 6, OutputLog::Growing, SubAgentPlace::Inline, true, false, false, false, true,
     false, 0, summer2025},
    {"2.0.64", "2025-12-10", 9, OutputLog::PartlyFinal, SubAgentPlace::BesideSessions, true, true, false,
     false, true, false, 0, winter2025},
    {"2.1.25", "2026-01-30", 4, OutputLog::StartOnly, SubAgentPlace::Folder, true, true, true, false, true,
     false, 0, winter2025},
    {"2.1.207", "2026-07-02", 20, OutputLog::FinalLastLine, SubAgentPlace::Folder, true, true, false, true,
     false, true, 700, summer2026},
}};

} // namespace loadline::generate
