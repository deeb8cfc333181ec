// Members of JSON objects, by kind and range: the first that is wrong is kept, with its place.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline {

/// The first thing that is wrong with a document.
struct JsonProblem {
    std::string what; ///< "gemm 2: \"layers\" is missing"; empty: nothing is wrong
    std::string remedy;

    explicit operator bool() const { return !what.empty(); }

    /// "not a file of shapes: gemm 2: ..."; `otherwise` where the problem has no remedy of its own.
    [[nodiscard]] Error error(const std::string& prefix, const std::string& path,
                              const std::string& otherwise) const;
};

/// Reads the members of one object. A member that is missing, or null, leaves the value as it is, unless it
/// is needed; one of another kind or out of range leaves it too, and is the problem. After the first problem
/// reading goes on, but gives nothing to rely on.
class JsonFields {
public:
    using Json = nlohmann::json;
    static constexpr bool needed = true;
    static constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

    /// Anything but an object is the problem. `place` stands before what is wrong ("point 3: "), `path`
    /// before the names of members ("freq.").
    JsonFields(const Json& object, JsonProblem& problem, std::string place = "", std::string path = "");
    /// Reads several objects as one: the first that has a member decides.
    JsonFields(std::initializer_list<const Json*> objects, JsonProblem& problem)
        : objects_(objects), problem_(&problem) {}

    void fail(const std::string& what, const std::string& remedy = "") const;
    /// "\"row_tiles.mma\" is no number".
    void failAt(const std::string& key, const std::string& what) const;
    [[nodiscard]] bool failed() const { return static_cast<bool>(*problem_); }

    /// The member; null where it is missing.
    const Json* find(const char* key, bool need = false);
    bool text(const char* key, std::string& value, bool need = false);
    bool truth(const char* key, bool& value, bool need = false);
    /// Any number for which `good` holds; else it "is not WORDS".
    bool number(const char* key, double& value, bool need = false, std::string_view words = "a number",
                const std::function<bool(double)>& good = nullptr);

    /// A whole number from `low` to `high`.
    template <typename T>
    bool whole(const char* key, T& value, std::int64_t low, std::int64_t high, bool need = false) {
        constexpr auto most = std::min<std::uint64_t>(std::numeric_limits<T>::max(), unbounded);
        const auto given = wholeIn(key, low, std::min(high, static_cast<std::int64_t>(most)), need);
        value = given ? static_cast<T>(*given) : value;
        return given.has_value();
    }

    template <typename T>
    bool whole(const char* key, std::optional<T>& value, std::int64_t low, std::int64_t high) {
        T given{};
        const bool read = whole(key, given, low, high);
        value = read ? std::optional(given) : value;
        return read;
    }

    /// Any whole number.
    template <typename T>
    bool whole(const char* key, T& value) {
        const auto given = wholeIn(key, std::numeric_limits<std::int64_t>::min(), unbounded, false);
        if (given) {
            value = *given;
        }
        return given.has_value();
    }

    /// One of some words: pairs of name and value.
    template <typename T, typename Words>
    bool word(const char* key, T& value, const Words& words) {
        std::string given;
        if (!text(key, given)) {
            return false;
        }
        std::string known;
        for (const auto& [name, meaning] : words) {
            if (given == name) {
                value = meaning;
                return true;
            }
            known += (known.empty() ? "" : ", ") + std::string(name);
        }
        failAt(key, "\"" + given + "\" is not known", "one of " + known);
        return false;
    }

    template <typename T>
    bool word(const char* key, T& value, std::initializer_list<std::pair<const char*, T>> words) {
        return word<T, std::initializer_list<std::pair<const char*, T>>>(key, value, words);
    }

    bool texts(const char* key, std::vector<std::string>& values, bool need = false);
    bool numbers(const char* key, std::vector<double>& values, bool need = false);

    template <typename T>
    bool wholes(const char* key, std::vector<T>& values, std::int64_t low, std::int64_t high,
                bool need = false) {
        const auto given = wholesIn(key, low, high, need);
        values = given ? std::vector<T>(given->begin(), given->end()) : values;
        return given.has_value();
    }

    /// The object of that name, empty where it is missing; its members' names are told with it ("a.b").
    JsonFields object(const char* key, bool need = false);
    /// The list of that name, empty where it is missing.
    const Json& list(const char* key, bool need = false);
    /// Calls `read` for each object of a list, `noun` and its number in the place; ends at the first problem.
    void each(const char* key, const std::string& noun, const std::function<void(JsonFields&)>& read);

    /// Makes a member that nobody asked for the problem.
    void refuseOthers() const;
    /// Returns the members that nobody asked for, as JSON text by name.
    [[nodiscard]] std::map<std::string, std::string> others() const;
    [[nodiscard]] const Json& json() const { return *objects_.front(); }

private:
    void failAt(const std::string& key, const std::string& what, const std::string& remedy) const;
    const Json* findOf(const char* key, bool (Json::*isKind)() const noexcept, std::string_view kind,
                       bool need);
    std::optional<std::int64_t> wholeIn(const char* key, std::int64_t low, std::int64_t high, bool need);
    std::optional<std::vector<std::int64_t>> wholesIn(const char* key, std::int64_t low, std::int64_t high,
                                                      bool need);
    [[nodiscard]] bool isAsked(std::string_view key) const;

    std::vector<const Json*> objects_;
    JsonProblem* problem_;
    std::string place_;
    std::string path_;
    std::vector<std::string> asked_;
};

/// Returns a member of a value that may be no object; null JSON if there is none.
const nlohmann::json& memberOf(const nlohmann::json& object, std::string_view key);
/// Returns the text of memberOf(); "" if it is none.
std::string textOf(const nlohmann::json& object, std::string_view key);

} // namespace loadline
