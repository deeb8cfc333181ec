// What is written in a picture.
#pragma once

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSize>
#include <QStringList>
#include <QSvgGenerator>

namespace loadline::ui::fixtures {

/// The texts that `paint` draws into a picture of that size, in their order.
template <typename Paint>
QStringList paintedWords(const QSize& size, const Paint& paint) {
    QBuffer svg;
    QSvgGenerator generator;
    generator.setOutputDevice(&svg);
    generator.setSize(size);
    QPainter painter(&generator);
    paint(painter);
    painter.end();
    static const QRegularExpression text(QStringLiteral("<text[^>]*>\\s*([^<]*?)\\s*</text>"));
    QStringList words;
    for (auto found = text.globalMatch(QString::fromUtf8(svg.data())); found.hasNext();) {
        words << found.next().captured(1);
    }
    return words;
}

} // namespace loadline::ui::fixtures
