// Brings kernels of one's own from a file of timings: a preview before anything is added.
#pragma once

#include "core/cost/import/kernel_import.h"
#include "ui/chart/plot_drawing.h"

#include <QDialog>
#include <QStringList>

#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace loadline::ui {

class KernelImportModel;
class PlotView;

/// Emits `edited` when the user's choices change; its owner computes the result and passes it to setPreview.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    /// The profile with the chosen kernels added.
    struct Preview {
        std::shared_ptr<const PlotDrawing> drawing; ///< null: nothing can be drawn
        QStringList remarks;                        ///< sentences
        QString problem;                            ///< why it cannot be added; empty: it can
    };

    /// `profiles`: names of those that may be copied; `shown`: the one that is shown, offered first; none:
    /// a profile of its own is. `shownShape`: of its chart, drawn first where the file has it.
    ImportDialog(KernelImport offer, const QString& file, QStringList profiles, std::optional<int> shown,
                 const TimedShape& shownShape, QWidget* parent = nullptr);

    [[nodiscard]] const KernelImport& offer() const;
    /// Takes the place of the offer, after deviceAsked.
    void setOffer(KernelImport offer);
    /// The device that the file was timed on, for onDevice; "": the one that the file names.
    [[nodiscard]] std::string device() const;
    /// Index of the profile whose copy gets the kernels; none: they become a profile of their own.
    [[nodiscard]] std::optional<int> copied() const;
    [[nodiscard]] QString profileName() const;
    [[nodiscard]] bool useForSimulation() const;
    /// The shape of the drawn series.
    [[nodiscard]] TimedShape shape() const;
    [[nodiscard]] int kBits() const;

    void setPreview(const Preview& preview);

    [[nodiscard]] KernelImportModel* model() const { return model_; }

    [[nodiscard]] QComboBox* into() const { return into_; }

    [[nodiscard]] QComboBox* devices() const { return devices_; }

    [[nodiscard]] QLineEdit* name() const { return name_; }

    [[nodiscard]] QCheckBox* use() const { return use_; }

    [[nodiscard]] PlotView* plot() const { return plot_; }

    [[nodiscard]] QLabel* words() const { return words_; }

    [[nodiscard]] QDialogButtonBox* buttons() const { return buttons_; }

signals:
    void edited();
    void deviceAsked(const QString& name); ///< of several in the file, to be read instead

private:
    void build(const QString& file, std::optional<int> shown);
    void connectAll();
    void listDevices();
    void showSeries();
    void proposeName();
    void showWords();

    KernelImportModel* model_ = nullptr;
    QTableView* table_ = nullptr;
    QComboBox* series_ = nullptr;
    PlotView* plot_ = nullptr;
    QComboBox* devices_ = nullptr;
    QComboBox* into_ = nullptr;
    QLineEdit* name_ = nullptr;
    QCheckBox* use_ = nullptr;
    QLabel* words_ = nullptr;
    QDialogButtonBox* buttons_ = nullptr;
    QStringList profiles_;
    TimedShape shownShape_;
    Preview preview_;
    bool named_ = false; ///< the profile, by the user
};

} // namespace loadline::ui
