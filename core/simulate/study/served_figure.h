// The figures that formats are compared by when each is served by itself.
#pragma once

#include "core/simulate/run/result.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace loadline {

enum class ServedFigure : std::uint8_t {
    TurnsPerS,
    TokensPerS,
    TtftP50,
    TtftP99,
    TpotP50,
    TpotP99,
    E2eMean,
};
inline constexpr std::array servedFigures = {
    ServedFigure::TurnsPerS, ServedFigure::TokensPerS, ServedFigure::TtftP50, ServedFigure::TtftP99,
    ServedFigure::TpotP50,   ServedFigure::TpotP99,    ServedFigure::E2eMean};

struct ServedFigureSpec {
    std::string_view key; ///< in documents: "ttft_s.p50"
    bool isTime;          ///< in seconds; else a rate, which moves with the error of kernel times
    bool isWait;          ///< has no value where a queue grows: it would measure how long the run was
    double (*of)(const SimulationResult& run);
    bool (*isKnown)(const SimulationResult& run);
};
const ServedFigureSpec& specOf(ServedFigure figure);

} // namespace loadline
