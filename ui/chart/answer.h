// The computed sentences over a chart: the headline, and the caveats that qualify it.
#pragma once

#include <QString>
#include <QStringList>

namespace loadline::ui {

struct Answer {
    QString first; ///< the headline
    QString rest;  ///< the caveats; may be empty
    bool operator==(const Answer&) const = default;
};

/// Splits after the first sentence: at ". " outside quotation marks and brackets. One of more than 20 words
/// is split after its last clause that ends within them. Numbers keep their units (no-break spaces).
Answer answerOf(const QString& text);
/// The sentences of a text, each with its end.
QStringList sentencesIn(const QString& text);

} // namespace loadline::ui
