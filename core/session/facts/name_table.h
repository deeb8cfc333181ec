// Recurring words as small numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Each distinct word once, numbered in the order of first use; number 0 is "".
class NameTable {
public:
    NameTable() : names_{""} { numbers_.emplace("", 0); }

    std::uint32_t numberOf(std::string_view name) {
        const auto found = numbers_.find(name);
        if (found != numbers_.end()) {
            return found->second;
        }
        const auto number = static_cast<std::uint32_t>(names_.size());
        names_.emplace_back(name);
        numbers_.emplace(std::string(name), number);
        return number;
    }

    /// Returns the number of a name that mostly repeats: `guess` is tried first.
    std::uint32_t numberOf(std::string_view name, std::uint32_t guess) {
        return guess < names_.size() && names_[guess] == name ? guess : numberOf(name);
    }

    [[nodiscard]] const std::string& name(std::uint32_t number) const { return names_[number]; }

    [[nodiscard]] std::size_t size() const { return names_.size(); }

    [[nodiscard]] std::vector<std::string> take() { return std::move(names_); }

private:
    std::vector<std::string> names_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

} // namespace loadline
