// A form of any question: each field with its unit and default, in parts; no button, a change counts at once.
#pragma once

#include "ui/form/field_rows.h"

#include <QWidget>

class QAction;
class QBoxLayout;
class QToolButton;

namespace loadline::ui {

/// Words that a question has for the parts of its form.
struct FormWords {
    std::map<ask::FormPart, QString> headings{}; ///< a part without one has the usual heading
    QString more{};                              ///< the tip of "More": what is in it
};

class FieldForm : public QWidget {
    Q_OBJECT

public:
    /// `fields` outlive the form; `usual`: the question as nobody has set anything.
    FieldForm(ask::Fields fields, const ask::Question& usual, const FormWords& words = {},
              const FieldEditors& editors = {}, QWidget* parent = nullptr);

    // Emit nothing.
    void setQuestion(const ask::Question& question);
    void setSources(const ask::Sources& sources, const FieldLists& lists = {});

    [[nodiscard]] const ask::Question& question() const { return state_.question; }

    /// The control of a field: a ValueSlider, Segments, QComboBox, QCheckBox or QLineEdit. Null: it has none.
    [[nodiscard]] QWidget* control(std::string_view key) const;
    void setMoreShown(bool shown);
    /// Returns a width that fits all fields, so that nothing is cut when more of them are shown.
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// A button beside a list, for what edits the thing that it names.
    void setEditAction(std::string_view key, QAction* action);

signals:
    /// By the user. Not `finished`: in the middle of a drag.
    void changed(const loadline::ask::Question& question, bool finished, const loadline::ask::Field& field);
    /// The user wants to name a file for the field.
    void fileRequested(const loadline::ask::Field& field);
    void moreShown(bool shown); ///< the part below "More"
    void dragBegan();
    void dragCancelled(); ///< the question is to be what it was at dragBegan()

private:
    void addPart(QBoxLayout& column, ask::FormPart part, const FormWords& words, const FieldEditors& editors);
    void addMore(QBoxLayout& column, const FormWords& words, const FieldEditors& editors);
    bool change(const ask::Field& field, bool finished, const FormHand::Set& set);
    void refresh();

    ask::Fields fields_;
    ask::Question usual_;
    FormState state_;
    FormHand hand_;
    std::vector<FieldRow> rows_;
    QToolButton* moreButton_ = nullptr;
    QWidget* more_ = nullptr;
};

} // namespace loadline::ui
