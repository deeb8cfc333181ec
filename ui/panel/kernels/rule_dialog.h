// Edits which kernel serves which M; what is edited is told at once, what is typed when typing pauses.
#pragma once

#include "core/cost/kernel/kernel.h"
#include "core/cost/kernel/kernel_naming.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace loadline::ui {

class RangeTable;

/// The same rule as ranges and as one line of text; either may be edited, the other follows.
class RuleDialog : public QDialog {
    Q_OBJECT

public:
    explicit RuleDialog(DispatchRule rule, QWidget* parent = nullptr);

    /// Sets the names of the kernels; without it they have the names of their roles.
    void setNaming(const KernelNaming& naming);

    /// The last that could be used.
    [[nodiscard]] const DispatchRule& rule() const { return rule_; }

    /// Why nothing can be simulated with the rule as it stands; empty where it can.
    void setOutcome(const QString& sentence);

    [[nodiscard]] QComboBox* presets() const { return presets_; }

    [[nodiscard]] RangeTable* dense() const { return dense_; }

    [[nodiscard]] RangeTable* grouped() const { return grouped_; }

    [[nodiscard]] QLineEdit* text() const { return text_; }

    [[nodiscard]] QLabel* answer() const { return answer_; }

    [[nodiscard]] QDialogButtonBox* buttons() const { return buttons_; }

signals:
    /// By the user, and it can be used. Text is told when typing pauses or ends.
    void edited(const loadline::DispatchRule& rule);

private:
    void build();
    void choosePreset(int index);
    void takeRanges();
    void takeText();
    void take(const DispatchRule& rule);
    void tell();
    void showRule(bool textToo);
    void say(const QString& problem);
    void showWords();

    DispatchRule rule_;
    DispatchRule told_;   ///< by `edited`
    DispatchRule before_; ///< typing began: what the text leaves out stays as it is there
    KernelNaming naming_;
    QTimer typing_;
    QString refusal_; ///< why what was typed last was not taken
    QString problem_; ///< why what stands in the dialog cannot be used
    QString outcome_; ///< why it cannot be simulated
    QComboBox* presets_ = nullptr;
    RangeTable* dense_ = nullptr;
    RangeTable* grouped_ = nullptr;
    QLineEdit* text_ = nullptr;
    QLabel* answer_ = nullptr;
    QDialogButtonBox* buttons_ = nullptr;
};

} // namespace loadline::ui
