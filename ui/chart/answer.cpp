// Splits computed sentences into the answer and the rest.
#include "ui/chart/answer.h"

namespace loadline::ui {

Answer answerOf(const QString& sentences) {
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
