// One number of a form: its name, a slider, a field with its unit, and a mark where it is by default.
#pragma once

#include "core/ask/field.h"

#include <QSlider>
#include <QString>
#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;

namespace loadline::ui {

/// Allowed values of a number, and the scale of its slider.
struct ValueRange {
    double least = 1, most = 100;           ///< of the slider; above 0 where it is logarithmic
    double fieldLeast = 1, fieldMost = 100; ///< of the field
    std::optional<double> usual = 1;        ///< the default; none: off
    using Scale = ask::SliderScale;
    Scale scale = Scale::Log;
    bool whole = true;
    QString unit;
    QString off; ///< what "no value" is called ("off"); empty: there is always one. It is the slider's end
};

/// Convert a value to a position on a slider of `steps` steps and back; `off` is the step after the last.
int positionOf(double value, const ValueRange& range, int steps);
double valueAt(int position, const ValueRange& range, int steps);
/// "8 192", "0.5"
QString fieldText(std::optional<double> value, const ValueRange& range);
/// "A whole number from 1 to 4 096": what a field takes.
QString allowedText(const ValueRange& range);
/// Returns the value that was typed: "8192", "8,192", "8k" (8,000), the word for off. Returns nothing if the
/// text is none of these or out of range.
std::optional<std::optional<double>> fieldValue(const QString& text, const ValueRange& range);

/// A slider with a mark under its groove.
class MarkedSlider : public QSlider {
    Q_OBJECT

public:
    explicit MarkedSlider(QWidget* parent = nullptr);
    void setMark(int position);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; ///< only with the focus: the panel scrolls

private:
    int mark_ = 0;
};

class ValueSlider : public QWidget {
    Q_OBJECT

public:
    ValueSlider(const QString& name, const ValueRange& range, QWidget* parent = nullptr);

    [[nodiscard]] std::optional<double> value() const { return value_; }

    void setValue(std::optional<double> value); ///< emits nothing
    /// Sets the value that "off" stands for, shown beside the name; nothing: only the word is shown.
    void setStandIn(std::optional<double> value);
    /// Empty: can be changed. Else disabled, and the tool tip says why.
    void setWhyNot(const QString& why);
    void setHelp(const QString& toolTip);

    [[nodiscard]] QSlider* slider() const { return slider_; }

    [[nodiscard]] QLineEdit* field() const { return field_; }

signals:
    /// By the user; `finished`: not in the middle of a drag.
    void changed(bool finished);
    void dragBegan();
    void dragCancelled(); ///< by Escape: the value is to be what it was at dragBegan()

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showValue();
    bool cancelDrag(QEvent* event);
    void choose(std::optional<double> value, bool finished);
    void takeField();

    ValueRange range_;
    std::optional<double> value_;
    bool isCancelled_ = false; ///< the button is still down
    QString name_, help_, whyNot_;
    QLabel* label_ = nullptr;
    MarkedSlider* slider_ = nullptr;
    QLineEdit* field_ = nullptr;
};

} // namespace loadline::ui
