// The parameters of a simulation: a row each, from which options, forms, settings, comparisons and vLLM's
// words follow.
#pragma once

#include "core/simulate/request/simulation_request.h"
#include "core/text/parse_number.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace loadline {

/// Where options are listed together.
enum class ParameterGroup : std::uint8_t { Asks, Holds, Costs, Run };
std::string_view titleOf(ParameterGroup group); ///< "Who asks"

/// One value of several, in the order of its enum.
struct ParameterChoice {
    std::string_view key{}; ///< in options and JSON
    std::string_view label{};
    std::string_view tip{};
    std::string_view said{}; ///< in comparisons; empty: the key
};

template <typename Value>
using ParameterPlace = Value& (*)(SimulationRequest&);

struct ChosenPlace {
    int (*get)(const SimulationRequest&) = nullptr;
    void (*set)(SimulationRequest&, int) = nullptr;
    std::span<const ParameterChoice> choices{};
};

/// SimulationRequest::timeScale: a factor for each kernel.
struct FactorsPlace {};

/// Where its value lies.
using ParameterField = std::variant<ParameterPlace<std::string>, ParameterPlace<bool>, ParameterPlace<int>,
                                    ParameterPlace<std::int64_t>, ParameterPlace<std::optional<std::int64_t>>,
                                    ParameterPlace<std::uint64_t>, ParameterPlace<double>,
                                    ParameterPlace<std::optional<double>>, ChosenPlace, FactorsPlace>;

/// Of an option that is not simply its value.
struct OptionForm {
    std::string_view form{};     ///< "closed|poisson:RATE|trace"
    std::string_view number{};   ///< "RATE"
    NumberRange<double> range{}; ///< of that number
    std::string (*text)(const SimulationRequest&) = nullptr;
    bool (*read)(SimulationRequest&, std::string_view) = nullptr;
};

/// What the workload and the shapes tell, as far as it decides which parameters matter.
struct SourceFacts {
    bool knowsArrivals = false; ///< the workload is a trace
    bool knowsGaps = false;     ///< the workload tells how long users think
    bool knowsSessions = false; ///< the workload can be replayed
    bool knowsOutputs = false;  ///< the workload is of sessions' logs, whose outputs may be lower bounds
    bool knowsAttention = true; ///< the shapes tell what a whole step needs
    /// What "auto" comes to (inputsOf); 0: not known yet.
    Tokens autoBudget = 0;
    std::int64_t autoSeqs = 0;
    bool operator==(const SourceFacts&) const = default;
};

/// How a form shows it: in which part, and where in it.
struct FormPlace {
    enum class Part : std::uint8_t { None, Asks, Holds, Costs, More } part = Part::None;
    int rank = 0;
    std::string_view label{};
    std::string_view tip{};
    bool (*isShown)(const SimulationRequest&, const SourceFacts&) = nullptr; ///< null: always
    /// Why it cannot be changed; empty where it can. Null: it always can.
    std::string_view (*whyNot)(const SimulationRequest&, const SourceFacts&) = nullptr;
};

/// Of numbers on a slider; the field beside it takes the whole range.
struct SliderSpec {
    enum class Scale : std::uint8_t {
        Linear,
        Log,   ///< every whole number that the slider can reach
        Binary ///< logarithmic, eight round numbers an octave
    };
    double least = 0, most = 0; ///< both 0: a button for each number of a short range, else all of it
    Scale scale = Scale::Log;
    std::string_view unit{};
    std::string_view off{};        ///< what "none" is called
    std::optional<double> usual{}; ///< marked; none: the default
    std::string_view each{};       ///< without slider: the tip of a number, "Weights of {} bits"
};

/// What it is called on vLLM's command line.
struct VllmWord {
    std::string_view name{};  ///< "max_num_batched_tokens"; empty: vLLM has none
    std::string_view means{}; ///< "token budget {}", for who pastes it
    bool atDefault = true;    ///< a command says it even where it is as by default
    bool zeroIsNone = false;  ///< vLLM writes 0 for none
};

struct ParameterWords {
    std::string_view name{};   ///< in comparisons: "max sequences"
    std::string_view help{};   ///< of the option; empty: there is none, or the program adds it by hand
    std::string_view noun{};   ///< in sentences: "the most sequences"; empty: "the " and the name
    std::string_view change{}; ///< what undo says is changed; empty: the noun
};

/// What few have.
struct ParameterTraits {
    std::optional<Policy> only{}; ///< no other policy knows it
    bool listed = false;          ///< in a sweep its option takes a list
    bool isOption = true;         ///< has an option of its own
    OptionForm option{};
    std::string_view none = "none"; ///< what an optional number is called where there is none
};

struct ParameterSpec {
    std::string_view key{}; ///< "max-seqs": its option is --max-seqs, its JSON field "max_seqs"
    ParameterGroup group = ParameterGroup::Asks;
    ParameterField field{};
    ParameterWords words{};
    NumberRange<double> range{}; ///< of numbers; of seeds: all
    FormPlace form{};
    SliderSpec slider{};
    VllmWord vllm{};
    ParameterTraits traits{};
};

std::span<const ParameterSpec> parameterSpecs();
/// Precondition: there is one with this key.
const ParameterSpec& parameterOf(std::string_view key);

/// "--max-seqs"; "--no-chunked-prefill": a flag that is on by default has an option that takes it away.
std::string optionOf(const ParameterSpec& spec);
/// "N", "X|none", "closed|poisson:RATE|trace": what stands behind an option in its help; "" of a flag.
std::string formOf(const ParameterSpec& spec);
/// "1..4096 or none": which values; "" where the form says it.
std::string takesOf(const ParameterSpec& spec);

/// The value as an option and a setting write it: "8192", "none", "poisson:2.5", "true". Not of factors.
std::string textOf(const ParameterSpec& spec, const SimulationRequest& request);
/// Reads that; false, and the request as it was, for anything else and what is out of range.
bool readText(const ParameterSpec& spec, std::string_view text, SimulationRequest& request);
/// The value for people: "8 192", "none", "on".
std::string wordOf(const ParameterSpec& spec, const SimulationRequest& request);
/// What a parameter that is left to "auto" comes to; nothing: it is set, it has no "auto", or nobody knows.
std::optional<double> autoNumberOf(const ParameterSpec& spec, const SimulationRequest& request,
                                   const SourceFacts& facts);
/// Nothing: it is none, or not a number.
std::optional<double> numberOf(const ParameterSpec& spec, const SimulationRequest& request);
/// Rounded where it must be whole; nothing makes it none where it can be, else changes nothing.
void setNumber(const ParameterSpec& spec, std::optional<double> number, SimulationRequest& request);
/// Whether it is a whole number; nothing of what is no number.
std::optional<bool> isWhole(const ParameterSpec& spec);

/// A number out of its range, in a sentence's worth of Error.
std::optional<Error> problemOf(const ParameterSpec& spec, const SimulationRequest& request);
bool isShown(const ParameterSpec& spec, const SimulationRequest& request, const SourceFacts& facts);
/// Why it cannot be changed; empty where it can.
std::string whyNot(const ParameterSpec& spec, const SimulationRequest& request, const SourceFacts& facts);
/// "Change the users"
std::string nameOfChange(const ParameterSpec& spec);

inline constexpr NumberRange<double> timeScales{0, maxTimeScale};
/// "scalar=0.5": the factors that are not 1, as options write them.
std::vector<std::string> factorsOf(const SimulationRequest& request);
bool readFactor(std::string_view text, SimulationRequest& request);

} // namespace loadline
