// The source of a simulated workload: its name, and for the open sessions which of them.
#pragma once

#include "core/workload/scope/scope.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace loadline {

/// The name of the sessions that are open in the window.
inline constexpr const char* openWorkload = "open";
/// The name of the open sessions where there are any, else of the published reference: the window begins with
/// it.
inline constexpr const char* autoWorkload = "auto";

/// One comparable value behind panel, pins, settings and commands.
struct Source {
    std::string name = "reference"; ///< as `--workload` takes it: "reference", or a path; or "open", "auto"
    std::optional<Scope> scope;     ///< of "open": these sessions for good; none: those in scope

    Source() = default;
    Source(std::string word) : name(std::move(word)) {} // NOLINT(google-explicit-constructor): a word is one
    Source(const char* word) : name(word) {}            // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool isAuto() const { return name == autoWorkload; }

    /// True if the source follows the sessions that are open.
    [[nodiscard]] bool isOpen() const { return name == openWorkload || isAuto(); }

    /// Replaces "auto" by the source that it stands for.
    void resolveAuto(bool sessionsOpen) {
        if (isAuto()) {
            name = sessionsOpen ? openWorkload : Source().name;
        }
    }

    /// Keeps an open source at these sessions, whatever is selected later.
    void pin(const Scope& sessions) {
        if (isOpen()) {
            scope = sessions;
        }
    }

    /// True if the source is pinned to a part of the open sessions, which means nothing without them.
    [[nodiscard]] bool isPart() const { return scope && !(*scope == Scope{}); }

    bool operator==(const Source&) const = default;
};

enum class SourceKind : std::uint8_t { Reference, Open, Logs, File, Missing };

/// Returns the kind of a source, by its name and by the file there: Logs are session files or folders, a File
/// is anything else. Unless `window`, "open" and "auto" are paths like any other.
SourceKind kindOf(const Source& source, bool window);

} // namespace loadline
