// Recalls, learns and forgets shapes.
#include "core/serverlog/read/shape_memory.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace loadline {
namespace {

constexpr unsigned costOfLearning = 16; // in lines: learning must not cost more than it saves

std::size_t byteOf(char c) {
    return static_cast<unsigned char>(c);
}

bool isSame(const PatternMatch& a, const PatternMatch& b) {
    const auto isSameText = [](std::string_view x, std::string_view y) {
        return x.size() == y.size() && (x.empty() || x.data() == y.data());
    };
    return a.pattern == b.pattern && a.match.begin == b.match.begin && a.match.end == b.match.end &&
           std::ranges::equal(a.match.groups, b.match.groups, isSameText);
}

bool areSame(const LineFindings& a, const LineFindings& b) {
    return std::ranges::equal(
               a.times, b.times,
               [](const AnchorHit& x, const AnchorHit& y) { return x.at == y.at && x.anchor == y.anchor; }) &&
           std::ranges::equal(a.matches, b.matches, isSame);
}

} // namespace

ShapeMemory::Remembered::Remembered(LineShape of, std::string_view line, const LineNumbers& numbers,
                                    const LineFindings& found)
    : shape(std::move(of)), findings(found) {
    for (const AnchorHit& hit : found.times) {
        times.push_back(shape.placeOf(hit.at, numbers));
    }
    for (const auto& [pattern, match] : found.matches) {
        MatchPlaces& places = matches.emplace_back();
        places.begin = shape.placeOf(match.begin, numbers);
        places.end = shape.placeOf(match.end, numbers);
        for (std::size_t group = 0; group < match.groups.size(); ++group) {
            const std::string_view text = match.groups[group];
            if (!text.empty()) {
                const auto begin = static_cast<std::size_t>(text.data() - line.data());
                places.groups.push_back({static_cast<std::uint8_t>(group), shape.placeOf(begin, numbers),
                                         shape.placeOf(begin + text.size(), numbers)});
            }
        }
    }
}

void ShapeMemory::Remembered::find(std::string_view line, const LineNumbers& numbers) {
    for (std::size_t i = 0; i < times.size(); ++i) {
        findings.times[i].at = times[i].on(numbers);
    }
    for (std::size_t i = 0; i < matches.size(); ++i) {
        LogMatch& match = findings.matches[i].match;
        match.begin = matches[i].begin.on(numbers);
        match.end = matches[i].end.on(numbers);
        for (const MatchPlaces::Group& group : matches[i].groups) {
            const std::size_t begin = group.begin.on(numbers);
            match.groups[group.group] = {line.data() + begin, group.end.on(numbers) - begin};
        }
    }
}

bool ShapeMemory::tries(std::size_t index, std::string_view line) {
    Remembered& known = shapes_[index];
    if (!known.shape.fits(line, numbers_)) {
        return false;
    }
    known.find(line, numbers_);
    known.uses = std::min(known.uses + 1, mostCredit);
    credit_ = std::min(credit_ + 1, mostCredit);
    shapes_[std::exchange(last_, index)].next = index;
    return true;
}

const LineFindings* ShapeMemory::recall(std::string_view line) {
    if (shapes_.empty() || line.empty()) {
        return nullptr;
    }
    const std::size_t next = shapes_[last_].next; // lines follow each other as they did before
    if (tries(next, line)) {
        return &shapes_[next].findings;
    }
    Shapes others = beginning_[byteOf(line.front())] & ending_[byteOf(line.back())] & ~(Shapes{1} << next);
    for (; others != 0; others &= others - 1) {
        const auto other = static_cast<std::size_t>(std::countr_zero(others));
        if (tries(other, line)) {
            return &shapes_[other].findings;
        }
    }
    return nullptr;
}

void ShapeMemory::learn(std::string_view line, const LineFindings& findings) {
    if (++credit_ < costOfLearning) {
        return;
    }
    credit_ -= costOfLearning;
    std::optional<LineShape> shape = LineShape::of(line, numbers_);
    if (!shape) {
        return;
    }
    for (Remembered& known : shapes_) {
        if (known.shape.isLike(*shape)) {
            known.find(line, numbers_);
            if (areSame(known.findings, findings)) {
                known.shape.admit(numbers_);
                return;
            }
        }
    }
    const std::size_t index = placeForNew();
    shapes_[index] = Remembered(*std::move(shape), line, numbers_, findings);
    shapes_[index].next = index;
    indexBytes(index);
}

/// A new one while there is room; else the first that was not of use lately (the clock algorithm).
std::size_t ShapeMemory::placeForNew() {
    if (shapes_.size() < mostShapes) {
        shapes_.emplace_back();
        return shapes_.size() - 1;
    }
    for (;; hand_ = (hand_ + 1) % mostShapes) {
        if (std::exchange(shapes_[hand_].uses, shapes_[hand_].uses / 2) == 0) {
            return std::exchange(hand_, (hand_ + 1) % mostShapes);
        }
    }
}

void ShapeMemory::indexBytes(std::size_t index) {
    const Shapes bit = Shapes{1} << index;
    const LineShape& shape = shapes_[index].shape;
    for (std::size_t byte = 0; byte < beginning_.size(); ++byte) {
        const char c = static_cast<char>(byte);
        beginning_[byte] = (beginning_[byte] & ~bit) | (shape.mayBegin(c) ? bit : 0);
        ending_[byte] = (ending_[byte] & ~bit) | (shape.mayEnd(c) ? bit : 0);
    }
}

} // namespace loadline
