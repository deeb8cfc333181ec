// The fields of who asks, and when.
#include "core/simulate/request/field_row.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>

namespace loadline {
namespace {

using R = SimulationRequest;
using A = ArrivalSetup;
using F = SourceFacts;

constexpr std::array<ask::Choice, 3> outputCounts = {
    {{"auto", "auto", "Visible where most outputs in the logs are lower bounds, else as recorded"},
     {"recorded", "recorded", "As the logs count them, lower bounds included"},
     {"visible", "visible",
      "Where a log has only a lower bound: at least what it shows of the answer (characters / 4)"}}};
constexpr std::array<ask::Choice, 3> arrivals = {
    {{"closed", "closed", "N users, each waits for its answer"},
     {"poisson", "rate", "Turns come by chance at a mean rate (Poisson)"},
     {"trace", "trace", "At the times of the request trace"}}};
constexpr std::array<ask::Choice, 3> thinkTimes = {
    {{"none", "none", "The next turn follows at once"},
     {"fixed", "fixed", "Each turn follows its answer after so many seconds"},
     {"data", "data", "As long as the recorded sessions waited"}}};
constexpr std::array<ask::Choice, 3> turnOrders = {
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

ask::Access thinkTime() {
    ask::Access access = ask::bound<&R::arrivals, &A::think>(thinkTimes);
    access.set = [](void* question, const ask::Value& chosen) {
        A& asked = static_cast<R*>(question)->arrivals;
        asked.think = static_cast<ThinkTime>(std::get<std::int64_t>(chosen));
        if (asked.think == ThinkTime::Fixed && asked.thinkS <= 0) {
            asked.thinkS = 5; // fixed thinking takes some time
        }
    };
    return access;
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

std::string whyClosedOnly(const R& r, const F& facts) {
    return facts.knowsAttention || r.arrivals.kind != ArrivalKind::Closed
               ? ""
               : "These shapes are not a whole model's, so their steps are far too short for a clock: choose "
                 "the "
                 "shapes of a model";
}

std::string whyNoReplay(const R& r, const F& facts) {
    return facts.knowsSessions || r.arrivals.order == TurnOrder::Replayed
               ? ""
               : "This workload has no sessions to replay: open sessions and choose them as the workload";
}

} // namespace

ask::Fields askingFields() {
    using Part = ask::FormPart;
    using Scale = ask::SliderScale;
    static const std::array rows = {
        row("workload", asksGroup, ask::bound<&R::workload, &Source::name>(),
            {"workload", "Where the turns come from (reference: the published distributions of 397\n"
                         "sessions): a distribution file (loadline turns --out), a folder of sessions, a\n"
                         "request trace (Mooncake, Azure, kv-cache-tester, or a table with the columns\n"
                         "arrival_s,input_tokens,output_tokens; files of at most 1 GiB), an archive of\n"
                         "traces (.tar.xz) or a folder of them"},
            {}, {.part = Part::Asks, .rank = 3, .label = "Workload", .editor = "file"}, {}, {},
            {.text = {"W"}}),
        row("outputs", asksGroup, ask::bound<&R::outputs>(outputCounts),
            {"outputs",
             "Of sessions whose logs hold only a lower bound of outputs: recorded: the bound;\n"
             "visible: at least the characters of the answer / 4; auto: visible where most\noutputs are "
             "bounds (auto)",
             "how outputs are counted"},
            {}, {Part::Asks, 4, "Outputs", "", byFacts<hasOutputs>}),
        row("users", asksGroup, ask::bound<&R::arrivals, &A::users>(),
            {"users", "closed loop: how many users (8)", "the number of users", "the users"},
            {1, static_cast<double>(maxUsers)},
            {Part::Asks, 1, "Users", "Each sends its next turn when the last one is answered",
             byFacts<isClosed>},
            {1, 256}, {}, {.takesList = true, .digits = 9}), // one by one
        row("arrivals", asksGroup, ask::bound<&R::arrivals, &A::kind>(arrivals),
            {"arrivals", "Each user waits for the answer (closed), turns come at RATE a\nsecond, or at the "
                         "trace's times"},
            {}, {Part::Asks, 5, "Arrivals", "", nullptr, byFacts<whyClosedOnly>}, {}, {},
            {.text = {"closed|poisson:RATE|trace", "RATE", rates, ask::textBy<arrivalsText, R>,
                      ask::readBy<readArrivals, R>}}),
        row("rate", asksGroup, ask::bound<&R::arrivals, &A::ratePerS>(), {"turns a second", "", "the rate"},
            rates,
            {Part::Asks, 2, "Rate", "Turns come at this mean rate, whatever the engine does",
             byFacts<isPoisson>},
            {0.01, 100, Scale::Log, "turns/s"}, {}, {.isOption = false}),
        row("think", asksGroup, thinkTime(),
            {"think time", "closed loop: time from an answer to the next turn; data: as recorded (none)"}, {},
            {Part::Asks, 6, "Think time", "", byFacts<isClosed>}, {}, {},
            {.text = {"none|SECONDS|data", "SECONDS", thinkSeconds, ask::textBy<thinkText, R>,
                      ask::readBy<readThink, R>}}),
        row("think-s", asksGroup, ask::bound<&R::arrivals, &A::thinkS>(),
            {"think seconds", "", "the think time"}, thinkSeconds,
            {Part::Asks, 7, "Seconds", "", byFacts<thinksFixed>}, {0.1, 600, Scale::Log, "s", "", 5}, {},
            {.isOption = false}),
        row("turn-order", asksGroup, ask::bound<&R::arrivals, &A::order>(turnOrders),
            {"turns",
             "Turns drawn one by one, or sessions played in order; auto: sessions are replayed\nin a closed "
             "loop (auto)",
             "the order of turns"},
            {}, {Part::Asks, 8, "Turns", "", nullptr, byFacts<whyNoReplay>}),
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
