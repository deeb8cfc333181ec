// JSON as its standard has it, and no more: for tests of what the program prints.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::test {

/// Listens to a parser and finds what it lets pass: two equal keys in an object, numbers that are not finite.
/// (The parser itself refuses NaN, Infinity and bytes that are no UTF-8.)
class StrictListener : public nlohmann::json_sax<nlohmann::ordered_json> {
public:
    std::string problem; ///< the first one, in words; "": none

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return found("binary data"); }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }

    bool number_float(number_float_t value, const string_t& text) override {
        return std::isfinite(value) || found("the number " + text);
    }

    bool start_object(std::size_t) override {
        keys_.emplace_back();
        return true;
    }

    bool end_object() override {
        keys_.pop_back();
        return true;
    }

    bool key(string_t& name) override {
        return keys_.back().insert(name).second || found("twice the key \"" + name + "\"");
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
        return found(error.what());
    }

private:
    bool found(const std::string& what) {
        problem = problem.empty() ? what : problem;
        return false;
    }

    std::vector<std::set<std::string>> keys_; ///< of the objects that are open
};

/// Why `text` is not one strict JSON document; "" where it is.
inline std::string jsonProblem(std::string_view text) {
    if (text.find('\0') != std::string_view::npos || text.starts_with("\xef\xbb\xbf")) {
        return "a NUL or a byte order mark";
    }
    StrictListener listener;
    const bool whole = nlohmann::ordered_json::sax_parse(text, &listener);
    return whole || !listener.problem.empty() ? listener.problem : "no JSON document";
}

/// The first number that is a share of something by its name, or by that of the object around it, and is not
/// within 0..1; "" where there is none.
inline std::string shareProblem(const nlohmann::ordered_json& value, const std::string& name = "",
                                bool isShare = false) {
    static const std::set<std::string> shares{
        "hit", "hit_rate", "prefix_hit_block", "prefix_hit_token", "sub_agent_hit", "decode_only_fraction"};
    static const std::set<std::string> objectsOfShares{"fwd", "rev", "token_weighted", "mean_per_request"};
    if (value.is_number() && isShare) {
        const auto number = value.get<double>();
        return number >= 0 && number <= 1 ? "" : name + " is " + value.dump();
    }
    if (value.is_structured()) {
        for (const auto& [key, part] : value.items()) {
            const bool inside =
                value.is_array() ? isShare : shares.contains(key) || objectsOfShares.contains(name);
            if (const std::string problem = shareProblem(part, value.is_object() ? key : name, inside);
                !problem.empty()) {
                return problem;
            }
        }
    }
    return "";
}

/// Both.
inline std::string documentProblem(std::string_view text) {
    const std::string problem = jsonProblem(text);
    return problem.empty() ? shareProblem(nlohmann::ordered_json::parse(text)) : problem;
}

} // namespace loadline::test
