// A picture of a core value that can be painted anywhere: in the window, and into PNG, SVG and PDF.
#pragma once

#include "core/text/table.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QString>

namespace loadline::ui {

/// Made from a value, never changed after; painting has no side effects, so exports equal the window.
class Drawing {
public:
    virtual ~Drawing() = default;
    Drawing() = default;
    Drawing(const Drawing&) = delete; // held by pointer; slicing would lose the picture
    Drawing& operator=(const Drawing&) = delete;

    [[nodiscard]] virtual QString title() const = 0;    ///< "Distributions"
    [[nodiscard]] virtual QString sentence() const = 0; ///< what it shows, in one computed sentence
    [[nodiscard]] virtual Table table() const = 0;      ///< the very numbers drawn
    /// Paints the plot (without title and captions) into `area`, in logical pixels.
    virtual void paint(QPainter& painter, const QRectF& area, const Theme& theme) const = 0;
};

} // namespace loadline::ui
