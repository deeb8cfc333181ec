// A study: what is asked, how it is computed, how its answer is described.
#pragma once

#include "core/ask/field.h"
#include "core/ask/question.h"
#include "core/ask/report.h"
#include "core/base/progress.h"
#include "core/base/result.h"

#include <any>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <utility>

namespace loadline::ask {

/// An answer with its type erased; null: there is none.
using Answer = std::shared_ptr<const void>;

enum class Stage : std::uint8_t {
    Preview, ///< at once, rough: the hand is still moving
    Refined
};

/// How an answer is to be computed.
struct Run {
    std::stop_token stop;
    WorkProgress* progress = nullptr; ///< may be null
    Stage stage = Stage::Refined;
    unsigned threads = 0;                  ///< 0: as many as there are processors
    std::function<void(Answer)> partial{}; ///< takes answers on the way, on any thread
    std::any* memory = nullptr;            ///< what one run leaves for the next of its study
};

/// Data that must be open.
enum class Needs : std::uint8_t { Nothing, Sessions, SessionsOrTrace, Workload, Log, Profile };

/// A plot of a study's reports, known before there is one.
struct PlotWords {
    std::string_view key{}; ///< Plot::key
    std::string_view title{};
    std::string_view description{}; ///< one line for `export --list`
};

/// A row of the list of studies.
struct Study {
    std::string_view key{}; ///< of its command, page, settings
    std::string_view title{};
    std::string_view tip{}; ///< one line: what it answers
    Needs needs = Needs::Nothing;
    std::span<const PlotWords> plots{}; ///< of every report without a problem, in their order; at least one
    bool hasPreview = false;
    std::string_view question{};   ///< studies of the same word share one question; "": its own
    std::string_view examples{};   ///< lines of its help, "  loadline ..."
    std::string_view empty{};      ///< what to do where nothing that it needs is open
    std::string_view room{};       ///< on the rail
    std::string_view icon{};       ///< of ui's icons; "": the one of tables
    std::string_view keys{};       ///< of its page, portable text: "Alt+7"
    std::string_view byPosition{}; ///< key of the field that its command, not `export`, takes without a name
    Question (*defaults)() = nullptr;
    Fields (*fields)() = nullptr;
    /// Being stopped is not an error: the answer is null then.
    Result<Answer> (*compute)(const Question& question, const Sources& sources, const Run& run) = nullptr;
    /// Under 5 ms: sums over rows belong to `compute`. Faces take described() of it (core/ask/described.h).
    Report (*report)(const Answer& answer, const Question& question) = nullptr;
    /// The question after a change, with what follows from it: another model moves the tiers.
    Question (*settled)(const Question& before, Question after) = nullptr;
};

namespace detail {

template <typename Q, typename A, auto compute>
Result<Answer> computeErased(const Question& question, const Sources& sources, const Run& run) {
    Result<A> answer = compute(question.template as<Q>(), sources, run);
    if (run.stop.stop_requested()) {
        return Answer();
    }
    if (!answer) {
        return answer.error();
    }
    return Answer(std::make_shared<const A>(std::move(*answer)));
}

template <typename Q, typename A, auto report>
Report reportErased(const Answer& answer, const Question& question) {
    const auto held = std::static_pointer_cast<const A>(answer);
    const auto asked = std::make_shared<const Q>(question.template as<Q>());
    Report described = report(*held, *asked);
    described.keeps.push_back(held);
    described.keeps.push_back(asked);
    return described;
}

} // namespace detail

/// The row with its functions: Fields fields(), Result<A> compute(const Q&, const Sources&, const Run&) and
/// Report report(const A&, const Q&), whose columns may read both arguments.
template <typename Q, typename A, Fields (*fields)(), auto compute, auto report>
Study studyOf(Study words) {
    words.fields = fields;
    words.defaults = [] { return Question::of(Q()); };
    words.compute = &detail::computeErased<Q, A, compute>;
    words.report = &detail::reportErased<Q, A, report>;
    return words;
}

} // namespace loadline::ask
