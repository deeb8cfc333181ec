// Edits a model's shapes: its matrix products and what is known of its attention; told at once.
#pragma once

#include "core/cost/shapes/shapes.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace loadline::ui {

class AttentionForm;
class GemmModel;

class ShapesDialog : public QDialog {
    Q_OBJECT

public:
    /// `folder`: where shapes are kept when the dialog is accepted, to be said.
    ShapesDialog(const ModelShapes& shapes, const QString& folder, QWidget* parent = nullptr);

    /// The last that could be used: a preset where nothing of it was changed.
    [[nodiscard]] const ModelShapes& shapes() const { return shapes_; }

    /// Replaces what stands in the dialog (a file that was loaded): as edited by the user.
    void load(const ModelShapes& shapes);
    /// Why nothing can be simulated with the shapes as they stand; empty where it can.
    void setOutcome(const QString& sentence);
    /// Shows the result of loading or saving a file, until the next change.
    void say(const QString& words, bool wrong);

    [[nodiscard]] QComboBox* presets() const { return presets_; }

    [[nodiscard]] QLineEdit* name() const { return name_; }

    [[nodiscard]] GemmModel* gemms() const { return gemms_; }

    [[nodiscard]] QTableView* view() const { return view_; }

    [[nodiscard]] AttentionForm* attention() const { return attention_; }

    [[nodiscard]] QPushButton* addButton() const { return add_; }

    [[nodiscard]] QPushButton* removeButton() const { return remove_; }

    [[nodiscard]] QLabel* answer() const { return answer_; }

    [[nodiscard]] QDialogButtonBox* buttons() const { return buttons_; }

signals:
    /// By the user, and they can be used.
    void edited(const loadline::ModelShapes& shapes);
    void loadRequested();
    void saveRequested();

private:
    void build(const QString& folder);
    QLayout* buildTable();
    void connectAll();
    void show(const ModelShapes& shapes);
    void take();
    void addGemm();
    void removeGemm();
    void showWords();

    ModelShapes base_;   ///< what was started from
    ModelShapes shapes_; ///< as edited
    QString refusal_;    ///< why what was typed last was not taken
    QString problem_;    ///< why what stands in the dialog cannot be used
    QString outcome_;    ///< why it cannot be simulated
    QString note_;       ///< of a file
    bool noteWrong_ = false;
    QComboBox* presets_ = nullptr;
    QLineEdit* name_ = nullptr;
    QLineEdit* source_ = nullptr;
    GemmModel* gemms_ = nullptr;
    QTableView* view_ = nullptr;
    AttentionForm* attention_ = nullptr;
    QPushButton* add_ = nullptr;
    QPushButton* remove_ = nullptr;
    QLabel* answer_ = nullptr;
    QDialogButtonBox* buttons_ = nullptr;
};

/// The key of edited shapes: their name in small letters, digits and hyphens.
std::string keyFor(const std::string& name);

} // namespace loadline::ui
