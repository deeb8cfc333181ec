// Fields as options of CLI11.
#include "app/faces/field_options.h"

#include "app/faces/not_taken.h"
#include "app/faces/number_words.h"
#include "core/text/number_list.h"
#include "core/text/word_rule.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace loadline::app {
namespace {

using ask::Field;

/// Adds it under the name and hidden under the older ones.
template <typename Add>
void addNamed(const Field& field, const std::string& name, const Add& add) {
    CLI::Option* option = add(name);
    if (!field.words.group.empty()) {
        option->group(std::string(field.words.group));
    }
    for (const std::string_view old : field.traits.was) {
        if (old.starts_with("--")) {
            add(std::string(old))->group(""); // not in the help
        }
    }
}

/// "--async" and "--async=false", "--no-chunked-prefill" and its "=false". What is on by default is also
/// understood as it is called, "--prefix-cache".
void addFlag(CLI::App& app, const Field& field, void* question) {
    const std::string option = ask::optionOf(field, question);
    const auto add = [&](const std::string& name, bool given, const std::string& help) {
        return app.add_flag_function(
            name,
            [&field, question, given](std::int64_t count) {
                ask::readText(field, (count > 0) == given ? "true" : "false", question);
            },
            help);
    };
    const bool usual = option.starts_with("--no-");
    if (usual) {
        add(fmt::format("--{}", field.key), true, "")->group("");
    }
    addNamed(field, option,
             [&](const std::string& name) { return add(name, !usual, std::string(field.words.help)); });
}

/// The name that CLI11 and refusals know it by.
std::string nameOf(const Field& field, const void* question) {
    return field.traits.command.byPosition ? ask::formOf(field) : ask::optionOf(field, question);
}

/// Adds an option of texts, which `take` reads when all are known; CLI11 turns a list of "{}" and "%%" into
/// an empty one, but not what it shows word by word.
CLI::Option* addTexts(CLI::App& app, const std::string& name, const std::string& help,
                      std::function<void(const std::vector<std::string>& texts)> take) {
    const auto texts = std::make_shared<std::vector<std::string>>();
    return app
        .add_option(
            name,
            [texts, take = std::move(take)](const CLI::results_t& /*taken*/) {
                take(std::exchange(*texts, {}));
                return true;
            },
            help)
        ->type_size(1)
        ->expected(CLI::detail::expected_max_vector_size)
        ->each([texts](const std::string& text) { texts->push_back(text); });
}

/// May be given several times, or has several words.
void addSeveral(CLI::App& app, const Field& field, void* question) {
    const ask::CommandPlace& place = field.traits.command;
    addNamed(field, nameOf(field, question), [&](const std::string& name) {
        CLI::Option* option = addTexts(app, name, std::string(field.words.help),
                                       [&field, question, name](const std::vector<std::string>& texts) {
                                           for (const std::string& text : texts) {
                                               if (!ask::readText(field, text, question)) {
                                                   throw notTaken(name, ask::takesOf(field), text);
                                               }
                                           }
                                       });
        if (place.words > 1) {
            option->expected(place.words);
        }
        return option->allow_extra_args(place.words != 1)
            ->required(place.isRequired)
            ->option_text(place.byPosition ? "..." : ask::formOf(field));
    });
}

/// `take` reads the text of the option, or throws notTaken(); `takes` stands in the help.
CLI::Option* addText(CLI::App& app, const std::string& name, const std::string& help,
                     const std::string& takes, std::function<void(const std::string& text)> take) {
    return app.add_option_function<std::string>(name, std::move(take),
                                                takes.empty() ? help : help + " [" + takes + "]");
}

void addValue(CLI::App& app, const Field& field, void* question) {
    const ask::CommandPlace& place = field.traits.command;
    const std::string form = ask::formOf(field);
    const std::string takes = ask::takesOf(field);
    std::string both = takes.empty()                    ? form
                       : field.traits.text.form.empty() ? takes
                                                        : fmt::format("{} ({})", form, takes);
    std::ranges::replace(both, '\n', ' '); // broken for the help
    addNamed(field, nameOf(field, question), [&](const std::string& name) {
        CLI::Option* option = addText(app, name, std::string(field.words.help), takes,
                                      [&field, question, name, both](const std::string& text) {
                                          if (!ask::readText(field, text, question)) {
                                              throw notTaken(name, both, text);
                                          }
                                      });
        if (place.byPosition && field.traits.choicesOf != nullptr) { // for completions: nobody checks it here
            option->type_name(fmt::format("{{{}}}", fmt::join(field.traits.choicesOf({}), ",")));
        }
        return option->required(place.isRequired)->option_text(place.byPosition ? " " : form);
    });
}

/// Takes the word "none" out of a list; what is left, and whether it was there.
std::pair<std::string, bool> withoutNone(const std::string& list) {
    std::string rest;
    bool found = false;
    bool isFirst = true;
    std::size_t begin = 0;
    while (begin <= list.size()) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string part = list.substr(begin, end - begin);
        begin = end + 1;
        if (part == "none") {
            found = true;
        } else {
            rest += (isFirst ? "" : ",") + part;
            isFirst = false;
        }
    }
    return {rest, found};
}

} // namespace

