// The buttons under charts that are not there because the weights do not fit.
#include "app/pages/simulation/memory_remedies.h"

#include "core/simulate/run/kv_blocks.h"
#include "core/text/number_format.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QLayout>
#include <QPushButton>

namespace loadline::app {

MemoryRemedies::MemoryRemedies(QWidget* parent)
    : QWidget(parent), fewerBits_(new QPushButton(this)), device_(new QPushButton(this)) {
    ui::rowOf({fewerBits_, device_, ui::Stretch{1}}, ui::spacing, this);
    layout()->setContentsMargins(2 * ui::spacing, 0, 2 * ui::spacing, ui::spacing);
    connect(fewerBits_, &QPushButton::clicked, this, [this] { emit kBitsChosen(fit_.fittingKBits); });
    connect(device_, &QPushButton::clicked, this,
            [this] { emit deviceChosen(QString::fromStdString(fit_.fittingDevice->key)); });
    hide();
}

void MemoryRemedies::show(const MemoryFit& fit) {
    fit_ = fit;
    const bool fewer = fit.fittingKBits > 0;
    fewerBits_->setVisible(fewer);
    fewerBits_->setText(tr("Take k = %1").arg(fit.fittingKBits));
    ui::setTip(fewerBits_, tr("The most bits whose weights and longest turn fit into %1")
                               .arg(QString::fromStdString(formatGib(fit.roomBytes()))));
    const bool elsewhere = fit.fittingDevice != nullptr;
    device_->setVisible(elsewhere);
    if (elsewhere) {
        const QString key = QString::fromStdString(fit.fittingDevice->key);
        device_->setText(tr("Take %1 (%2)")
                             .arg(key)
                             .arg(QString::fromStdString(formatGib(memoryBytesOf(*fit.fittingDevice)))));
        ui::setTip(device_, tr("Kernel times become rooflines of the %1").arg(key));
    }
    setVisible(fit.isTooLarge() && (fewer || elsewhere));
}

} // namespace loadline::app
