// One number of a form.
#include "ui/form/value_slider.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/typed_number.h"

#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyleOptionSlider>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr int steps = 400;
constexpr int fieldWidth = 10 * spacing; // "published" is the widest word

double roundedTo(double value, const ValueRange& range) {
    if (range.scale == ValueRange::Scale::Binary) {
        const double grain = std::max(1.0, std::exp2(std::floor(std::log2(std::max(value, 1.0))) - 3));
        return std::round(value / grain) * grain;
    }
    if (range.whole) {
        return std::round(value);
    }
    if (value == 0) {
        return 0;
    }
    const double digits = std::pow(10.0, 1 - std::floor(std::log10(std::abs(value)))); // two that count
    return std::round(value * digits) / digits;
}

} // namespace

int positionOf(double value, const ValueRange& range, int count) {
    const bool linear = range.scale == ValueRange::Scale::Linear;
    const double held = std::clamp(value, range.least, range.most);
    const double share = linear ? (held - range.least) / (range.most - range.least)
                                : std::log(held / range.least) / std::log(range.most / range.least);
    return static_cast<int>(std::lround(share * count));
}

double valueAt(int position, const ValueRange& range, int count) {
    const double share = static_cast<double>(position) / count;
    const double value = range.scale == ValueRange::Scale::Linear
                             ? range.least + share * (range.most - range.least)
                             : range.least * std::pow(range.most / range.least, share);
    return std::clamp(roundedTo(value, range), range.least, range.most);
}

QString fieldText(std::optional<double> value, const ValueRange& range) {
    if (!value) {
        return range.off;
    }
    return range.whole ? exactText(std::llround(*value)) : QString::fromStdString(formatReal(*value, 6));
}

std::optional<std::optional<double>> fieldValue(const QString& text, const ValueRange& range) {
    const QString plain = text.trimmed().toLower();
    if (!range.off.isEmpty() && (plain == range.off.toLower() || plain == QStringLiteral("none"))) {
        return std::optional<double>();
    }
    const std::optional<double> value = numberFromText(text);
    if (!value || *value < range.fieldLeast || *value > range.fieldMost ||
        (range.whole && *value != std::round(*value))) {
        return std::nullopt;
    }
    return value;
}

QString allowedText(const ValueRange& range) {
    const auto text = [&](double value) {
        return range.whole ? exactText(std::llround(value)) : QString::fromStdString(formatReal(value, 6));
    };
    const QString numbers =
        QObject::tr(range.whole ? "A whole number from %1 to %2" : "A number from %1 to %2")
            .arg(text(range.fieldLeast), text(range.fieldMost));
    return range.off.isEmpty() ? numbers : QObject::tr("%1, or \"%2\"").arg(numbers, range.off);
}

MarkedSlider::MarkedSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setFocusPolicy(Qt::StrongFocus);
}

void MarkedSlider::setMark(int position) {
    mark_ = position;
    update();
}

void MarkedSlider::paintEvent(QPaintEvent* event) {
    QSlider::paintEvent(event);
    QStyleOptionSlider option;
    initStyleOption(&option);
    option.sliderPosition = mark_;
    const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    QPainter painter(this);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeOf(*this).textMuted);
    painter.drawRect(QRectF(handle.center().x() - 0.5, height() - 4, 2, 4));
}

void MarkedSlider::wheelEvent(QWheelEvent* event) {
    if (hasFocus()) {
        QSlider::wheelEvent(event);
    } else {
        event->ignore();
    }
}

