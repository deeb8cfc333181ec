// The options of `loadline sweep`: those of a simulation, with lists for users, chunk sizes and bits.
#pragma once

#include "app/options/simulation_options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace loadline::app {

/// What CLI11 writes into while it parses: must outlive the parsing.
struct SweepOptions {
    SimulationOptions simulation;
    std::vector<std::int64_t> users; ///< ascending; empty: not given
    std::vector<Tokens> chunks;      ///< 0: none; empty: not given
    std::vector<std::int64_t> kBits; ///< empty: not given
    bool latencies = false;
    std::int64_t draws = 64;
    bool json = false;
    std::string out, csv;
    unsigned threads = 0;

    void add(CLI::App& app);

    /// The words that run it again.
    [[nodiscard]] std::vector<std::string> command() const;

    /// The first value that makes no sense; nothing if all can be simulated.
    [[nodiscard]] std::optional<Error> problem() const;

private:
    void addLists(CLI::App& app);

    std::string usersWord_, chunksWord_, kBitsWord_; // as given
};

} // namespace loadline::app
