// A field as a row of a form: a slider, buttons, a box to check, a list or a line of text.
#pragma once

#include "core/ask/field.h"
#include "core/ask/question.h"

#include <QString>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

class QWidget;

namespace loadline::ui {

/// An entry of a list.
struct NamedChoice {
    std::string key;
    QString name;
    QString toolTip;
    QString whyNot; ///< why it cannot be chosen now; empty: it can
    bool operator==(const NamedChoice&) const = default;
};

/// Lists to choose from, which the application offers, by the key of the field.
using FieldLists = std::map<std::string, std::vector<NamedChoice>, std::less<>>;

/// Everything that a form shows.
struct FormState {
    ask::Question question;
    ask::Sources sources;
    FieldLists lists;
};

/// The widgets of a field.
struct FieldRow {
    const ask::Field* field = nullptr;
    QWidget* whole = nullptr;   ///< with its label: shown and hidden together
    QWidget* control = nullptr; ///< what takes the keys
    std::function<void(const FormState&)> show;
    std::function<void(const QString& why)> setWhyNot; ///< empty: it can be changed
};

/// How rows tell of what the user does.
struct FormHand {
    /// `set` writes into the question, or returns false for what it does not take.
    using Set = std::function<bool(void* question)>;
    /// Returns what `set` does. Not `finished`: in the middle of a drag.
    std::function<bool(const ask::Field& field, bool finished, const Set& set)> change;
    std::function<void(const ask::Field& field)> askForFile; ///< for a list that ends in files
    std::function<void()> beginDrag, cancelDrag;
};

/// Widgets for names of FormPlace::editor, besides "list" and "file".
using MakeRow = std::function<FieldRow(const ask::Field& field, const FormHand& hand)>;
using FieldEditors = std::map<std::string_view, MakeRow>;

/// `usual`: the question with the defaults, which sliders mark.
FieldRow fieldRowOf(const ask::Field& field, const ask::Question& usual, const FormHand& hand,
                    const FieldEditors& editors);

} // namespace loadline::ui
