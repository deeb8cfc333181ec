// The form of a simulation: how rows are made, shown and read.
#include "ui/panel/simulation/parameter_panel.h"

#include "core/simulate/policy/policy_spec.h"
#include "ui/form/value_slider.h"
#include "ui/panel/part/quiet_box.h"
#include "ui/panel/part/segments.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadline::ui {
namespace {

QWidget* pairOf(QLabel* label, QWidget* control, bool stretch) {
    auto* pair = new QWidget;
    rowOf({label, Stretch{stretch ? 0 : 1}, {control, stretch ? 1 : 0}}, spacing, pair);
    control->setParent(pair);
    label->setBuddy(control);
    return pair;
}

} // namespace

ParameterPanel::ParameterPanel(QWidget* parent)
    : QWidget(parent), moreButton_(new QToolButton(this)), more_(new QWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing, spacing, spacing + spacing / 2, spacing);
    column->setSpacing(spacing / 2);
    using Part = FormPlace::Part;
    addHeading(*column, tr("Who asks"));
    addRows(*column, Part::Asks);
    addHeading(*column, tr("What a step holds"));
    addRows(*column, Part::Holds);
    addHeading(*column, tr("What a step costs"));
    addRows(*column, Part::Costs);
    moreButton_->setText(tr("More"));
    moreButton_->setCheckable(true);
    moreButton_->setAutoRaise(true);
    moreButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    moreButton_->setArrowType(Qt::RightArrow);
    setTip(moreButton_, tr("KV cache, versions, seeds"));
    connect(moreButton_, &QToolButton::toggled, this, [this](bool shown) {
        setMoreShown(shown);
        emit moreShown(shown);
    });
    column->addSpacing(spacing / 2);
    column->addWidget(moreButton_);
    auto* inner = new QVBoxLayout(more_);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(spacing / 2);
    addRows(*inner, Part::More);
    column->addWidget(more_);
    column->addStretch(1);
    more_->hide();
    refresh();
}

void ParameterPanel::setRequest(const SimulationRequest& request) {
    request_ = request;
    refresh();
}

void ParameterPanel::setChoices(const ParameterChoices& choices) {
    if (choices == choices_) {
        return;
    }
    choices_ = choices;
    refresh();
}

QWidget* ParameterPanel::control(std::string_view key) const {
    const auto row = std::ranges::find_if(rows_, [&](const Row& r) { return r.spec->key == key; });
    return row == rows_.end() ? nullptr : row->control;
}

