// A form of the known facts of a model's attention.
#pragma once

#include "core/cost/shapes/shapes.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QSpinBox;

namespace loadline::ui {

class AttentionForm : public QWidget {
    Q_OBJECT

public:
    explicit AttentionForm(QWidget* parent = nullptr);

    /// Nothing: only GEMMs are known. Emits nothing.
    void setFacts(const std::optional<AttentionFacts>& facts);
    /// Returns the facts in the form, whether they can be used or not.
    [[nodiscard]] std::optional<AttentionFacts> facts() const;

    [[nodiscard]] QCheckBox* known() const { return known_; }

    [[nodiscard]] QComboBox* kind() const { return kind_; }

    [[nodiscard]] QSpinBox* layers() const { return layers_; }

    [[nodiscard]] QSpinBox* fullLayers() const { return fullLayers_; }

    [[nodiscard]] QSpinBox* window() const { return window_; }

    [[nodiscard]] QSpinBox* kvHeads() const { return kvHeads_; }

signals:
    void edited(); ///< by the user

private:
    QSpinBox* addNumber(QGridLayout& grid, int place, const QString& name, const QString& help,
                        std::int64_t low, std::int64_t high);
    void showEnabled();

    bool showing_ = false; ///< what changes is not the user's doing
    QCheckBox* known_ = nullptr;
    QWidget* fields_ = nullptr;
    QComboBox* kind_ = nullptr;
    QSpinBox* layers_ = nullptr;
    QSpinBox* fullLayers_ = nullptr;
    QSpinBox* window_ = nullptr;
    QSpinBox* qHeads_ = nullptr;
    QSpinBox* kvHeads_ = nullptr;
    QSpinBox* headDim_ = nullptr;
    QDoubleSpinBox* state_ = nullptr;
    int latentValues_ = 0; ///< of the facts that were set; no field shows it
};

} // namespace loadline::ui
