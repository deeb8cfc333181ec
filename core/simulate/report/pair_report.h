// Two served formats beside each other.
#pragma once

#include "core/simulate/report/report_parts.h"

namespace loadline::ask {

/// "against", "turns_per_s_vs_against", "vs_against", "interval_vs_against" with its parts, "compared_on",
/// "whole" and "headline"; for people a table of both formats' figures, and what turns they are of.
void addPair(Report& report, const FormatPair& pair);
/// The table for people.
void tellPair(Report& report, const FormatPair& pair);

/// "Turns refused: longer than fp16's KV room of 54 400 tokens": the smaller room of two formats, or
/// `maxModelLen`, which was asked for.
std::string refusedText(const SimulationInputs& inputs, Tokens maxModelLen,
                        const std::optional<FormatPair>& pair);

} // namespace loadline::ask
