// A form of any question: its parts, and what a change does.
#include "ui/form/field_form.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadline::ui {
namespace {

using ask::Field;
using ask::FormPart;

QString headingOf(FormPart part, const FormWords& words) {
    if (const auto own = words.headings.find(part); own != words.headings.end()) {
        return own->second;
    }
    switch (part) {
    case FormPart::Sources:
        return FieldForm::tr("What it is about");
    case FormPart::Asks:
        return FieldForm::tr("Who asks");
    case FormPart::Holds:
        return FieldForm::tr("What is held");
    case FormPart::Costs:
        return FieldForm::tr("What it costs");
    case FormPart::View:
        return FieldForm::tr("What is shown");
    case FormPart::None:
    case FormPart::More:
        break;
    }
    return {};
}

/// The fields of a part, by rank.
std::vector<const Field*> fieldsIn(FormPart part, ask::Fields fields) {
    std::vector<const Field*> found;
    for (const Field& field : fields) {
        if (field.form.part == part) {
            found.push_back(&field);
        }
    }
    std::ranges::stable_sort(found, {}, [](const Field* field) { return field->form.rank; });
    return found;
}

} // namespace

FieldForm::FieldForm(ask::Fields fields, const ask::Question& usual, const FormWords& words,
                     const FieldEditors& editors, QWidget* parent)
    : QWidget(parent), fields_(fields), usual_(usual), state_{usual, {}, {}},
      hand_{[this](const Field& field, bool finished, const FormHand::Set& set) {
                return change(field, finished, set);
            },
            [this](const Field& field) {
                refresh(); // until a file is named
                emit fileRequested(field);
            },
            [this] { emit dragBegan(); }, [this] { emit dragCancelled(); }} {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing, spacing, spacing + spacing / 2, spacing);
    column->setSpacing(spacing / 2);
    for (const FormPart part :
         {FormPart::Sources, FormPart::Asks, FormPart::Holds, FormPart::Costs, FormPart::View}) {
        addPart(*column, part, words, editors);
    }
    addMore(*column, words, editors);
    column->addStretch(1);
    refresh();
}

void FieldForm::addPart(QBoxLayout& column, FormPart part, const FormWords& words,
                        const FieldEditors& editors) {
    const auto fields = fieldsIn(part, fields_);
    if (fields.empty()) {
        return;
    }
    if (part != FormPart::More) {
        auto* heading = new QLabel(headingOf(part, words));
        heading->setFont(fontOf(1, true));
        if (column.count() > 0) {
            column.addSpacing(spacing / 2);
        }
        column.addWidget(heading);
    }
    for (const Field* field : fields) {
        rows_.push_back(fieldRowOf(*field, usual_, hand_, editors));
        column.addWidget(rows_.back().whole);
    }
}

void FieldForm::addMore(QBoxLayout& column, const FormWords& words, const FieldEditors& editors) {
    if (fieldsIn(FormPart::More, fields_).empty()) {
        return;
    }
    moreButton_ = new QToolButton(this);
    moreButton_->setText(tr("More"));
    moreButton_->setCheckable(true);
    moreButton_->setAutoRaise(true);
    moreButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    moreButton_->setArrowType(Qt::RightArrow);
    setTip(moreButton_, words.more);
    connect(moreButton_, &QToolButton::toggled, this, [this](bool shown) {
        setMoreShown(shown);
        emit moreShown(shown);
    });
    column.addSpacing(spacing / 2);
    column.addWidget(moreButton_);
    more_ = new QWidget(this);
    auto* inner = new QVBoxLayout(more_);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(spacing / 2);
    addPart(*inner, FormPart::More, words, editors);
    column.addWidget(more_);
    more_->hide();
}

void FieldForm::setQuestion(const ask::Question& question) {
    state_.question = question;
    refresh();
}

void FieldForm::setSources(const ask::Sources& sources, const FieldLists& lists) {
    if (sources == state_.sources && lists == state_.lists) {
        return;
    }
    state_.sources = sources;
    state_.lists = lists;
    refresh();
}

QWidget* FieldForm::control(std::string_view key) const {
    const auto row = std::ranges::find_if(rows_, [&](const FieldRow& r) { return r.field->key == key; });
    return row == rows_.end() ? nullptr : row->control;
}

void FieldForm::setEditAction(std::string_view key, QAction* action) {
    QWidget* list = control(key);
    auto* button = new QToolButton(list->parentWidget());
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(action->objectName());
    list->parentWidget()->layout()->addWidget(button);
    QWidget::setTabOrder(list, button);
}

QSize FieldForm::minimumSizeHint() const {
    QSize hint = QWidget::minimumSizeHint();
    if (more_ != nullptr) {
        const QMargins around = layout()->contentsMargins();
        const int inner = more_->minimumSizeHint().width();
        hint.setWidth(std::max(hint.width(), inner + around.left() + around.right()));
    }
    return hint;
}

void FieldForm::setMoreShown(bool shown) {
    if (more_ != nullptr) {
        more_->setVisible(shown);
        moreButton_->setChecked(shown);
        moreButton_->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
    }
}

bool FieldForm::change(const Field& field, bool finished, const FormHand::Set& set) {
    const bool taken = set(state_.question.data());
    refresh();
    if (taken) {
        emit changed(state_.question, finished, field);
    }
    return taken;
}

void FieldForm::refresh() {
    const void* question = state_.question.data();
    for (const FieldRow& row : rows_) {
        row.show(state_);
        row.setWhyNot(QString::fromStdString(ask::whyNot(*row.field, question, state_.sources)));
        row.whole->setVisible(ask::isShown(*row.field, question, state_.sources));
    }
}

} // namespace loadline::ui
