// The computed sentences over a chart: the answer, and what qualifies it.
#pragma once

#include <QString>

namespace loadline::ui {

struct Answer {
    QString first; ///< shown large
    QString rest;  ///< shown small; may be empty
    bool operator==(const Answer&) const = default;
};

/// Splits after the first sentence: at ". " outside quotation marks and brackets. Numbers keep their units
/// (no-break spaces).
Answer answerOf(const QString& text);

} // namespace loadline::ui
