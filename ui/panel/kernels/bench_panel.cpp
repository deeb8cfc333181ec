// Settings and progress of a measurement.
#include "ui/panel/kernels/bench_panel.h"

#include "core/cost/shapes/shapes.h"
#include "ui/panel/part/segments.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace loadline::ui {
namespace {

constexpr int mostNameLength = 80;

QHBoxLayout* rowOf(QLabel* label, QWidget* control) {
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing);
    label->setBuddy(control);
    row->addWidget(label);
    row->addWidget(control, 1);
    return row;
}

} // namespace

QString leftText(double seconds) {
    if (seconds < 0) {
        return {};
    }
    const auto whole = static_cast<int>(std::ceil(seconds));
    return whole < 90 ? QObject::tr("about %1 s left").arg(whole)
                      : QObject::tr("about %1 min left").arg((whole + 59) / 60);
}

BenchPanel::BenchPanel(QWidget* parent)
    : QWidget(parent), shapes_(new QComboBox(this)),
      preset_(new Segments(tr("Preset"),
                           {{tr("quick"), tr("About 10 s: fewer M, fewer samples")},
                            {tr("standard"), tr("Under a minute on a GPU, within three on two CPU cores")},
                            {tr("thorough"), tr("About five minutes: three passes in different order")}},
                           this)),
      name_(new QLineEdit(this)), run_(new QPushButton(this)), progress_(new QProgressBar(this)),
      doing_(mutedLabel({}, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing, spacing, spacing, spacing);
    column->setSpacing(spacing);
    auto* heading = new QLabel(tr("Measure"), this);
    heading->setFont(fontOf(1, true));
    column->addWidget(heading);

    shapes_->setAccessibleName(tr("Shapes to measure"));
    setTip(shapes_, tr("The matrix products of this model are timed"));
    shapes_->setMinimumContentsLength(10);
    shapes_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const ModelShapes& shapes : shapePresets()) {
        shapes_->addItem(QString::fromStdString(shapes.name), QString::fromStdString(shapes.key));
    }
    column->addLayout(rowOf(mutedLabel(tr("Shapes"), this), shapes_));

    auto* bits = new QHBoxLayout;
    bits->setSpacing(spacing);
    bits->addWidget(mutedLabel(tr("k"), this));
    for (int k = minKBits; k <= maxKBits; ++k) {
        auto* box = new QCheckBox(QString::number(k), this);
        box->setAccessibleName(tr("Measure k = %1").arg(k));
        setTip(box, tr("Weights of %1 bits").arg(k));
        kBits_.push_back(box);
        bits->addWidget(box);
        connect(box, &QCheckBox::clicked, this, &BenchPanel::take);
    }
    bits->addStretch(1);
    column->addLayout(bits);
    column->addWidget(preset_);

    name_->setAccessibleName(tr("Name of the profile"));
    name_->setPlaceholderText(tr("device, time, commit"));
    name_->setMaxLength(mostNameLength);
    name_->setMinimumWidth(0);
    setTip(name_, tr("What lists, legends and tables call this run, such as \u201cbefore\u201d"));
    column->addLayout(rowOf(mutedLabel(tr("Name"), this), name_));

    progress_->setAccessibleName(tr("Progress of the measurement"));
    progress_->setTextVisible(true);
    QSizePolicy steady = progress_->sizePolicy(); // the list above keeps its place
    steady.setRetainSizeWhenHidden(true);
    progress_->setSizePolicy(steady);
    doing_->setWordWrap(true);
    doing_->setFixedHeight(3 * doing_->fontMetrics().height()); // a longer text moves no button
    doing_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(run_);
    column->addWidget(progress_);
    column->addWidget(doing_);

    connect(shapes_, &QComboBox::activated, this, &BenchPanel::take);
    connect(name_, &QLineEdit::editingFinished, this, [this] {
        if (name_->text().trimmed().toStdString() != choice_.name) {
            take();
        }
    });
    connect(preset_, &Segments::chosen, this, &BenchPanel::take);
    connect(run_, &QPushButton::clicked, this, [this] {
        if (state_.running) {
            emit cancelRequested();
        } else {
            emit runRequested();
        }
    });
    setChoice({});
    showState();
}

void BenchPanel::setChoice(const BenchRequest& choice) {
    choice_ = choice;
    const QSignalBlocker quiet(shapes_);
    if (const QString name = QString::fromStdString(choice.name);
        !name_->hasFocus() && name_->text() != name) {
        name_->setText(name);
    }
    shapes_->setCurrentIndex(std::max(0, shapes_->findData(QString::fromStdString(choice.shapes))));
    for (std::size_t i = 0; i < kBits_.size(); ++i) {
        const int k = minKBits + static_cast<int>(i);
        kBits_[i]->setChecked(std::ranges::find(choice.kBits, k) != choice.kBits.end());
    }
    const auto* const preset = std::ranges::find(benchPresets, choice.preset);
    preset_->setCurrent(
        preset == std::end(benchPresets) ? 0 : static_cast<int>(preset - std::begin(benchPresets)));
    showState();
}

void BenchPanel::take() {
    choice_.shapes = shapes_->currentData().toString().toStdString();
    choice_.kBits.clear();
    for (std::size_t i = 0; i < kBits_.size(); ++i) {
        if (kBits_[i]->isChecked()) {
            choice_.kBits.push_back(minKBits + static_cast<int>(i));
        }
    }
    choice_.preset = benchPresets[preset_->current()];
    choice_.name = name_->text().trimmed().toStdString();
    showState();
    emit choiceChanged(choice_);
}

void BenchPanel::setDevice(const QString& name, const QString& whyNot) {
    device_ = name;
    whyNot_ = whyNot;
    showState();
}

void BenchPanel::setState(const BenchState& state) {
    state_ = state;
    showState();
}

void BenchPanel::showState() {
    const bool running = state_.running;
    QString why = whyNot_;
    if (why.isEmpty() && choice_.kBits.empty()) {
        why = tr("Choose at least one k");
    }
    run_->setText(running ? (state_.cancelling ? tr("Cancelling\u2026") : tr("Cancel")) : tr("Run"));
    run_->setEnabled(running || why.isEmpty()); // disabled while it cancels, it would give the focus away
    setTip(run_, running         ? tr("End the run; the points measured so far stay")
                 : why.isEmpty() ? tr("Measure the kernels of %1").arg(device_)
                                 : why);
    run_->setAccessibleName(running ? tr("Cancel the measurement") : tr("Run the measurement"));
    shapes_->setEnabled(!running);
    preset_->setEnabled(!running);
    name_->setEnabled(!running);
    for (QCheckBox* box : kBits_) {
        box->setEnabled(!running);
    }
    progress_->setVisible(running);
    if (running) {
        progress_->setRange(0, static_cast<int>(state_.total)); // 0 to 0: busy
        progress_->setValue(static_cast<int>(state_.done));
        progress_->setFormat(state_.total == 0 ? QString() : leftText(state_.secondsLeft));
        doing_->setText(lineText(state_.device + (state_.doing.isEmpty() ? QString() : ": " + state_.doing)));
        setTip(doing_, doing_->text());
    } else {
        doing_->setText(linesText(why));
    }
}

} // namespace loadline::ui
