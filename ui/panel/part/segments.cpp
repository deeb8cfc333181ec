// A few alternatives side by side.
#include "ui/panel/part/segments.h"

#include "ui/theme/plain_text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace loadline::ui {

Segments::Segments(const QString& name, const std::vector<Choice>& choices, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)), choices_(choices) {
    setAccessibleName(name);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (const Choice& choice : choices) {
        auto* button = new QToolButton;
        button->setText(choice.text);
        setTip(button, choice.toolTip);
        button->setAccessibleName(name + ": " + choice.text);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setProperty("segment", row->count() == 0                                      ? "first"
                                       : row->count() + 1 == static_cast<int>(choices.size()) ? "last"
                                                                                              : "middle");
        group_->addButton(button, row->count());
        row->addWidget(button);
    }
    group_->setExclusive(true);
    setCurrent(0);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(group_, &QButtonGroup::idClicked, this, &Segments::chosen);
}

void Segments::setCurrent(int index) {
    if (auto* button = group_->button(index)) {
        button->setChecked(true);
    } else if (auto* last = group_->checkedButton(); index < 0 && last != nullptr) {
        group_->setExclusive(false);
        last->setChecked(false);
        group_->setExclusive(true);
    }
}

int Segments::current() const {
    return group_->checkedId();
}

void Segments::setWhyNot(const QString& why) {
    for (int i = 0; i < static_cast<int>(choices_.size()); ++i) {
        const QString& tip = choices_[static_cast<std::size_t>(i)].toolTip;
        setTip(group_->button(i), why.isEmpty() ? tip : why);
    }
}

} // namespace loadline::ui
