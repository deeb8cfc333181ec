// Extremes of runs of values, by levels of blocks.
#include "ui/chart/serverlog/log_extremes.h"

#include <algorithm>
#include <utility>

namespace loadline::ui {
namespace {

constexpr std::size_t blockSize = 16;

std::size_t roundedUp(std::size_t i) {
    return (i + blockSize - 1) / blockSize * blockSize;
}

} // namespace

LogExtremes::LogExtremes(std::vector<double> values) : values_(std::move(values)) {
    const auto addLevel = [this](const auto& below) {
        std::vector<Extreme> blocks((below.size() + blockSize - 1) / blockSize);
        for (std::size_t i = 0; i < below.size(); ++i) {
            blocks[i / blockSize].take(below[i]);
        }
        levels_.push_back(std::move(blocks));
    };
    if (values_.size() > blockSize) {
        addLevel(values_);
    }
    while (!levels_.empty() && levels_.back().size() > blockSize) {
        addLevel(std::vector<Extreme>(levels_.back()));
    }
}

/// The ends are taken singly up to whole blocks, which the next level answers.
Extreme LogExtremes::of(std::size_t begin, std::size_t end) const {
    Extreme result;
    end = std::min(end, values_.size());
    for (std::size_t level = 0; begin < end; ++level) {
        const auto take = [&](std::size_t i) {
            if (level == 0) {
                result.take(values_[i]);
            } else {
                result.take(levels_[level - 1][i]);
            }
        };
        const bool last = level == levels_.size();
        const std::size_t whole = last ? end : std::min(roundedUp(begin), end);
        while (begin < whole) {
            take(begin++);
        }
        const std::size_t wholeEnd = std::max(begin, end / blockSize * blockSize);
        for (std::size_t i = wholeEnd; i < end; ++i) {
            take(i);
        }
        begin /= blockSize;
        end = wholeEnd / blockSize;
    }
    return result;
}

} // namespace loadline::ui
