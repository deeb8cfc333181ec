// What each option of `loadline sweep` accepts.
#include "app/cli/sweep/sweep_options.h"

#include "app/cli/sweep/number_list.h"
#include "app/cli/terminal/parse.h"
#include "app/options/number_option.h"
#include "app/options/simulation_words.h"
#include "core/simulate/setup/parameters.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

constexpr std::size_t mostPoints = 1'000'000;
constexpr std::int64_t mostDraws = 10'000;

/// Takes the word "none" out of a list; what is left, and whether it was there.
std::pair<std::string, bool> withoutNone(const std::string& list) {
    std::string rest;
    bool found = false;
    std::size_t begin = 0;
    while (begin <= list.size()) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string part = list.substr(begin, end - begin);
        begin = end + 1;
        if (part == "none") {
            found = true;
        } else {
            rest += (rest.empty() ? "" : ",") + part;
        }
    }
    return {rest, found};
}

/// The option of a parameter, with a list; its form may end in "none".
void addList(CLI::App& app, const ParameterSpec& spec, const std::string& form, std::string_view help,
             std::vector<std::int64_t>& values, std::string& word) {
    const NumberRange<std::int64_t> range{static_cast<std::int64_t>(spec.range.least),
                                          static_cast<std::int64_t>(spec.range.most)};
    const std::string takes = fmt::format("{}, {} numbers at most", wordsOf(range), mostListed);
    addTaken(app, optionOf(spec), form, std::string(help), takes,
             [&spec, form, range, takes, &values, &word](const std::string& text) {
                 const auto [rest, none] =
                     form.ends_with("none") ? withoutNone(text) : std::pair(text, false);
                 const auto numbers =
                     none && rest.empty() ? std::vector<std::int64_t>() : numbersIn(rest, range);
                 if (!numbers) {
                     throw notTaken(optionOf(spec), form + " of " + takes, text);
                 }
                 values = *numbers;
                 if (none) {
                     values.insert(values.begin(), 0);
                 }
                 word = text;
             })
        ->group(std::string(titleOf(spec.group)));
}

std::size_t countOf(const std::vector<std::int64_t>& values) {
    return std::max<std::size_t>(values.size(), 1);
}

} // namespace

void SweepOptions::addLists(CLI::App& app) {
    const ParameterSpec& chunk = parameterOf("chunk");
    const ParameterSpec& k = parameterOf("k");
    addList(app, parameterOf("users"), "N,A:B,A:B:STEP",
            "Closed loop: numbers of users, both ends of a range included\n(1 to 256, ten per octave)", users,
            usersWord_);
    addList(app, chunk, "N,A:B:STEP,none", chunk.words.help, chunks, chunksWord_);
    addList(app, k, "N,A:B", k.words.help, kBits, kBitsWord_);
}

void SweepOptions::add(CLI::App& app) {
    simulation.add(app, false);
    addLists(app);
    const char* group = "What is worked out";
    app.add_flag("--latencies", latencies, "TTFT, TPOT and throughput of every point")->group(group);
    addNumber(app, "--draws", draws, {0, mostDraws},
              "Draws of turns, sessions and kernel times behind a crossover's\ninterval; 0: no interval (64)")
        ->group(group);
    CLI::Option* jsonFlag = app.add_flag("--json", json, "One JSON document instead of text");
    app.add_option("--csv", csv, "Write one row per point to FILE ('-': standard output)")
        ->option_text("FILE")
        ->excludes(jsonFlag);
    app.add_option("--out", out, "Write the JSON document to FILE")->option_text("FILE");
    addThreads(app, threads, "simulate");
}

std::vector<std::string> SweepOptions::command() const {
    std::vector<std::string> words = {"loadline", "sweep"};
    const auto put = [&](const char* option, const std::string& word) {
        if (!word.empty()) {
            words.emplace_back(option);
            words.push_back(word);
        }
    };
    put("--users", usersWord_);
    put("--chunk", chunksWord_);
    put("--k", kBitsWord_);
    for (std::string& word : commandWordsOf(simulation.request())) {
        words.push_back(std::move(word));
    }
    if (latencies) {
        words.emplace_back("--latencies");
    }
    put("--draws", draws == SweepOptions{}.draws ? std::string() : std::to_string(draws));
    return words;
}

std::optional<Error> SweepOptions::problem() const {
    SimulationRequest request = simulation.request();
    if (request.arrivals.kind != ArrivalKind::Closed && !users.empty()) {
        return Error{"--users makes no sense with --arrivals: users wait for their answers in a closed loop",
                     "", "leave one of the two out"};
    }
    for (const std::int64_t number : users) {
        request.arrivals.users = number;
        if (auto problem = problemOf(request)) {
            return problem;
        }
    }
    for (const Tokens chunk : chunks) {
        request.policy.chunkTokens = chunk > 0 ? std::optional(chunk) : std::nullopt;
        if (auto problem = problemOf(request)) {
            return problem;
        }
    }
    for (const std::int64_t k : kBits) {
        request.kBits = static_cast<int>(std::clamp<std::int64_t>(k, -1, 99));
        if (auto problem = problemOf(request)) {
            return problem;
        }
    }
    if (countOf(users) * countOf(chunks) * countOf(kBits) > mostPoints) {
        return Error{
            fmt::format("these are more than {} points", formatExact(static_cast<std::int64_t>(mostPoints))),
            "", "sweep fewer users, chunk sizes or bits"};
    }
    return problemOf(request);
}

} // namespace loadline::app
