// Builds the tables of shifts, and scans by them.
#include "core/serverlog/read/anchor_scan.h"

#include <algorithm>
#include <cassert>

namespace loadline {
namespace {

bool isFigure(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

AnchorScan::AnchorScan(std::span<const std::string_view> anchors)
    : anchors_(anchors.begin(), anchors.end()), shift_(classes * classes, leastBytes - 1),
      endingIn_(classes * classes) {
    std::uint8_t next = 0;
    for (const std::string& anchor : anchors_) {
        assert(anchor.size() >= leastBytes);
        for (const char c : anchor) {
            std::uint8_t& known = class_[static_cast<unsigned char>(c)];
            known = known == 0 ? ++next : known;
        }
    }
    assert(next < classes);
    for (char c = '1'; c <= '9'; ++c) {
        class_[static_cast<unsigned char>(c)] = class_['0'];
    }
    for (std::size_t i = 0; i < anchors_.size(); ++i) {
        for (std::size_t last = 1; last < leastBytes; ++last) {
            std::uint8_t& shift = shift_[pairAt(anchors_[i], last)];
            shift = std::min(shift, static_cast<std::uint8_t>(leastBytes - 1 - last));
        }
        endingIn_[pairAt(anchors_[i], leastBytes - 1)].push_back(static_cast<std::uint16_t>(i));
    }
}

bool AnchorScan::isAt(std::string_view line, std::size_t at, const std::string& anchor) const {
    return line.size() - at >= anchor.size() &&
           std::equal(anchor.begin(), anchor.end(), line.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char a, char c) { return a == c || (a == '0' && isFigure(c)); });
}

void AnchorScan::find(std::string_view line, std::size_t most, std::vector<AnchorHit>& hits) const {
    hits.clear();
    std::size_t last = leastBytes - 1;
    while (last < line.size()) {
        const std::size_t pair = pairAt(line, last);
        const std::size_t shift = shift_[pair];
        if (shift != 0) {
            last += shift;
            continue;
        }
        const std::size_t at = last - (leastBytes - 1);
        for (const std::uint16_t anchor : endingIn_[pair]) {
            if (isAt(line, at, anchors_[anchor])) {
                hits.push_back({at, anchor});
            }
        }
        if (hits.size() >= most) {
            return;
        }
        ++last;
    }
}

} // namespace loadline
