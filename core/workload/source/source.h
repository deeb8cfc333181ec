// What a simulated workload comes from: by name, and of the sessions that are open which.
#pragma once

#include "core/workload/scope/scope.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace loadline {

/// The name of the sessions that are open in the window.
inline constexpr const char* openWorkload = "open";
/// The same where there are any, else the published reference: what the window begins with.
inline constexpr const char* autoWorkload = "auto";

/// One comparable value behind panel, pins, settings and commands.
struct Source {
    std::string name = "reference"; ///< as `--workload` takes it: "reference", or a path; or "open", "auto"
    std::optional<Scope> scope;     ///< of "open": these sessions for good; none: those in scope

    Source() = default;
    Source(std::string word) : name(std::move(word)) {} // NOLINT(google-explicit-constructor): a word is one
    Source(const char* word) : name(word) {}            // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool isAuto() const { return name == autoWorkload; }

    /// Whether it follows the sessions that are open.
    [[nodiscard]] bool isOpen() const { return name == openWorkload || isAuto(); }

    /// "auto" becomes what it stands for.
    void settle(bool sessionsOpen) {
        if (isAuto()) {
            name = sessionsOpen ? openWorkload : Source().name;
        }
    }

    /// Of "open": whatever is selected later, these.
    void pin(const Scope& sessions) {
        if (isOpen()) {
            scope = sessions;
        }
    }

    /// Whether it is pinned to a part of the sessions that are open, which means nothing without them.
    [[nodiscard]] bool isPart() const { return scope && !(*scope == Scope{}); }

    bool operator==(const Source&) const = default;
};

enum class SourceKind : std::uint8_t { Reference, Open, Logs, File, Missing };

/// By its name, and by what lies there: Logs are session files or folders, a File is anything else.
/// Not `window`: "open" and "auto" are paths like any other.
SourceKind kindOf(const Source& source, bool window);

} // namespace loadline
