// "From how many tokens on is a call long?": the whole of a new study.
#include "tests/app/gate_study.h"

#include "core/session/corpus/corpus.h"

namespace loadline::ask {
namespace {

struct LongQuestion {
    std::int64_t limit = 1024, repeats = 1;
    bool operator==(const LongQuestion&) const = default;
};
struct LongAnswer {
    std::int64_t above = 0;
    std::vector<std::int64_t> calls; ///< of 2^(index - 1) tokens and more
};

Fields longFields() {
    static const Field rows[] = {
        numberField("limit", bound<&LongQuestion::limit>(), "Tokens from which on a call is long", {1, 1e7}),
        numberField("repeats", bound<&LongQuestion::repeats>(), "How often calls are counted", {1, 1e12})};
    return rows;
}

Result<LongAnswer> countLong(const LongQuestion& asked, const Sources& sources, const Run& run) {
    LongAnswer answer;
    const std::int64_t repeats = run.stage == Stage::Preview ? 1 : asked.repeats;
    for (std::int64_t i = 0; i < repeats && !run.stop.stop_requested(); ++i) {
        answer = {0, std::vector<std::int64_t>(65)};
        for (const CorpusCall& call : sources.get<Corpus>()->calls) {
            answer.above += call.usage.context() >= asked.limit ? 1 : 0;
            ++answer.calls[std::bit_width(static_cast<std::uint64_t>(call.usage.context()))];
        }
    }
    return answer.above > 0 ? Result<LongAnswer>(answer) : Error{"no call is so long", "", "a lower limit"};
}

Report describeLong(const LongAnswer& answer, const LongQuestion& /*asked*/) {
    Report report{"loadline.long-calls/1", std::to_string(answer.above) + " calls are long"};
    const auto tokens = [](std::size_t row) { return std::exp2(row); };
    const auto calls = [&answer](std::size_t row) { return answer.calls[row]; };
    report.add("long_calls", answer.above, "long calls", Form::Whole);
    report.add("curve", "Calls by input", 24,
               {columnAt("tokens", tokens, "tokens", Form::Tokens), columnAt("calls", calls, "calls")});
    report.plots = {{.key = "long-curve", .marks = {{Kind::Line, "curve", "tokens", "calls"}}},
                    {.key = "long-steps", .marks = {{Kind::Step, "curve", "tokens", "calls"}}}};
    report.plots[0].x.scale = report.plots[1].x.scale = Scale::Log;
    report.plots[0].rules = {{.field = "limit", .onMark = "calls"}};
    return report;
}
constexpr PlotWords longPlots[] = {{"long-curve", "Calls by input", "calls by their size class"},
                                   {"long-steps", "The same in steps", "the same in steps"}};
} // namespace

Study longCalls() {
    return studyOf<LongQuestion, LongAnswer, longFields, countLong, describeLong>(
        {"long-calls", "Long calls", "From how many tokens on a call is long", Needs::Sessions, longPlots,
         true});
}
} // namespace loadline::ask