void ParameterPanel::setEditAction(std::string_view key, QAction* action) {
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

QSize ParameterPanel::minimumSizeHint() const {
    const QMargins around = layout()->contentsMargins();
    QSize hint = QWidget::minimumSizeHint();
    hint.setWidth(std::max(hint.width(), more_->minimumSizeHint().width() + around.left() + around.right()));
    return hint;
}

void ParameterPanel::setMoreShown(bool shown) {
    more_->setVisible(shown);
    moreButton_->setChecked(shown);
    moreButton_->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
}

void ParameterPanel::addHeading(QBoxLayout& column, const QString& text) {
    auto* label = new QLabel(text);
    label->setFont(fontOf(1, true));
    if (column.count() > 0) {
        column.addSpacing(spacing / 2);
    }
    column.addWidget(label);
}

void ParameterPanel::addSlider(QBoxLayout& column, const ParameterSpec& spec, const ValueRange& range) {
    auto* slider = new ValueSlider(shown(spec.form.label), range);
    slider->setHelp(shown(spec.form.tip));
    column.addWidget(slider);
    connect(slider, &ValueSlider::changed, this, [this, slider, &spec](bool done) {
        choose(spec, done, [&](Request& request) { setNumber(spec, slider->value(), request); });
    });
    rows_.push_back({&spec, slider, slider,
                     [this, slider, &spec](const Request& r) {
                         slider->setValue(numberOf(spec, r));
                         slider->setStandIn(autoNumberOf(spec, r, choices_));
                     },
                     [slider](const QString& why) { slider->setWhyNot(why); }});
}

void ParameterPanel::addSegments(QBoxLayout& column, const ParameterSpec& spec,
                                 const std::vector<NamedChoice>& choices,
                                 std::function<int(const Request&)> get,
                                 std::function<void(Request&, int)> set) {
    std::vector<Segments::Choice> texts;
    texts.reserve(choices.size());
    for (const NamedChoice& choice : choices) {
        texts.push_back({choice.name, choice.toolTip});
    }
    auto* segments = new Segments(shown(spec.form.label), texts);
    auto* label = new QLabel(shown(spec.form.label));
    QWidget* pair = pairOf(label, segments, false);
    column.addWidget(pair);
    connect(segments, &Segments::chosen, this, [this, &spec, set = std::move(set)](int index) {
        choose(spec, true, [&](Request& request) { set(request, index); });
    });
    rows_.push_back({&spec, pair, segments,
                     [segments, get = std::move(get)](const Request& r) { segments->setCurrent(get(r)); },
                     [pair, label, segments, &spec](const QString& why) {
                         pair->setEnabled(why.isEmpty());
                         setTip(pair, why);
                         setTip(label, why.isEmpty() ? shown(spec.form.tip) : why);
                         segments->setWhyNot(why);
                     }});
}

void ParameterPanel::addCheck(QBoxLayout& column, const ParameterSpec& spec) {
    auto* box = new QCheckBox(shown(spec.form.label));
    column.addWidget(box);
    connect(box, &QCheckBox::clicked, this, [this, &spec](bool on) {
        choose(spec, true, [&](Request& request) { readText(spec, on ? "true" : "false", request); });
    });
    rows_.push_back({&spec, box, box,
                     [box, &spec](const Request& r) { box->setChecked(textOf(spec, r) == "true"); },
                     [box, &spec](const QString& why) {
                         box->setEnabled(why.isEmpty());
                         setTip(box, why.isEmpty() ? shown(spec.form.tip) : why);
                     }});
}

void ParameterPanel::addList(QBoxLayout& column, const ParameterSpec& spec,
                             std::vector<NamedChoice> ParameterChoices::*list, bool files) {
    const QString name = shown(spec.form.label);
    auto* box = new QuietBox;
    box->setFocusPolicy(Qt::StrongFocus);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setAccessibleName(name);
    auto* label = new QLabel(name);
    label->setMinimumWidth(label->fontMetrics().horizontalAdvance(QStringLiteral("Workload ")));
    QWidget* pair = pairOf(label, box, true);
    column.addWidget(pair);
    connect(box, &QComboBox::activated, this, [this, box, &spec, list, files](int index) {
        const auto& choices = choices_.*list;
        const std::string chosen = box->itemData(index).toString().toStdString();
        if (files && chosen.empty()) {
            fillList(*box, choices, textOf(spec, request_), files); // until a file is named
            emit fileRequested(spec.key);
            return;
        }
        choose(spec, true, [&](Request& request) { readText(spec, chosen, request); });
    });
    rows_.push_back({&spec, pair, box,
                     [this, box, &spec, list, files](const Request& request) {
                         fillList(*box, choices_.*list, textOf(spec, request), files);
                     },
                     [pair](const QString& why) {
                         pair->setEnabled(why.isEmpty());
                         setTip(pair, why);
                     }});
}

void ParameterPanel::fillList(QComboBox& box, const std::vector<NamedChoice>& list, const std::string& key,
                              bool files) const {
    const QSignalBlocker quiet(&box);
    std::vector<NamedChoice> shown = list;
    const auto has = [&](const NamedChoice& choice) { return choice.key == key; };
    if (std::none_of(shown.begin(), shown.end(), has)) { // a file, or what is gone
        const QString path = QString::fromStdString(key);
        shown.push_back({key, key.starts_with('{') ? tr("edited") : path.section('/', -1), path, {}});
    }
    box.clear();
    auto* model = qobject_cast<QStandardItemModel*>(box.model());
    for (const NamedChoice& choice : shown) {
        box.addItem(lineText(choice.name), QString::fromStdString(choice.key));
        const int index = box.count() - 1;
        setItemTip(&box, index, choice.whyNot.isEmpty() ? choice.toolTip : choice.whyNot);
        model->item(index)->setEnabled(choice.whyNot.isEmpty());
        if (choice.key == key) {
            box.setCurrentIndex(index);
            setTip(&box, choice.toolTip);
        }
    }
    if (files) {
        box.addItem(tr("From a file\u2026"), QString());
    }
}

void ParameterPanel::choose(const ParameterSpec& spec, bool finished,
                            const std::function<void(Request&)>& change) {
    change(request_);
    refresh();
    emit changed(request_, finished, spec.key);
}

void ParameterPanel::refresh() {
    for (const Row& row : rows_) {
        row.show(request_);
        row.setWhyNot(QString::fromStdString(whyNot(*row.spec, request_, choices_)));
        row.whole->setVisible(isShown(*row.spec, request_, choices_));
    }
    policyWords_->setText(shown(specOf(request_.policy.policy).words));
}

} // namespace loadline::ui
