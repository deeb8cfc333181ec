// Splits computed sentences into the answer and the rest.
#include "ui/chart/answer.h"

#include <QRegularExpression>

namespace loadline::ui {

namespace {

/// No line may end between a number and its unit or sign.
QString glued(QString text) {
    static const QRegularExpression gaps(
        QStringLiteral("(?<=[0-9]) (?=%|(?:k|M|G|T|ms|s|min|h|d)\\b)|(?<=≥) "));
    return text.replace(gaps, QString(QChar(QChar::Nbsp)));
}

} // namespace

Answer answerOf(const QString& text) {
    const QString sentences = glued(text);
    int depth = 0;
    for (qsizetype i = 0; i + 2 < sentences.size(); ++i) {
        const QChar c = sentences[i];
        if (c == u'“' || c == u'(') {
            ++depth;
        } else if (c == u'”' || c == u')') {
            --depth;
        } else if (c == u'.' && sentences[i + 1] == u' ' && depth <= 0) {
            return {sentences.left(i + 1), sentences.mid(i + 2).trimmed()};
        }
    }
    return {sentences, {}};
}

} // namespace loadline::ui
