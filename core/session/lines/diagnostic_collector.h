// Gathers the oddities of one file: the first few of each sort singly, the others as a count.
#pragma once

#include "core/base/diagnostic.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline {

/// Bounded memory whatever the file holds. Adding the results of a file's parts in order gives the same as
/// adding everything to one collector.
class DiagnosticCollector {
public:
    void add(DiagnosticKind kind, std::uint64_t line, std::string_view detail = {});
    /// Adds those of a part of the file that begins after `linesBefore` lines.
    void addPart(const DiagnosticCollector& part, std::uint64_t linesBefore);
    /// Returns the diagnostics by line, then kind.
    [[nodiscard]] std::vector<Diagnostic> sorted() const;

private:
    void put(DiagnosticKind kind, std::uint64_t line, std::string_view detail, std::uint64_t count,
             std::span<const std::uint64_t> otherLines);

    struct Sort {
        std::uint64_t single = 0;        ///< listed one by one so far
        std::size_t merged = noneMerged; ///< place of the merged rest in list_
    };

    static constexpr std::size_t noneMerged = SIZE_MAX;

    std::vector<Diagnostic> list_; ///< in order of addition
    std::map<std::pair<DiagnosticKind, std::string>, Sort, std::less<>> sorts_;
    std::map<DiagnosticKind, std::uint64_t> details_; ///< distinct details by kind
};

} // namespace loadline
