// Small painting helpers that every chart shares: mixed colours, hatching, elided text, read-out boxes.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <functional>

namespace loadline::ui {

/// `share` of a, the rest of b.
QColor tinted(const QColor& a, const QColor& b, double share);
/// The colour with `alpha` of its own opacity.
QColor faded(const QColor& color, double alpha);

/// How many segments of these lines meet a place: a text stands where they are few.
int segmentsIn(const QRectF& place, const std::vector<QPolygonF>& lines);

/// Alignments of most texts.
inline constexpr Qt::Alignment leftMiddle = Qt::AlignLeft | Qt::AlignVCenter;
inline constexpr Qt::Alignment rightMiddle = Qt::AlignRight | Qt::AlignVCenter;

/// Rising lines inside `rect`, computed and not clipped, so that SVG and PDF hold them as they are seen. The
/// pattern is anchored to the origin: neighbouring rectangles continue each other.
void hatch(QPainter& painter, const QRectF& rect, const QColor& color, double distance = 5,
           double width = 1.3);

/// Draws in one line, elided at the end when too long; returns the width used.
double drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QFont& font,
                const QColor& color, const QString& text);

/// Which colour is which share of the way from `low` to `high`; returns the room it took: none where there is
/// too little.
double paintColours(QPainter& painter, const QRectF& place, const QString& low, const QString& high,
                    const std::function<QColor(double share)>& colourAt, const Theme& theme);

/// The painter with smooth lines, given back as it was.
class Painting {
public:
    explicit Painting(QPainter& painter) : painter_(painter) {
        painter.save();
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    }

    ~Painting() { painter_.restore(); }

    Painting(const Painting&) = delete; // gives back once
    Painting& operator=(const Painting&) = delete;

private:
    QPainter& painter_;
};

/// Width of a text in a font, in logical pixels.
double widthOf(const QFont& font, const QString& text);
double heightOf(const QFont& font);

/// A line whose segments (each from the point of that index to the next) differ in their pens.
void paintRuns(QPainter& painter, const QPolygonF& line, const std::function<QPen(qsizetype segment)>& penOf);

/// A box of lines (the first one bold) near `anchor`, kept inside `bounds`.
void drawReadOut(QPainter& painter, const QPointF& anchor, const QRectF& bounds, const QStringList& lines,
                 const Theme& theme);

} // namespace loadline::ui
