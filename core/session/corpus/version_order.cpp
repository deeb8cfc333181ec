// CLI versions in the order of their release.
#include "core/session/corpus/version_order.h"

#include <algorithm>

namespace loadline {
namespace {

bool isDigit(char c) {
    return '0' <= c && c <= '9';
}

/// Takes the digits at the front off, leading zeros dropped.
std::string_view takeNumber(std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end])) {
        ++end;
    }
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    while (number.size() > 1 && number.front() == '0') {
        number.remove_prefix(1);
    }
    return number;
}

} // namespace

bool versionBefore(std::string_view a, std::string_view b) {
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view numberA = takeNumber(a);
            const std::string_view numberB = takeNumber(b);
            if (numberA != numberB) {
                return numberA.size() != numberB.size() ? numberA.size() < numberB.size() : numberA < numberB;
            }
        } else if (a.front() != b.front()) {
            return a.front() < b.front();
        } else {
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.empty() != b.empty() ? a.empty() : wholeA < wholeB;
}

std::vector<std::string> versionsInOrder(const SessionFile& file) {
    std::vector<std::string> versions;
    for (const auto& [version, records] : file.versions) {
        versions.push_back(version);
    }
    std::ranges::sort(versions, versionBefore);
    return versions;
}

} // namespace loadline
