// The refusal of an option's value.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace loadline::app {

/// "--threads takes 1..256, not '0x10'"
inline CLI::ValidationError notTaken(const std::string& option, const std::string& takes, std::string given) {
    std::ranges::replace(given, '\n', ','); // between the texts of an option that is given several times
    return CLI::ValidationError(fmt::format("{} takes {}, not '{}'", option, takes, given));
}

} // namespace loadline::app
