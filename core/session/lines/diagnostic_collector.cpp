#include "core/session/lines/diagnostic_collector.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::uint64_t listedSingly = 3;
constexpr std::uint64_t maxDetails = 64; ///< further details of one kind are counted without their words

} // namespace

void DiagnosticCollector::add(DiagnosticKind kind, std::uint64_t line, std::string_view detail) {
    put(kind, line, detail, 1, {});
}

void DiagnosticCollector::put(DiagnosticKind kind, std::uint64_t line, std::string_view detail,
                              std::uint64_t count, std::span<const std::uint64_t> otherLines) {
    auto found = sorts_.find(std::pair(kind, std::string(detail)));
    if (found == sorts_.end()) {
        if (!detail.empty() && ++details_[kind] > maxDetails) {
            put(kind, line, {}, count, otherLines);
            return;
        }
        found = sorts_.emplace(std::pair(kind, std::string(detail)), Sort{}).first;
    }
    Sort& sort = found->second;
    if (count == 1 && sort.single < listedSingly) {
        ++sort.single;
        list_.push_back({.kind = kind, .line = line, .count = 1, .detail = found->first.second});
        return;
    }
    if (sort.merged == noneMerged) {
        sort.merged = list_.size();
        list_.push_back({.kind = kind, .line = line, .count = 0, .detail = found->first.second});
    }
    Diagnostic& merged = list_[sort.merged];
    merged.count += count;
    listLine(merged, line);
    for (const std::uint64_t other : otherLines) {
        listLine(merged, other);
    }
}

void DiagnosticCollector::addPart(const DiagnosticCollector& part, std::uint64_t linesBefore) {
    for (const Diagnostic& d : part.list_) {
        std::vector<std::uint64_t> others = d.otherLines;
        for (std::uint64_t& line : others) {
            line += linesBefore;
        }
        put(d.kind, d.line == 0 ? 0 : d.line + linesBefore, d.detail, d.count, others);
    }
}

std::vector<Diagnostic> DiagnosticCollector::sorted() const {
    std::vector<Diagnostic> list = list_;
    std::ranges::stable_sort(list, [](const Diagnostic& a, const Diagnostic& b) {
        return std::pair(a.line, a.kind) < std::pair(b.line, b.kind);
    });
    return list;
}

} // namespace loadline
