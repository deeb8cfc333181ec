// A field as a row of a form: how each kind is made, shown and read.
#include "ui/form/field_rows.h"

#include "ui/form/value_slider.h"
#include "ui/panel/part/quiet_box.h"
#include "ui/panel/part/segments.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>
#include <memory>

namespace loadline::ui {
namespace {

using ask::Access;
using ask::Field;

constexpr double mostInField = 9e15; // the whole numbers that a double tells apart

QString labelOf(const Field& field) {
    return field.form.label.empty() ? capitalised(std::string(field.words.name)) : fromUtf8(field.form.label);
}

QString tipOf(const Field& field) {
    return fromUtf8(field.form.tip.empty() && field.form.label.empty() ? field.words.help : field.form.tip);
}

QWidget* pairOf(QLabel* label, QWidget* control, bool stretch) {
    auto* pair = new QWidget;
    rowOf({label, Stretch{stretch ? 0 : 1}, {control, stretch ? 1 : 0}}, spacing, pair);
    control->setParent(pair);
    label->setBuddy(control);
    return pair;
}

/// A label that is as wide as its neighbours', so that what is below each other begins alike.
QLabel* evenLabel(const QString& name) {
    auto* label = new QLabel(name);
    label->setMinimumWidth(label->fontMetrics().horizontalAdvance(QStringLiteral("Workload ")));
    return label;
}

/// Each of its numbers is a button; a form has room for no more.
bool isButtons(const Field& field) {
    constexpr double mostButtons = 6;
    return ask::isWhole(field) == true && field.slider.most <= 0 &&
           field.range.most - field.range.least < mostButtons;
}

/// Without a slider of its own it runs over the range.
ValueRange rangeOf(const Field& field, const ask::Question& usual) {
    const bool whole = *ask::isWhole(field);
    ask::Slider slider = field.slider;
    if (slider.most <= 0) {
        slider.least = field.range.least;
        slider.most = field.range.most;
        slider.scale = whole && slider.least > 0 ? ask::SliderScale::Log : ask::SliderScale::Linear;
    }
    ValueRange range;
    range.least = slider.least;
    range.most = slider.most;
    range.fieldLeast = field.range.least;
    range.fieldMost = field.range.most > 0 ? std::min(field.range.most, mostInField) : mostInField;
    range.usual = slider.usual ? slider.usual : ask::numberOf(field, usual.data());
    range.scale = slider.scale;
    range.whole = whole;
    range.unit = fromUtf8(slider.unit);
    range.off = fromUtf8(slider.off);
    return range;
}

FieldRow sliderRow(const Field& field, const ask::Question& usual, const FormHand& hand) {
    auto* slider = new ValueSlider(labelOf(field), rangeOf(field, usual));
    slider->setHelp(tipOf(field));
    QObject::connect(slider, &ValueSlider::changed, slider, [=, &field](bool finished) {
        hand.change(field, finished, [&](void* question) {
            ask::setNumber(field, slider->value(), question);
            return true;
        });
    });
    QObject::connect(slider, &ValueSlider::dragBegan, slider, hand.beginDrag);
    QObject::connect(slider, &ValueSlider::dragCancelled, slider, hand.cancelDrag);
    return {&field, slider, slider,
            [=, &field](const FormState& state) {
                slider->setValue(ask::numberOf(field, state.question.data()));
                slider->setStandIn(ask::standInOf(field, state.question.data(), state.sources));
            },
            [=](const QString& why) { slider->setWhyNot(why); }};
}

struct Buttons {
    std::vector<Segments::Choice> texts;
    std::function<int(const void* question)> get;
    std::function<void(int chosen, void* question)> set;
};

FieldRow buttonsRow(const Field& field, const Buttons& buttons, const FormHand& hand) {
    auto* segments = new Segments(labelOf(field), buttons.texts);
    auto* label = new QLabel(labelOf(field));
    QWidget* pair = pairOf(label, segments, false);
    QObject::connect(segments, &Segments::chosen, segments, [=, &field](int index) {
        hand.change(field, true, [&](void* question) {
            buttons.set(index, question);
            return true;
        });
    });
    return {&field, pair, segments,
            [=](const FormState& state) { segments->setCurrent(buttons.get(state.question.data())); },
            [=, &field](const QString& why) {
                pair->setEnabled(why.isEmpty());
                setTip(pair, why);
                setTip(label, why.isEmpty() ? tipOf(field) : why);
                segments->setWhyNot(why);
            }};
}

FieldRow choicesRow(const Field& field, const FormHand& hand) {
    Buttons buttons{{},
                    [&field](const void* question) { return ask::chosenOf(field, question); },
                    [&field](int chosen, void* question) { ask::choose(field, chosen, question); }};
    for (const ask::Choice& choice : field.access.choices) {
        buttons.texts.push_back(
            {fromUtf8(choice.label.empty() ? choice.key : choice.label), fromUtf8(choice.tip)});
    }
    return buttonsRow(field, buttons, hand);
}

FieldRow numbersRow(const Field& field, const FormHand& hand) {
    const int least = static_cast<int>(field.range.least);
    Buttons buttons{
        {},
        [&field, least](const void* question) {
            return static_cast<int>(ask::numberOf(field, question).value_or(least - 1)) - least;
        },
        [&field, least](int chosen, void* question) { ask::setNumber(field, least + chosen, question); }};
    for (int i = least; i <= static_cast<int>(field.range.most); ++i) {
        const QString number = QString::number(i);
        buttons.texts.push_back({number, fromUtf8(field.slider.each).replace(QStringLiteral("{}"), number)});
    }
    return buttonsRow(field, buttons, hand);
}

FieldRow checkRow(const Field& field, const FormHand& hand) {
    auto* box = new QCheckBox(labelOf(field));
    QObject::connect(box, &QCheckBox::clicked, box, [=, &field](bool on) {
        hand.change(field, true,
                    [&](void* question) { return ask::readText(field, on ? "true" : "false", question); });
    });
    return {&field, box, box,
            [=, &field](const FormState& state) {
                box->setChecked(ask::textOf(field, state.question.data()) == "true");
            },
            [=, &field](const QString& why) {
                box->setEnabled(why.isEmpty());
                setTip(box, why.isEmpty() ? tipOf(field) : why);
            }};
}

std::vector<NamedChoice> entriesOf(const Field& field, const FormState& state) {
    std::vector<NamedChoice> entries;
    if (const auto given = state.lists.find(field.key); given != state.lists.end()) {
        entries = given->second;
    } else if (field.traits.choicesOf != nullptr) {
        for (const std::string& key : field.traits.choicesOf(state.sources)) {
            entries.push_back({key, QString::fromStdString(key), {}, {}});
        }
    } else {
        for (const ask::Choice& choice : field.access.choices) {
            entries.push_back({std::string(choice.key), fromUtf8(choice.label), fromUtf8(choice.tip), {}});
        }
    }
    const std::string key = ask::textOf(field, state.question.data());
    if (std::ranges::find(entries, key, &NamedChoice::key) == entries.end()) { // a file, or what is gone
        const QString path = QString::fromStdString(key);
        entries.push_back(
            {key, key.starts_with('{') ? QObject::tr("edited") : path.section('/', -1), path, {}});
    }
    return entries;
}

void fillList(QComboBox& box, const std::vector<NamedChoice>& entries, const std::string& chosen,
              bool endsInFiles) {
    const QSignalBlocker quiet(&box);
    box.clear();
    auto* model = qobject_cast<QStandardItemModel*>(box.model());
    for (const NamedChoice& entry : entries) {
        box.addItem(lineText(entry.name), QString::fromStdString(entry.key));
        const int index = box.count() - 1;
        setItemTip(&box, index, entry.whyNot.isEmpty() ? entry.toolTip : entry.whyNot);
        model->item(index)->setEnabled(entry.whyNot.isEmpty());
        if (entry.key == chosen) {
            box.setCurrentIndex(index);
            setTip(&box, entry.toolTip);
        }
    }
    if (endsInFiles) {
        box.addItem(QObject::tr("From a file\u2026"), QString());
    }
}

FieldRow listRow(const Field& field, const FormHand& hand) {
    const bool endsInFiles = field.form.editor == "file";
    auto* box = new QuietBox;
    box->setFocusPolicy(Qt::StrongFocus);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setAccessibleName(labelOf(field));
    QWidget* pair = pairOf(evenLabel(labelOf(field)), box, true);
    QObject::connect(box, &QComboBox::activated, box, [=, &field](int index) {
        const std::string chosen = box->itemData(index).toString().toStdString();
        if (endsInFiles && chosen.empty()) {
            hand.askForFile(field);
        } else {
            hand.change(field, true, [&](void* question) { return ask::readText(field, chosen, question); });
        }
    });
    return {&field, pair, box,
            [=, &field](const FormState& state) {
                fillList(*box, entriesOf(field, state), ask::textOf(field, state.question.data()),
                         endsInFiles);
            },
            [=](const QString& why) {
                pair->setEnabled(why.isEmpty());
                setTip(pair, why);
            }};
}

FieldRow lineRow(const Field& field, const FormHand& hand) {
    auto* line = new QLineEdit;
    line->setAccessibleName(labelOf(field));
    QWidget* pair = pairOf(evenLabel(labelOf(field)), line, true);
    QObject::connect(line, &QLineEdit::editingFinished, line, [=, &field] {
        if (!line->isModified()) {
            return;
        }
        line->setModified(false);
        const std::string text = line->text().toStdString();
        const bool taken =
            hand.change(field, true, [&](void* question) { return ask::readText(field, text, question); });
        if (!taken && line->isVisible()) {
            const std::string takes = ask::takesOf(field);
            showTip(line->mapToGlobal(QPoint(0, line->height())),
                    QString::fromStdString(takes.empty() ? ask::formOf(field) : takes), line);
        }
    });
    return {&field, pair, line,
            [=, &field](const FormState& state) {
                if (!line->isModified()) { // what is being typed stays
                    line->setText(QString::fromStdString(ask::textOf(field, state.question.data())));
                }
            },
            [=, &field](const QString& why) {
                pair->setEnabled(why.isEmpty());
                setTip(pair, why.isEmpty() ? tipOf(field) : why);
            }};
}

FieldRow plainRowOf(const Field& field, const ask::Question& usual, const FormHand& hand) {
    const bool isList =
        field.form.editor == "list" || field.form.editor == "file" || field.traits.choicesOf != nullptr;
    if (isList) {
        return listRow(field, hand);
    }
    switch (field.access.type) {
    case Access::Type::Chosen:
        return choicesRow(field, hand);
    case Access::Type::Flag:
        return checkRow(field, hand);
    case Access::Type::Text:
    case Access::Type::Words:
        return lineRow(field, hand);
    case Access::Type::Whole:
    case Access::Type::Seed:
    case Access::Type::Real:
        break;
    }
    return isButtons(field) ? numbersRow(field, hand) : sliderRow(field, usual, hand);
}

/// The tip of what is chosen, below it.
void addTipBelow(FieldRow& row) {
    auto* both = new QWidget;
    auto* words = mutedLabel({}, both);
    words->setWordWrap(true);
    words->setFont(fontOf(0.9));
    columnOf({row.whole, words}, spacing / 2, both);
    row.whole = both;
    row.show = [field = row.field, show = std::move(row.show), words](const FormState& state) {
        show(state);
        const auto chosen = static_cast<std::size_t>(ask::chosenOf(*field, state.question.data()));
        words->setText(fromUtf8(field->access.choices[chosen].tip));
    };
}

} // namespace

FieldRow fieldRowOf(const Field& field, const ask::Question& usual, const FormHand& hand,
                    const FieldEditors& editors) {
    const auto editor = editors.find(field.form.editor);
    FieldRow row = editor != editors.end() ? editor->second(field, hand) : plainRowOf(field, usual, hand);
    if (field.form.showsTip && field.access.type == Access::Type::Chosen) {
        addTipBelow(row);
    }
    return row;
}

} // namespace loadline::ui
