// The form of a simulation: how rows are made, shown and read.
#include "ui/panel/simulation/parameter_panel.h"

#include "ui/panel/part/segments.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/simulation/value_slider.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace loadline::ui {
namespace {

/// Lists that the panel scrolls over do not change under the wheel.
class QuietBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus()) {
            QComboBox::wheelEvent(event);
        } else {
            event->ignore();
        }
    }
};

QWidget* pairOf(QLabel* label, QWidget* control, bool stretch) {
    auto* pair = new QWidget;
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing);
    row->addWidget(label);
    row->addStretch(stretch ? 0 : 1);
    row->addWidget(control, stretch ? 1 : 0);
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
    buildAsking(*column);
    buildBatching(*column);
    buildCost(*column);
    moreButton_->setText(tr("More"));
    moreButton_->setCheckable(true);
    moreButton_->setAutoRaise(true);
    moreButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    moreButton_->setArrowType(Qt::RightArrow);
    setTip(moreButton_, tr("KV cache, versions, replicas"));
    connect(moreButton_, &QToolButton::toggled, this, &ParameterPanel::setMoreShown);
    column->addSpacing(spacing / 2);
    column->addWidget(moreButton_);
    auto* inner = new QVBoxLayout(more_);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(spacing / 2);
    buildMore(*inner);
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

QWidget* ParameterPanel::control(Parameter parameter) const {
    const auto row =
        std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.parameter == parameter; });
    return row == rows_.end() ? nullptr : row->control;
}

void ParameterPanel::setEditAction(Parameter parameter, QAction* action) {
    QWidget* list = control(parameter);
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

void ParameterPanel::addSlider(QBoxLayout& column, Parameter parameter, const QString& name,
                               const ValueRange& range, const QString& help,
                               std::function<std::optional<double>(const Request&)> get,
                               std::function<void(Request&, std::optional<double>)> set) {
    auto* slider = new ValueSlider(name, range);
    slider->setHelp(help);
    column.addWidget(slider);
    connect(slider, &ValueSlider::changed, this, [this, slider, parameter, set = std::move(set)](bool done) {
        choose(parameter, done, [&](Request& request) { set(request, slider->value()); });
    });
    rows_.push_back({parameter, slider, slider,
                     [slider, get = std::move(get)](const Request& r) { slider->setValue(get(r)); },
                     [slider](const QString& why) { slider->setWhyNot(why); }});
}

void ParameterPanel::addSegments(QBoxLayout& column, Parameter parameter, const QString& name,
                                 const std::vector<NamedChoice>& choices,
                                 std::function<int(const Request&)> get,
                                 std::function<void(Request&, int)> set) {
    std::vector<Segments::Choice> texts;
    texts.reserve(choices.size());
    for (const NamedChoice& choice : choices) {
        texts.push_back({choice.name, choice.toolTip});
    }
    auto* segments = new Segments(name, texts);
    auto* label = new QLabel(name);
    QWidget* pair = pairOf(label, segments, false);
    column.addWidget(pair);
    connect(segments, &Segments::chosen, this, [this, parameter, set = std::move(set)](int index) {
        choose(parameter, true, [&](Request& request) { set(request, index); });
    });
    rows_.push_back({parameter, pair, segments,
                     [segments, get = std::move(get)](const Request& r) { segments->setCurrent(get(r)); },
                     [pair](const QString& why) {
                         pair->setEnabled(why.isEmpty());
                         setTip(pair, why);
                     }});
}

void ParameterPanel::addCheck(QBoxLayout& column, Parameter parameter, const QString& name,
                              const QString& help, std::function<bool(const Request&)> get,
                              std::function<void(Request&, bool)> set) {
    auto* box = new QCheckBox(name);
    column.addWidget(box);
    connect(box, &QCheckBox::clicked, this, [this, parameter, set = std::move(set)](bool on) {
        choose(parameter, true, [&](Request& request) { set(request, on); });
    });
    rows_.push_back({parameter, box, box,
                     [box, get = std::move(get)](const Request& r) { box->setChecked(get(r)); },
                     [box, help](const QString& why) {
                         box->setEnabled(why.isEmpty());
                         setTip(box, why.isEmpty() ? help : why);
                     }});
}

void ParameterPanel::addList(QBoxLayout& column, Parameter parameter, const QString& name,
                             std::vector<NamedChoice> ParameterChoices::*list, std::string Request::*key,
                             bool files) {
    auto* box = new QuietBox;
    box->setFocusPolicy(Qt::StrongFocus);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setAccessibleName(name);
    auto* label = new QLabel(name);
    label->setMinimumWidth(label->fontMetrics().horizontalAdvance(QStringLiteral("Workload ")));
    QWidget* pair = pairOf(label, box, true);
    column.addWidget(pair);
    connect(box, &QComboBox::activated, this, [this, box, parameter, list, key, files](int index) {
        const auto& choices = choices_.*list;
        const std::string chosen = box->itemData(index).toString().toStdString();
        if (files && chosen.empty()) {
            fillList(*box, choices, request_.*key, files); // until a file is named
            emit fileRequested(parameter);
            return;
        }
        choose(parameter, true, [&](Request& request) { request.*key = chosen; });
    });
    rows_.push_back({parameter, pair, box,
                     [this, box, list, key, files](const Request& request) {
                         fillList(*box, choices_.*list, request.*key, files);
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

void ParameterPanel::choose(Parameter parameter, bool finished, const std::function<void(Request&)>& change) {
    change(request_);
    refresh();
    emit changed(request_, finished, parameter);
}

void ParameterPanel::refresh() {
    for (const Row& row : rows_) {
        row.show(request_);
        row.setWhyNot(whyNot(row.parameter, request_, choices_));
        row.whole->setVisible(isShown(row.parameter, request_, choices_));
    }
    const auto words = describe(request_.policy.policy);
    policyWords_->setText(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())));
}

} // namespace loadline::ui
