// Sessions as workloads: the API calls of each lane, in order, with their gaps.
#include "core/session/corpus/continued_words.h"
#include "core/session/corpus/losses.h"
#include "core/session/corpus/visible_output.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/workload/scope/session_calls.h"
#include "core/workload/source/workload.h"
#include "core/workload/source/workload_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr double msPerS = 1000;

/// Counts for the notes, taken while the sessions are read.
struct Counts {
    std::uint64_t calls = 0;
    std::uint64_t withoutTokens = 0;
    std::uint64_t lowerBounds = 0;
    std::uint64_t placeholders = 0;
    std::uint64_t overlaps = 0;
    std::uint64_t unknownGaps = 0;
    std::uint64_t agents = 0;
    std::uint64_t sessions = 0,
                  sessionsWithoutCache = 0; ///< with calls; those whose new input is an estimate
    Tokens recordedOutput = 0;
    Tokens visibleOutput = 0; ///< or what is recorded, where that is more
};

struct TimedTurn {
    TimeMs order = unknownTime; // never unknown once the lane is sorted
    TimeMs asked = unknownTime;
    TimeMs ended = unknownTime;
    WorkloadTurn turn;
};

using LaneTurns = std::vector<TimedTurn>;

/// Sorts by time; a call without one stays behind the call before it.
void sortByTime(LaneTurns& turns) {
    TimeMs before = unknownTime;
    for (TimedTurn& turn : turns) {
        turn.order = isKnown(turn.order) ? turn.order : before;
        before = turn.order;
    }
    std::ranges::stable_sort(turns, {}, &TimedTurn::order);
}

void findGaps(LaneTurns& turns, Counts& counts) {
    for (std::size_t i = 1; i < turns.size(); ++i) {
        if (!isKnown(turns[i].asked) || !isKnown(turns[i - 1].ended)) {
            ++counts.unknownGaps;
            continue;
        }
        const std::int64_t gapMs = turns[i].asked.ms - turns[i - 1].ended.ms;
        counts.overlaps += gapMs < 0 ? 1 : 0;
        turns[i].turn.gapS = static_cast<double>(std::max<std::int64_t>(gapMs, 0)) / msPerS;
    }
}

/// The lanes of one session, filled call by call.
class SessionTurns {
public:
    SessionTurns(const Corpus& corpus, SessionIndex session, bool visible, Counts& counts)
        : corpus_(corpus), session_(corpus.sessions[session]), lanes_(sessionLanesOf(corpus, session)),
          turns_(lanes_.lanes.size()), visible_(visible), counts_(counts) {}

    void add(const CorpusCall& call) {
        const Usage& usage = call.usage;
        if (usage.context() == 0 && usage.output == 0) {
            ++counts_.withoutTokens;
            return;
        }
        ++counts_.calls;
        inputAbout_ = inputAbout_ || call.newInputAbout;
        counts_.lowerBounds += call.quality == OutputQuality::LowerBound ? 1 : 0;
        counts_.placeholders += call.quality == OutputQuality::StartOnly ? 1 : 0;
        const Tokens visible = visibleOutputOf(call);
        counts_.recordedOutput += usage.output;
        counts_.visibleOutput += visible;
        const Tokens output = visible_ ? visible : usage.output;
        const ApiCall& copy = corpus_.files[call.file].file->calls[call.callInFile];
        const auto place = std::ranges::find(session_.files, call.file) - session_.files.begin();
        TimedTurn turn{.order = copy.firstTime,
                       .asked = isKnown(copy.requestTime) ? copy.requestTime : copy.firstTime,
                       .ended = copy.lastTime,
                       .turn = {.context = std::min(usage.cacheRead + call.continued, maxTurnTokens),
                                .input = std::min(call.newInput(), maxTurnTokens),
                                .output = std::min(output, maxTurnTokens)}};
        turns_[lanes_.laneOf[static_cast<std::size_t>(place)][copy.lane]].push_back(turn);
    }

    void finish(std::vector<WorkloadSession>& sessions) {
        ++counts_.sessions;
        counts_.sessionsWithoutCache += inputAbout_ ? 1 : 0;
        for (std::size_t lane = 0; lane < turns_.size(); ++lane) {
            if (turns_[lane].empty()) {
                continue;
            }
            sortByTime(turns_[lane]);
            findGaps(turns_[lane], counts_);
            const bool main = lanes_.lanes[lane].kind == LaneKind::Main;
            counts_.agents += main ? 0 : 1;
            WorkloadSession& session = sessions.emplace_back();
            session.conversation = session_.key;
            session.id = main ? session_.key : session_.key + " " + lanes_.lanes[lane].name;
            for (const TimedTurn& turn : turns_[lane]) {
                session.turns.push_back(turn.turn);
            }
        }
    }

private:
    const Corpus& corpus_;
    const Session& session_;
    SessionLanes lanes_;
    std::vector<LaneTurns> turns_;
    bool visible_;
    bool inputAbout_ = false;
    Counts& counts_;
};

