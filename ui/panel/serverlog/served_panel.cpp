// The form of the Server log page.
#include "ui/panel/serverlog/served_panel.h"

#include "core/cache/split/cache_model.h"
#include "core/cost/device/hardware.h"
#include "ui/form/value_slider.h"
#include "ui/panel/part/quiet_box.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QVBoxLayout>

#include <string_view>

namespace loadline::ui {
namespace {

ValueRange servedRange(double least, double most, std::optional<double> usual, const QString& unit,
                       const QString& off) {
    ValueRange range;
    range.least = range.fieldLeast = least;
    range.most = range.fieldMost = most;
    range.usual = usual;
    range.scale = ValueRange::Scale::Log;
    range.whole = false;
    range.unit = unit;
    range.off = off;
    return range;
}

QString keyText(std::string_view key) {
    return QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
}

QLabel* servedHeading(const QString& text) {
    auto* label = new QLabel(text);
    label->setFont(fontOf(1, true));
    return label;
}

} // namespace

template <typename Set>
ValueSlider* ServedPanel::addNumber(ValueSlider* slider, const QString& help, const QString& what, Set set) {
    slider->setHelp(help);
    connect(slider, &ValueSlider::changed, this, [this, slider, what, set](bool finished) {
        set(settings_, slider->value());
        emit changed(settings_, what, finished);
    });
    layout()->addWidget(slider);
    return slider;
}

/// No wider than the panel, whatever stands in it; its first row: as the log says.
QComboBox* ServedPanel::addList(const QString& name, const QString& help) {
    auto* list = new QuietBox(this);
    list->setAccessibleName(name);
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(12);
    setTip(list, help);
    list->addItem(QString(), QString());
    layout()->addWidget(list);
    return list;
}

ServedPanel::ServedPanel(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing, spacing, spacing + spacing / 2, spacing);
    column->setSpacing(spacing / 2);
    column->addWidget(servedHeading(tr("Which model")));
    model_ =
        addList(tr("Model"), tr("Its weights are read for every token, and the KV cache of its context"));
    for (const CacheModel& model : cacheModels()) {
        model_->addItem(keyText(model.key), keyText(model.key));
        setItemTip(model_, model_->count() - 1, keyText(model.source));
    }
    const ServedSettings usual;
    bits_ =
        addNumber(new ValueSlider(tr("Bits per weight"), servedRange(1, 32, std::nullopt, {}, tr("auto"))),
                  tr("With scales: 4 bits in groups of 64 take 4.5. Auto: as the model's name says"),
                  tr("Change the bits per weight"),
                  [](ServedSettings& settings, const auto& value) { settings.bitsPerWeight = value; });
    kvBytes_ = addNumber(
        new ValueSlider(tr("KV bytes per value"), servedRange(0.25, 4, usual.kvBytesPerValue, {}, {})),
        tr("2 for bf16, 1 for fp8"), tr("Change the bytes of a KV value"),
        [](ServedSettings& settings, const auto& value) { settings.kvBytesPerValue = value.value_or(2); });
    gbPerToken_ = addNumber(
        new ValueSlider(tr("Weights a token"), servedRange(0.1, 1000, std::nullopt, tr("GB"), tr("model's"))),
        tr("1e9 bytes of weights that one stream reads for a token, of any model, known or not"),
        tr("Change the weights read for a token"),
        [](ServedSettings& settings, const auto& value) { settings.gbPerToken = value; });
    kvBytesPerToken_ = addNumber(
        new ValueSlider(tr("KV a token"), servedRange(1, 1e7, std::nullopt, tr("B"), tr("model's"))),
        tr("Bytes of KV cache that a token of context takes, on all devices together"),
        tr("Change the KV cache of a token"),
        [](ServedSettings& settings, const auto& value) { settings.kvBytesPerToken = value; });
    column->addSpacing(spacing / 2);
    column->addWidget(servedHeading(tr("On what")));
    device_ = addList(tr("Device"), tr("Its memory's bandwidth sets the ceiling"));
    for (const Hardware& hardware : hardwareTable()) {
        device_->addItem(QString::fromStdString(hardware.key), QString::fromStdString(hardware.key));
        setItemTip(
            device_, device_->count() - 1,
            tr("%1 GB/s (%2)").arg(realText(hardware.bandwidthGbS), QString::fromStdString(hardware.source)));
    }
    bandwidth_ = addNumber(
        new ValueSlider(tr("Bandwidth"), servedRange(1, 100'000, std::nullopt, tr("GB/s"), tr("device's"))),
        tr("Of all devices together, where it is not the device's own"), tr("Change the bandwidth"),
        [](ServedSettings& settings, const auto& value) { settings.bandwidthGBs = value; });
    words_ = mutedLabel({}, this);
    words_->setWordWrap(true);
    words_->setFont(fontOf(0.9));
    column->addWidget(words_);
    column->addStretch(1);
    connect(model_, &QComboBox::activated, this, [this](int row) {
        settings_.model = model_->itemData(row).toString().toStdString();
        emit changed(settings_, tr("Change the model"), true);
    });
    connect(device_, &QComboBox::activated, this, [this](int row) {
        settings_.device = device_->itemData(row).toString().toStdString();
        emit changed(settings_, tr("Change the device"), true);
    });
    setSettings(usual);
    setFound({}, {}, {});
}

void ServedPanel::setSettings(const ServedSettings& settings) {
    settings_ = settings;
    bits_->setValue(settings.bitsPerWeight);
    kvBytes_->setValue(settings.kvBytesPerValue);
    bandwidth_->setValue(settings.bandwidthGBs);
    gbPerToken_->setValue(settings.gbPerToken);
    kvBytesPerToken_->setValue(settings.kvBytesPerToken);
    model_->setCurrentIndex(model_->findData(QString::fromStdString(settings.model)));
    device_->setCurrentIndex(device_->findData(QString::fromStdString(settings.device)));
}

void ServedPanel::setFound(const QString& model, const QString& device, const QString& words) {
    const auto text = [this](const QString& found) {
        return found.isEmpty() ? tr("auto: not told") : tr("auto: %1").arg(lineText(found, 60));
    };
    model_->setItemText(0, text(model));
    device_->setItemText(0, text(device));
    words_->setText(linesText(words));
}

} // namespace loadline::ui
