// The parameters of who asks, and when.
#include "core/simulate/request/parameter_places.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>

namespace loadline {
namespace {

using R = SimulationRequest;
using A = ArrivalSetup;
using F = SourceFacts;

constexpr std::array<ParameterChoice, 3> outputCounts = {
    {{"auto", "auto", "Visible where most outputs in the logs are lower bounds, else as recorded"},
     {"recorded", "recorded", "As the logs count them, lower bounds included"},
     {"visible", "visible",
      "Where a log has only a lower bound: at least what it shows of the answer (characters / 4)"}}};
constexpr std::array<ParameterChoice, 3> arrivals = {
    {{"closed", "closed", "N users, each waits for its answer"},
     {"poisson", "rate", "Turns come by chance at a mean rate (Poisson)"},
     {"trace", "trace", "At the times of the request trace"}}};
constexpr std::array<ParameterChoice, 3> thinkTimes = {
    {{"none", "none", "The next turn follows at once"},
     {"fixed", "fixed", "Each turn follows its answer after so many seconds"},
     {"data", "data", "As long as the recorded sessions waited"}}};
constexpr std::array<ParameterChoice, 3> turnOrders = {
    {{"auto", "auto", "Sessions are replayed by users who wait; all else is sampled"},
     {"sampled", "sampled", "Drawn one by one from the workload's sizes"},
     {"replayed", "replayed", "Sessions in order, with their contexts"}}};

constexpr NumberRange<double> rates{1e-6, 1e6};
constexpr NumberRange<double> thinkSeconds{0, 1e6};
constexpr std::string_view poisson = "poisson:";

std::string arrivalsText(const R& r) {
    return r.arrivals.kind == ArrivalKind::Poisson ? fmt::format("{}{}", poisson, r.arrivals.ratePerS)
                                                   : std::string(keyOf(r.arrivals.kind));
}

bool readArrivals(R& r, std::string_view text) {
    if (text == "closed" || text == "trace") {
        r.arrivals.kind = text == "closed" ? ArrivalKind::Closed : ArrivalKind::Trace;
        return true;
    }
    const auto rate =
        text.starts_with(poisson) ? parseNumber(text.substr(poisson.size()), rates) : std::nullopt;
    r.arrivals.kind = rate ? ArrivalKind::Poisson : r.arrivals.kind;
    r.arrivals.ratePerS = rate.value_or(r.arrivals.ratePerS);
    return rate.has_value();
}

std::string thinkText(const R& r) {
    return r.arrivals.think == ThinkTime::Fixed ? fmt::format("{}", r.arrivals.thinkS)
                                                : std::string(keyOf(r.arrivals.think));
}

bool readThink(R& r, std::string_view text) {
    if (text == "none" || text == "data") {
        r.arrivals.think = text == "none" ? ThinkTime::None : ThinkTime::FromData;
        return true;
    }
    const auto seconds = parseNumber(text, thinkSeconds);
    r.arrivals.think = seconds ? ThinkTime::Fixed : r.arrivals.think;
    r.arrivals.thinkS = seconds.value_or(r.arrivals.thinkS);
    return seconds.has_value();
}

/// Fixed thinking takes some time.
void chooseThink(R& r, int i) {
    r.arrivals.think = static_cast<ThinkTime>(i);
    if (r.arrivals.think == ThinkTime::Fixed && r.arrivals.thinkS <= 0) {
        r.arrivals.thinkS = 5;
    }
}

bool isClosed(const R& r, const F& /*facts*/) {
    return r.arrivals.kind == ArrivalKind::Closed;
}

bool isPoisson(const R& r, const F& /*facts*/) {
    return r.arrivals.kind == ArrivalKind::Poisson;
}

bool thinksFixed(const R& r, const F& facts) {
    return isClosed(r, facts) && r.arrivals.think == ThinkTime::Fixed;
}

bool hasOutputs(const R& r, const F& facts) {
    return r.workload.name == openWorkload || facts.knowsOutputs;
}

std::string_view whyClosedOnly(const R& r, const F& facts) {
    return facts.knowsAttention || r.arrivals.kind != ArrivalKind::Closed
               ? ""
               : "These shapes are not a whole model's, so their steps are far too short for a clock: choose "
                 "the "
                 "shapes of a model";
}

std::string_view whyNoReplay(const R& r, const F& facts) {
    return facts.knowsSessions || r.arrivals.order == TurnOrder::Replayed
               ? ""
               : "This workload has no sessions to replay: open sessions and choose them as the workload";
}

} // namespace

std::span<const ParameterSpec> askingParameters() {
    using enum ParameterGroup;
    using Part = FormPlace::Part;
    using Scale = SliderSpec::Scale;
    static const std::array rows = {
        row("workload", Asks, place<&R::workload, &Source::name>,
            {"workload", "Where the turns come from (reference: the published distributions of 397\n"
                         "sessions): a distribution file (loadline turns --out), a folder of sessions, a\n"
                         "request trace (Mooncake, Azure, kv-cache-tester, or a table with the columns\n"
                         "arrival_s,input_tokens,output_tokens; files of at most 1 GiB), an archive of\n"
                         "traces (.tar.xz) or a folder of them"},
            {}, {Part::Asks, 3, "Workload"}, {}, {}, {.option = {"W"}}),
        row("outputs", Asks, chosen<&R::outputs>(outputCounts),
            {"outputs",
             "Of sessions whose logs hold only a lower bound of outputs: recorded: the bound;\n"
             "visible: at least the characters of the answer / 4; auto: visible where most\noutputs are "
             "bounds (auto)",
             "how outputs are counted"},
            {}, {Part::Asks, 4, "Outputs", "", hasOutputs}),
        row("users", Asks, place<&R::arrivals, &A::users>,
            {"users", "closed loop: how many users (8)", "the number of users", "the users"},
            {1, static_cast<double>(maxUsers)},
            {Part::Asks, 1, "Users", "Each sends its next turn when the last one is answered", isClosed},
            {1, 256}, {}, {.listed = true}),
        row("arrivals", Asks, chosen<&R::arrivals, &A::kind>(arrivals),
            {"arrivals", "Each user waits for the answer (closed), turns come at RATE a\nsecond, or at the "
                         "trace's times"},
            {}, {Part::Asks, 5, "Arrivals", "", nullptr, whyClosedOnly}, {}, {},
            {.option = {"closed|poisson:RATE|trace", "RATE", rates, arrivalsText, readArrivals}}),
        row("rate", Asks, place<&R::arrivals, &A::ratePerS>, {"turns a second", "", "the rate"}, rates,
            {Part::Asks, 2, "Rate", "Turns come at this mean rate, whatever the engine does", isPoisson},
            {0.01, 100, Scale::Log, "turns/s"}, {}, {.isOption = false}),
        row("think", Asks, ChosenPlace{&PlaceOf<&R::arrivals, &A::think>::index, chooseThink, thinkTimes},
            {"think time", "closed loop: time from an answer to the next turn; data: as recorded (none)"}, {},
            {Part::Asks, 6, "Think time", "", isClosed}, {}, {},
            {.option = {"none|SECONDS|data", "SECONDS", thinkSeconds, thinkText, readThink}}),
        row("think-s", Asks, place<&R::arrivals, &A::thinkS>, {"think seconds", "", "the think time"},
            thinkSeconds, {Part::Asks, 7, "Seconds", "", thinksFixed}, {0.1, 600, Scale::Log, "s", "", 5}, {},
            {.isOption = false}),
        row("turn-order", Asks, chosen<&R::arrivals, &A::order>(turnOrders),
            {"turns",
             "Turns drawn one by one, or sessions played in order; auto: sessions are replayed\nin a closed "
             "loop (auto)",
             "the order of turns"},
            {}, {Part::Asks, 8, "Turns", "", nullptr, whyNoReplay}),
    };
    return rows;
}

std::string_view keyOf(ArrivalKind kind) {
    return arrivals[static_cast<std::size_t>(kind)].key;
}

std::string_view keyOf(ThinkTime think) {
    return thinkTimes[static_cast<std::size_t>(think)].key;
}

std::string_view keyOf(TurnOrder order) {
    return turnOrders[static_cast<std::size_t>(order)].key;
}

} // namespace loadline
