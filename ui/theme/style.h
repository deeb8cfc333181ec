// Fusion, where it draws what both themes cannot show: the tick of a box, the buttons of a dock; and buttons
// without stock pictures.
#pragma once

#include <QProxyStyle>

namespace loadline::ui {

/// The style of the application. Colours come from the widget's palette.
class Style : public QProxyStyle {
    Q_OBJECT

public:
    Style();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                  QStyleHintReturn* returned = nullptr) const override;
    QIcon standardIcon(StandardPixmap standard, const QStyleOption* option = nullptr,
                       const QWidget* widget = nullptr) const override;
};

} // namespace loadline::ui