void addFields(CLI::App& app, ask::Fields fields, void* question,
               const std::function<bool(const Field&)>& isWanted) {
    for (const Field& field : fields) {
        const bool hasOption = field.traits.isOption && !field.words.help.empty(); // else added by hand
        if (!hasOption || (isWanted && !isWanted(field))) {
            continue;
        }
        if (field.traits.text.several != nullptr) {
            addSeveral(app, field, question);
        } else if (field.access.type == ask::Access::Type::Flag) {
            addFlag(app, field, question);
        } else {
            addValue(app, field, question);
        }
    }
}

void addFieldList(CLI::App& app, const Field& field, FieldList& list, const std::string& form,
                  std::string_view help) {
    const NumberRange<std::int64_t> range{static_cast<std::int64_t>(field.range.least),
                                          static_cast<std::int64_t>(field.range.most)};
    const std::string option = ask::optionOf(field, nullptr);
    const std::string takes = fmt::format("{}, {} numbers at most", wordsOf(range), mostListed);
    addText(app, option, std::string(help), takes,
            [=, &list](const std::string& text) {
                const auto [rest, none] = form.ends_with("none") ? withoutNone(text) : std::pair(text, false);
                const auto numbers =
                    none && rest.empty() ? std::vector<std::int64_t>() : numbersIn(rest, range);
                if (!numbers) {
                    throw notTaken(option, form + " of " + takes, text);
                }
                list.values = *numbers;
                if (none) {
                    list.values.insert(list.values.begin(), 0);
                }
                list.word = text;
            })
        ->option_text(form)
        ->group(std::string(field.words.group));
}

void addChoiceList(CLI::App& app, const Field& field, FieldList& list, void* question) {
    const std::string option = ask::optionOf(field, nullptr);
    const std::string form = ask::formOf(field);
    addText(app, option, std::string(field.words.help), "several divided by commas",
            [=, &field, &list](const std::string& text) {
                list = {{}, text};
                std::string_view rest = text;
                do {
                    if (text.ends_with(',') || !ask::readText(field, cutUpTo(rest, ','), question)) {
                        throw notTaken(option, form + ", several divided by commas", text);
                    }
                    list.values.push_back(ask::chosenOf(field, question));
                } while (!rest.empty());
                std::ranges::sort(list.values);
                list.values.erase(std::ranges::unique(list.values).begin(), list.values.end());
            })
        ->option_text(form)
        ->group(std::string(field.words.group));
}

void excludeEachOther(CLI::App& app, const char* one, const char* other) {
    app.get_option(one)->excludes(app.get_option(other));
}

std::vector<std::string> optionWords(const Field& field, const void* question, const void* usual) {
    const std::string option = ask::optionOf(field, usual);
    if (field.traits.text.several != nullptr) {
        std::vector<std::string> words;
        for (std::string& text : field.traits.text.several(question)) {
            words.insert(words.end(), {option, std::move(text)});
        }
        return words;
    }
    const std::string text = ask::textOf(field, question);
    if (field.access.type == ask::Access::Type::Flag) { // its option takes the default away
        return {text == ask::textOf(field, usual) ? option + "=false" : option};
    }
    return {option, text};
}

} // namespace loadline::app