ValueSlider::ValueSlider(const QString& name, const ValueRange& range, QWidget* parent)
    : QWidget(parent), range_(range), value_(range.usual), name_(name), label_(new QLabel(name, this)),
      slider_(new MarkedSlider(this)), field_(new QLineEdit(this)) {
    const int last = range_.off.isEmpty() ? steps : steps + 1;
    slider_->setRange(0, last);
    slider_->setPageStep(steps / 20);
    slider_->setMark(range_.usual ? positionOf(*range_.usual, range_, steps) : last);
    slider_->setAccessibleName(name);
    field_->setFixedWidth(fieldWidth);
    field_->setAlignment(Qt::AlignRight);
    field_->setAccessibleName(range_.unit.isEmpty() ? name : name + ", " + range_.unit);
    field_->installEventFilter(this);
    label_->setBuddy(field_);
    label_->installEventFilter(this);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(spacing / 2);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    grid->addWidget(label_, 0, 0);
    grid->addWidget(field_, 0, 1);
    auto* unit = mutedLabel(range_.unit, this);
    unit->setMinimumWidth(unit->fontMetrics().horizontalAdvance(QStringLiteral("tokens")));
    grid->addWidget(unit, 0, 2);
    grid->addWidget(slider_, 1, 0, 1, 3);
    setHelp({});
    showValue();

    connect(slider_, &QSlider::valueChanged, this, [this](int position) {
        const bool off = position > steps;
        choose(off ? std::nullopt : std::optional(valueAt(position, range_, steps)),
               !slider_->isSliderDown());
    });
    slider_->installEventFilter(this);
    connect(slider_, &QSlider::sliderPressed, this, &ValueSlider::dragBegan);
    connect(slider_, &QSlider::sliderReleased, this, [this] { emit changed(true); });
    connect(field_, &QLineEdit::editingFinished, this, &ValueSlider::takeField);
    // After Return, keys go to the window as shortcuts and not into the field as digits.
    connect(field_, &QLineEdit::returnPressed, slider_, [this] { slider_->setFocus(Qt::OtherFocusReason); });
}

void ValueSlider::setValue(std::optional<double> value) {
    if (value_ != value || (!field_->isModified() && field_->text() != fieldText(value, range_))) {
        value_ = value;
        showValue();
    }
}

void ValueSlider::setStandIn(std::optional<double> value) {
    const QString text = value ? name_ + QStringLiteral(": ") + fieldText(value, range_) : name_;
    if (label_->text() != text) {
        label_->setText(text);
    }
}

void ValueSlider::setWhyNot(const QString& why) {
    whyNot_ = why;
    setEnabled(why.isEmpty());
    setTip(this, why.isEmpty() ? help_ : why);
}

void ValueSlider::setHelp(const QString& toolTip) {
    const QString usual = fieldText(range_.usual, range_) + (range_.unit.isEmpty() ? "" : ' ' + range_.unit);
    help_ = (toolTip.isEmpty() ? QString() : toolTip + "\n") +
            tr("Default: %1; double click on the name to go back to it").arg(usual);
    setWhyNot(whyNot_);
}

void ValueSlider::showValue() {
    const QSignalBlocker quiet(slider_);
    if (!slider_->isSliderDown()) { // the hand is where it is
        slider_->setValue(value_ ? positionOf(*value_, range_, steps) : steps + 1);
    }
    field_->setText(fieldText(value_, range_));
    field_->setModified(false);
}

void ValueSlider::choose(std::optional<double> value, bool finished) {
    if (value == value_) {
        return;
    }
    value_ = value;
    showValue();
    emit changed(finished);
}

void ValueSlider::takeField() {
    const auto value = fieldValue(field_->text(), range_);
    if (value) {
        choose(*value, true);
    } else if (isVisible()) {
        showTip(field_->mapToGlobal(QPoint(0, field_->height())), allowedText(range_), field_);
    }
    showValue(); // what cannot be is not kept
}

/// Escape ends a drag, and the handle no longer follows the mouse. Returns whether the event is done with.
bool ValueSlider::cancelDrag(QEvent* event) {
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (isKey && slider_->isSliderDown() && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::KeyPress) {
            isCancelled_ = true;
            const QSignalBlocker quiet(slider_);
            slider_->setSliderDown(false);
            emit dragCancelled();
            showValue();
        }
        return true;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        isCancelled_ = false;
    }
    return isCancelled_ && event->type() == QEvent::MouseMove;
}

bool ValueSlider::eventFilter(QObject* watched, QEvent* event) {
    if (watched == slider_ && cancelDrag(event)) {
        return true;
    }
    if (watched == label_ && event->type() == QEvent::MouseButtonDblClick && isEnabled()) {
        choose(range_.usual, true);
        return true;
    }
    if (watched == field_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            slider_->triggerAction(key == Qt::Key_Up ? QSlider::SliderSingleStepAdd
                                                     : QSlider::SliderSingleStepSub);
            return true;
        }
        if (key == Qt::Key_Escape && field_->isModified()) {
            showValue();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace loadline::ui
