// Options that follow from fields: their names, forms, ranges and refusals; and the words that set them
// again.
#pragma once

#include "core/ask/field.h"
#include "core/ask/question.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace loadline::app {

/// Adds the options of the fields that have one and are wanted. They write into `question`, the struct that
/// the fields know, which holds the defaults before; it and the fields outlive the parsing. Older names are
/// understood and not listed.
void addFields(CLI::App& app, ask::Fields fields, void* question,
               const std::function<bool(const ask::Field&)>& isWanted = {});

/// The values that a sweep goes through.
struct FieldList {
    std::vector<std::int64_t> values; ///< ascending, 0 first for "none"; empty: not given
    std::string word;                 ///< as given
};

/// The option of a whole number, with a list of several. `form`: "N,A:B", may end in "none".
void addFieldList(CLI::App& app, const ask::Field& field, FieldList& list, const std::string& form,
                  std::string_view help);

/// The option of a field with choices, with a list of several; values are the choices' numbers, each once.
/// `question`: read into meanwhile.
void addChoiceList(CLI::App& app, const ask::Field& field, FieldList& list, void* question);

/// Lets only one of the two options be given.
void excludeEachOther(CLI::App& app, const char* one, const char* other);

/// The words that set the field as it is in `question`, values apart: {"--users", "14"}, a flag that is at
/// its default as "--async=false". `usual`: the question with the defaults.
std::vector<std::string> optionWords(const ask::Field& field, const void* question, const void* usual);

} // namespace loadline::app
