// The form of attention facts.
#include "ui/panel/kernels/attention_form.h"

#include "core/cost/shapes/shape_limits.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

namespace loadline::ui {
namespace {

constexpr int fieldsPerRow = 4;

void place(QGridLayout& grid, int at, const QString& name, const QString& help, QWidget* field) {
    auto* label = new QLabel(name);
    label->setBuddy(field);
    setTip(label, help);
    setTip(field, help);
    QString plain = name;
    field->setAccessibleName(plain.remove('&'));
    const int row = 2 * (at / fieldsPerRow);
    grid.addWidget(label, row, at % fieldsPerRow);
    grid.addWidget(field, row + 1, at % fieldsPerRow);
}

} // namespace

AttentionForm::AttentionForm(QWidget* parent)
    : QWidget(parent), known_(new QCheckBox(tr("The model's &attention is known"))), fields_(new QWidget),
      kind_(new QComboBox), state_(new QDoubleSpinBox) {
    known_->setFont(fontOf(1, true));
    setTip(known_, tr("Without it only matrix products can be simulated, not whole steps"));
    auto* grid = new QGridLayout(fields_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * spacing);
    grid->setVerticalSpacing(spacing / 2);
    kind_->addItems({tr("grouped"), tr("sliding window"), tr("hybrid with linear")}); // as AttentionKind
    place(*grid, 0, tr("&Kind"), tr("How attention reads its context"), kind_);
    layers_ = addNumber(*grid, 1, tr("La&yers"), tr("All layers of the model"), 1, mostLayers);
    fullLayers_ = addNumber(*grid, 2, tr("&Full layers"), tr("Layers whose attention sees the whole context"),
                            0, mostLayers);
    window_ = addNumber(*grid, 3, tr("&Window"), tr("Tokens that the other layers see; 0: they see none"), 0,
                        mostWindow);
    qHeads_ = addNumber(*grid, 4, tr("&Query heads"), tr("Attention heads of a layer"), 1, mostHeads);
    kvHeads_ = addNumber(*grid, 5, tr("K&V heads"), tr("Key and value heads of a layer"), 1, mostHeads);
    headDim_ = addNumber(*grid, 6, tr("&Head size"), tr("Elements of a head"), 1, mostHeadDim);
    state_->setRange(0, mostStateBytes);
    state_->setDecimals(0);
    state_->setGroupSeparatorShown(true);
    state_->setSuffix(tr(" B"));
    place(*grid, 7, tr("Stat&e"),
          tr("Bytes of recurrent state a sequence holds, however long it is (linear attention)"), state_);
    columnOf({known_, fields_}, spacing / 2, this);

    const auto tell = [this] {
        if (!showing_) {
            emit edited();
        }
    };
    connect(known_, &QCheckBox::toggled, this, [this, tell] {
        showEnabled();
        tell();
    });
    connect(kind_, &QComboBox::currentIndexChanged, this, tell);
    connect(state_, &QDoubleSpinBox::valueChanged, this, tell);
    for (const QSpinBox* box : {layers_, fullLayers_, window_, qHeads_, kvHeads_, headDim_}) {
        connect(box, &QSpinBox::valueChanged, this, tell);
    }
    setFacts(std::nullopt);
}

QSpinBox* AttentionForm::addNumber(QGridLayout& grid, int at, const QString& name, const QString& help,
                                   std::int64_t low, std::int64_t high) {
    auto* box = new QSpinBox;
    box->setRange(static_cast<int>(low), static_cast<int>(high));
    box->setGroupSeparatorShown(true);
    box->setAccelerated(true);
    place(grid, at, name, help, box);
    return box;
}

void AttentionForm::setFacts(const std::optional<AttentionFacts>& facts) {
    // Start with an ordinary grouped attention if nothing is known.
    const AttentionFacts shown = facts.value_or(
        AttentionFacts{.layers = 32, .fullLayers = 32, .qHeads = 32, .kvHeads = 8, .headDim = 128});
    showing_ = true;
    known_->setChecked(facts.has_value());
    if (facts || layers_->value() == layers_->minimum()) {
        kind_->setCurrentIndex(static_cast<int>(shown.kind));
        layers_->setValue(shown.layers);
        fullLayers_->setValue(shown.fullLayers);
        window_->setValue(static_cast<int>(shown.window));
        qHeads_->setValue(shown.qHeads);
        kvHeads_->setValue(shown.kvHeads);
        headDim_->setValue(shown.headDim);
        state_->setValue(shown.stateBytes);
        latentValues_ = shown.latentValues;
    }
    showEnabled();
    showing_ = false;
}

std::optional<AttentionFacts> AttentionForm::facts() const {
    if (!known_->isChecked()) {
        return std::nullopt;
    }
    return AttentionFacts{.kind = static_cast<AttentionKind>(kind_->currentIndex()),
                          .layers = layers_->value(),
                          .fullLayers = fullLayers_->value(),
                          .window = window_->value(),
                          .qHeads = qHeads_->value(),
                          .kvHeads = kvHeads_->value(),
                          .headDim = headDim_->value(),
                          .stateBytes = state_->value(),
                          .latentValues = latentValues_};
}

void AttentionForm::showEnabled() {
    fields_->setEnabled(known_->isChecked());
}

} // namespace loadline::ui
