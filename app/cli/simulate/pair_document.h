// Two served formats in the document of a simulation, and for a terminal.
#pragma once

#include "core/simulate/fit/kv_need.h"
#include "core/simulate/study/format_pair.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace loadline::app {

/// {"weights", "kv", "experts"}
nlohmann::ordered_json formatDocument(const Format& format);

/// {"mean", "p50", "p90", "p99", "n"}; null where no turn was answered.
nlohmann::ordered_json quantilesDocument(const Quantiles& quantiles);

/// Bytes only where something is known of the model's attention, or of the device.
nlohmann::ordered_json kvDocument(const KvNeed& need);

/// Puts "against", "turns_per_s_vs_against", "vs_against", "interval_vs_against" with its parts,
/// "compared_on" and "whole".
void addPair(nlohmann::ordered_json& document, const FormatPair& pair);

/// "Turns refused: longer than fp16's KV room of 54 400 tokens": the smaller room of two formats, or
/// `maxModelLen`, which was asked for.
std::string refusedText(const SimulationInputs& inputs, Tokens maxModelLen,
                        const std::optional<FormatPair>& pair);

/// The headline, a table of both formats' figures, and what turns they are of.
std::string pairText(const FormatPair& pair);

} // namespace loadline::app
