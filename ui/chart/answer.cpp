// Splits computed sentences into the answer and the rest.
#include "ui/chart/answer.h"

#include <QRegularExpression>

#include <vector>

namespace loadline::ui {

namespace {

/// No line may end between a number and its unit or sign.
QString glued(QString text) {
    static const QRegularExpression gaps(QStringLiteral("(?<=[0-9]) (?=%|(?:k|M|G|T|ms|s|min|h|d)\\b)|(?<=≥) "
                                                        "| (?=\\(preview\\))|(?<=\\bk) (?==)|(?<=\\bk =) "));
    return text.replace(gaps, QString(QChar(QChar::Nbsp)));
}

constexpr int mostWords = 20; ///< of a headline

/// The places behind which a clause or sentence ends, outside of quotation marks and brackets.
std::vector<qsizetype> endsOf(const QString& text, QStringView marks) {
    std::vector<qsizetype> ends;
    int depth = 0;
    for (qsizetype i = 0; i + 2 < text.size(); ++i) {
        const QChar c = text[i];
        depth += c == u'“' || c == u'(' ? 1 : c == u'”' || c == u')' ? -1 : 0;
        if (marks.contains(c) && text[i + 1] == u' ' && depth <= 0) {
            ends.push_back(i);
        }
    }
    return ends;
}

QString capital(QString text) {
    return text.isEmpty() ? text : text.replace(0, 1, text[0].toUpper());
}

/// The clauses of a long sentence that make a headline, and the others as a sentence of their own.
Answer clausesOf(const QString& sentence) {
    qsizetype cut = -1;
    for (const qsizetype end : endsOf(sentence, u",;:")) {
        cut = sentence.left(end).count(u' ') < mostWords ? end : cut;
    }
    return cut < 0 ? Answer{sentence, {}}
                   : Answer{sentence.left(cut) + u'.', capital(sentence.mid(cut + 2).trimmed())};
}

} // namespace

Answer answerOf(const QString& text) {
    const QString sentences = glued(text);
    const std::vector<qsizetype> ends = endsOf(sentences, u".");
    const QString first = ends.empty() ? sentences : sentences.left(ends.front() + 1);
    const QString rest = ends.empty() ? QString() : sentences.mid(ends.front() + 2).trimmed();
    if (first.count(u' ') < mostWords) {
        return {first, rest};
    }
    const Answer clauses = clausesOf(first);
    return {clauses.first, (clauses.rest + u' ' + rest).trimmed()};
}

QStringList sentencesIn(const QString& text) {
    QStringList sentences;
    qsizetype begin = 0;
    for (const qsizetype end : endsOf(text, u".")) {
        sentences << text.mid(begin, end + 1 - begin);
        begin = end + 2;
    }
    if (begin < text.size()) {
        sentences << text.mid(begin);
    }
    return sentences;
}

} // namespace loadline::ui
