// Remedies if a model does not fit into its device: a smaller k, another device; a button each.
#pragma once

#include "core/simulate/fit/memory_fit.h"

#include <QWidget>

class QPushButton;

namespace loadline::app {

/// Hidden while the weights fit, or while nobody knows.
class MemoryRemedies : public QWidget {
    Q_OBJECT

public:
    explicit MemoryRemedies(QWidget* parent = nullptr);

    void show(const MemoryFit& fit);

signals:
    void kBitsChosen(int kBits);
    void deviceChosen(const QString& key); ///< of the hardware table

private:
    QPushButton* fewerBits_ = nullptr;
    QPushButton* device_ = nullptr;
    MemoryFit fit_;
};

} // namespace loadline::app
