// Members of JSON objects, by kind and range.
#include "core/text/json/json_fields.h"

#include "core/text/json/compact_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace loadline {
namespace {

using Json = nlohmann::json;

std::string rangeWords(std::int64_t low, std::int64_t high) {
    if (high < JsonFields::unbounded) {
        return fmt::format("a whole number from {} to {}", low, high);
    }
    return low > std::numeric_limits<std::int64_t>::min() ? fmt::format("a whole number of {} or more", low)
                                                          : "a whole number";
}

std::optional<std::int64_t> wholeFrom(const Json& value, std::int64_t low, std::int64_t high) {
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= static_cast<std::uint64_t>(JsonFields::unbounded));
    const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
    return fits && number >= low && number <= high ? std::optional(number) : std::nullopt;
}

} // namespace

Error JsonProblem::error(const std::string& prefix, const std::string& path,
                         const std::string& otherwise) const {
    return {prefix + what, path, remedy.empty() ? otherwise : remedy};
}

JsonFields::JsonFields(const Json& object, JsonProblem& problem, std::string place, std::string path)
    : objects_{&object}, problem_(&problem), place_(std::move(place)), path_(std::move(path)) {
    static const Json nothing = Json::object();
    if (!object.is_object()) {
        fail(object.is_discarded() ? "it is not JSON"
             : place_.empty()      ? "it is not a JSON object"
                                   : "it is not an object");
        objects_ = {&nothing};
    }
}

void JsonFields::fail(const std::string& what, const std::string& remedy) const {
    if (!*problem_) {
        *problem_ = {place_ + what, remedy};
    }
}

void JsonFields::failAt(const std::string& key, const std::string& what, const std::string& remedy) const {
    fail(fmt::format("\"{}{}\" {}", path_, key, what), remedy);
}

void JsonFields::failAt(const std::string& key, const std::string& what) const {
    failAt(key, what, "");
}

const Json* JsonFields::find(const char* key, bool need) {
    asked_.emplace_back(key);
    for (const Json* object : objects_) {
        const auto found = object->find(key);
        if (found != object->end() && !found->is_null()) {
            return &*found;
        }
    }
    if (need) {
        failAt(key, "is missing");
    }
    return nullptr;
}

const Json* JsonFields::findOf(const char* key, bool (Json::*isKind)() const noexcept, std::string_view kind,
                               bool need) {
    const Json* const found = find(key, need);
    if (found != nullptr && !(found->*isKind)()) {
        failAt(key, std::string(kind));
        return nullptr;
    }
    return found;
}

bool JsonFields::text(const char* key, std::string& value, bool need) {
    const Json* const found = findOf(key, &Json::is_string, "is not text", need);
    value = found != nullptr ? found->get<std::string>() : value;
    return found != nullptr;
}

bool JsonFields::truth(const char* key, bool& value, bool need) {
    const Json* const found = findOf(key, &Json::is_boolean, "is neither true nor false", need);
    value = found != nullptr ? found->get<bool>() : value;
    return found != nullptr;
}

bool JsonFields::number(const char* key, double& value, bool need, std::string_view words,
                        const std::function<bool(double)>& good) {
    const Json* const found = find(key, need);
    if (found == nullptr) {
        return false;
    }
    if (!found->is_number() || (good && !good(found->get<double>()))) {
        failAt(key, fmt::format("is not {}", words));
        return false;
    }
    value = found->get<double>();
    return true;
}

std::optional<std::int64_t> JsonFields::wholeIn(const char* key, std::int64_t low, std::int64_t high,
                                                bool need) {
    const Json* const found = find(key);
    const auto number = found != nullptr ? wholeFrom(*found, low, high) : std::nullopt;
    if (!number && (found != nullptr || need)) {
        failAt(key, "is not " + rangeWords(low, high));
    }
    return number;
}

std::optional<std::vector<std::int64_t>> JsonFields::wholesIn(const char* key, std::int64_t low,
                                                              std::int64_t high, bool need) {
    const Json* const found = findOf(key, &Json::is_array, "is not a list", need);
    if (found == nullptr) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const Json& value : *found) {
        const auto number = wholeFrom(value, low, high);
        if (!number) {
            failAt(key, "holds something that is not " + rangeWords(low, high));
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

bool JsonFields::texts(const char* key, std::vector<std::string>& values, bool need) {
    const Json* const found = findOf(key, &Json::is_array, "is not a list", need);
    if (found == nullptr || !std::ranges::all_of(*found, &Json::is_string)) {
        found != nullptr ? failAt(key, "holds something that is not text") : void();
        return false;
    }
    values = found->get<std::vector<std::string>>();
    return true;
}

bool JsonFields::numbers(const char* key, std::vector<double>& values, bool need) {
    const Json* const found = findOf(key, &Json::is_array, "is not a list", need);
    if (found == nullptr || !std::ranges::all_of(*found, &Json::is_number)) {
        found != nullptr ? failAt(key, "holds something that is not a number") : void();
        return false;
    }
    values = found->get<std::vector<double>>();
    return true;
}

JsonFields JsonFields::object(const char* key, bool need) {
    static const Json nothing = Json::object();
    const Json* const found = findOf(key, &Json::is_object, "is not an object", need);
    return {found != nullptr ? *found : nothing, *problem_, place_, path_ + key + "."};
}

const Json& JsonFields::list(const char* key, bool need) {
    static const Json nothing = Json::array();
    const Json* const found = findOf(key, &Json::is_array, "is not a list", need);
    return found != nullptr ? *found : nothing;
}

void JsonFields::each(const char* key, const std::string& noun,
                      const std::function<void(JsonFields&)>& read) {
    std::size_t number = 0;
    for (const Json& entry : list(key)) {
        JsonFields fields(entry, *problem_, fmt::format("{}{} {}: ", place_, noun, ++number));
        if (!failed()) {
            read(fields);
        }
        if (failed()) {
            return;
        }
    }
}

bool JsonFields::isAsked(std::string_view key) const {
    return std::ranges::find(asked_, key) != asked_.end();
}

void JsonFields::refuseOthers() const {
    for (const auto& [key, value] : json().items()) {
        if (!isAsked(key)) {
            failAt(key, "is not a known key", fmt::format("one of {}", fmt::join(asked_, ", ")));
        }
    }
}

std::map<std::string, std::string> JsonFields::others() const {
    std::map<std::string, std::string> others;
    for (const auto& [key, value] : json().items()) {
        if (!isAsked(key)) {
            others[key] = compactJson(value);
        }
    }
    return others;
}

const Json& memberOf(const Json& object, std::string_view key) {
    static const Json nothing;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return !object.is_object() || found == object.end() ? nothing : *found;
}

std::string textOf(const Json& object, std::string_view key) {
    const Json& member = memberOf(object, key);
    return member.is_string() ? member.get<std::string>() : "";
}

} // namespace loadline
