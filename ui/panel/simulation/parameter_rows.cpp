// The form of a simulation: each parameter that has a place in it as a row.
#include "core/simulate/policy/policy_spec.h"
#include "ui/form/value_slider.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/simulation/parameter_panel.h"

#include <QBoxLayout>
#include <QLabel>

#include <algorithm>
#include <array>

namespace loadline::ui {
namespace {

constexpr double mostInField = 9e15; // the whole numbers that a double tells apart

struct TextChoices {
    std::string_view key;
    std::vector<NamedChoice> ParameterChoices::*list;
    bool files;
};

constexpr std::array<TextChoices, 4> lists = {{{"workload", &ParameterChoices::workloads, true},
                                               {"shapes", &ParameterChoices::shapes, true},
                                               {"profile", &ParameterChoices::profiles, true},
                                               {"rule", &ParameterChoices::rules, false}}};

/// Each of its numbers is a button; the panel has room for no more.
bool isButtons(const ParameterSpec& spec, bool whole) {
    constexpr double mostButtons = 6;
    return whole && spec.slider.most <= 0 && spec.range.most - spec.range.least < mostButtons;
}

/// What the row says, and what is marked as the default. Without a slider of its own it runs over the range.
ValueRange rangeOf(const ParameterSpec& spec, bool whole) {
    SliderSpec slider = spec.slider;
    if (slider.most <= 0) {
        slider.least = spec.range.least;
        slider.most = spec.range.most;
        slider.scale = whole && slider.least > 0 ? SliderSpec::Scale::Log : SliderSpec::Scale::Linear;
    }
    ValueRange range;
    range.least = slider.least;
    range.most = slider.most;
    range.fieldLeast = spec.range.least;
    range.fieldMost = spec.range.most > 0 ? std::min(spec.range.most, mostInField) : mostInField;
    range.usual = slider.usual ? slider.usual : numberOf(spec, {});
    range.scale = static_cast<ask::SliderScale>(slider.scale);
    range.whole = whole;
    range.unit = shown(slider.unit);
    range.off = shown(slider.off);
    return range;
}

std::vector<const ParameterSpec*> rowsOf(FormPlace::Part part) {
    std::vector<const ParameterSpec*> rows;
    for (const ParameterSpec& spec : parameterSpecs()) {
        if (spec.form.part == part) {
            rows.push_back(&spec);
        }
    }
    std::ranges::sort(rows, {}, [](const ParameterSpec* spec) { return spec->form.rank; });
    return rows;
}

} // namespace

void ParameterPanel::addRows(QBoxLayout& column, FormPlace::Part part) {
    for (const ParameterSpec* spec : rowsOf(part)) {
        addRow(column, *spec);
        if (spec->key == "policy") {
            policyWords_ = mutedLabel({}, this);
            policyWords_->setWordWrap(true);
            policyWords_->setFont(fontOf(0.9));
            column.addWidget(policyWords_);
        }
    }
}

void ParameterPanel::addRow(QBoxLayout& column, const ParameterSpec& spec) {
    const std::optional<bool> whole = isWhole(spec);
    if (const auto* chosen = std::get_if<ChosenPlace>(&spec.field)) {
        std::vector<NamedChoice> choices;
        for (const ParameterChoice& choice : chosen->choices) {
            choices.push_back({{}, shown(choice.label), shown(choice.tip), {}});
        }
        addSegments(column, spec, choices, chosen->get, chosen->set);
    } else if (whole && !isButtons(spec, *whole)) {
        addSlider(column, spec, rangeOf(spec, *whole));
    } else if (whole) {
        const int least = static_cast<int>(spec.range.least);
        std::vector<NamedChoice> choices;
        for (int i = least; i <= static_cast<int>(spec.range.most); ++i) {
            choices.push_back({{},
                               QString::number(i),
                               shown(spec.slider.each).replace(QStringLiteral("{}"), QString::number(i)),
                               {}});
        }
        addSegments(
            column, spec, choices,
            [&spec, least](const Request& r) { return static_cast<int>(*numberOf(spec, r)) - least; },
            [&spec, least](Request& r, int i) { setNumber(spec, least + i, r); });
    } else if (const auto* list = std::ranges::find(lists, spec.key, &TextChoices::key);
               list != lists.end()) {
        addList(column, spec, list->list, list->files);
    } else {
        addCheck(column, spec);
    }
}

} // namespace loadline::ui
