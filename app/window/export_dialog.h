// Size, scale and colours of an export, with a picture of how it will look.
#pragma once

#include "app/chart/chart_request.h"
#include "app/window/export_flow.h"
#include "app/window/settings.h"

#include <QDialog>

#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace loadline::app {

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    ExportDialog(ChartRequest request, std::shared_ptr<const Corpus> corpus, const ExportChoices& choices,
                 QWidget* parent = nullptr);

    [[nodiscard]] ExportChoices choices() const;

signals:
    void previewShown();

private:
    void build(const ExportChoices& choices);
    void refresh();

    ChartRequest request_;
    std::shared_ptr<const Corpus> corpus_;
    ExportFlow flow_;
    QString folder_;
    QComboBox* format_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QDoubleSpinBox* scale_ = nullptr;
    QComboBox* theme_ = nullptr;
    QLabel* pixels_ = nullptr;
    QLabel* preview_ = nullptr;
};

} // namespace loadline::app