/// How far the outputs in scope can be trusted, before they are counted.
OutputTrust trustOf(const Corpus& corpus, const Selection& selection) {
    OutputTrust trust;
    for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
        const CorpusCall& call = corpus.calls[i];
        if (selection.callIn[i] != 0 && (call.usage.context() > 0 || call.usage.output > 0)) {
            ++trust.calls;
            trust.bounds +=
                call.quality == OutputQuality::LowerBound || call.quality == OutputQuality::StartOnly;
        }
    }
    return trust;
}

void addNotes(Workload& workload, const Counts& counts, bool visible) {
    std::vector<std::string>& notes = workload.notes;
    if (counts.withoutTokens > 0) {
        notes.push_back(counted(counts.withoutTokens, "API call") + " without any tokens left out");
    }
    if (counts.agents > 0) {
        notes.push_back(counted(counts.agents, "lane") +
                        " of sub-agents and background runs: each a session beside its main agent");
    }
    if (counts.sessionsWithoutCache > 0) {
        notes.push_back("the " + continuedPromptsNote(counts.sessionsWithoutCache, counts.sessions));
    }
    const std::uint64_t inexact = counts.lowerBounds + counts.placeholders;
    workload.outputs = {.calls = counts.calls, .bounds = inexact, .visible = visible, .notes = {}};
    if (inexact > 0) {
        const auto mean = [&](Tokens sum) {
            return formatCount(static_cast<double>(sum) / static_cast<double>(counts.calls));
        };
        std::vector<std::string>& said = workload.outputs.notes;
        said.push_back(fmt::format(
            "the output of {} of {} is a lower bound{}", formatExact(static_cast<std::int64_t>(inexact)),
            counted(counts.calls, "API call"),
            counts.placeholders > 0 ? " (" + counted(counts.placeholders, "mere placeholder") + ")" : ""));
        said.push_back((visible ? "output is at least what is visible of it (characters / 4): mean "
                                : "counted from what is visible (characters / 4) the mean output would be ") +
                       mean(counts.visibleOutput) + ", not " + mean(counts.recordedOutput));
        notes.insert(notes.end(), said.begin(), said.end());
    }
    if (counts.overlaps > 0) {
        notes.push_back(counted(counts.overlaps, "API call") +
                        " asked for before the call before was written down to its end: gap 0");
    }
    if (counts.unknownGaps > 0) {
        notes.push_back(counted(counts.unknownGaps, "gap") + " not known: times are missing");
    }
}

} // namespace

std::string_view keyOf(OutputCounts outputs) {
    constexpr std::array<std::string_view, 3> keys = {"auto", "recorded", "visible"};
    return keys.at(static_cast<std::size_t>(outputs));
}

Workload workloadOfSessions(const Corpus& corpus, const Selection& selection, std::string key,
                            std::string name, OutputCounts outputs) {
    std::vector<std::vector<CallIndex>> callsOf(corpus.sessions.size());
    for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
        if (selection.callIn[i] != 0) {
            callsOf[corpus.files[corpus.calls[i].file].session].push_back(static_cast<CallIndex>(i));
        }
    }
    Workload workload;
    workload.key = std::move(key);
    workload.name = std::move(name);
    workload.kind = WorkloadKind::Sessions;
    workload.source = "API calls of " + describe(selection.scope, corpus, selection);
    const bool visible = outputs == OutputCounts::Visible ||
                         (outputs == OutputCounts::Auto && trustOf(corpus, selection).mostlyBounds());
    Counts counts;
    for (std::size_t s = 0; s < callsOf.size(); ++s) {
        if (callsOf[s].empty()) {
            continue;
        }
        SessionTurns turns(corpus, static_cast<SessionIndex>(s), visible, counts);
        for (const CallIndex call : callsOf[s]) {
            turns.add(corpus.calls[call]);
        }
        turns.finish(workload.sessions);
    }
    fillDistribution(workload);
    noteIncomplete(workload, incompleteSentence(corpus));
    addNotes(workload, counts, visible);
    noteSmallTurns(workload);
    return workload;
}

} // namespace loadline
