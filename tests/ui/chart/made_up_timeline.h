// Timelines made up for tests: small ones written out, large ones from a seed.
#pragma once

#include "core/workload/timeline/timeline.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

namespace loadline::ui {

/// 2026-01-20T14:00:00Z.
inline constexpr TimeMs madeUpStart{1'768'917'600'000};

inline TimeMs after(std::int64_t ms) {
    return {madeUpStart.ms + ms};
}

/// An agent at work for `calls` API calls: its context grows, is compacted, tools run in between.
class TimelineMaker {
public:
    explicit TimelineMaker(std::uint32_t seed = 1) : random_(seed) {
        timeline_.title = "Made-up session";
        timeline_.sentence = "Largest prompt 160 k.";
    }

    std::uint32_t lane(const std::string& name, LaneKind kind, bool tools) {
        timeline_.lanes.push_back({name, kind, tools});
        return static_cast<std::uint32_t>(timeline_.lanes.size() - 1);
    }

    /// Fills an agent's lane and the tools lane after it; returns when it ends.
    std::int64_t work(std::uint32_t lane, std::int64_t at, int calls, bool main) {
        Tokens context = main ? 18'000 : 9'000;
        for (int i = 0; i < calls; ++i) {
            if (main && i % 17 == 0) {
                if (i > 0 && i % 51 == 0) {
                    at += 60'000 * between(10, 240);
                }
                mark(MarkKind::Prompt, at, lane, "Please look at the parser again and add a test");
            }
            CallSpan call;
            call.lane = lane;
            call.usage.input = between(3, 40);
            call.usage.cacheWrite = between(200, 4'000);
            if (i % 23 == 5) {
                call.usage.cacheWrite = context / 2; // a cache miss
            }
            call.usage.cacheRead = std::max<Tokens>(context - call.usage.cacheWrite, 0);
            call.usage.output = i % 9 == 0 ? between(1'500, 8'000) : between(30, 900);
            call.quality = i % 5 == 3 ? OutputQuality::LowerBound : OutputQuality::Final;
            call.start = after(at);
            call.firstLine = after(at + between(800, 3'000));
            at += 3'000 + call.usage.output * 12;
            call.end = after(at);
            call.call = static_cast<CallIndex>(timeline_.calls.size());
            timeline_.calls.push_back(call);
            context += call.usage.output + between(300, 5'000);
            if (context > 165'000) {
                mark(MarkKind::Compaction, at + 500, lane, "167 k before");
                context = 24'000;
                at += 40'000;
            }
            const int tools = between(0, 3);
            for (int t = 0; t < tools; ++t) {
                ToolSpan tool;
                tool.lane = lane + 1;
                tool.start = after(at + 50 * t);
                tool.end = after(at + between(100, 9'000));
                tool.name = t == 0 ? "Bash" : t == 1 ? "Read" : "Grep";
                tool.isError = between(0, 30) == 0;
                tool.open = between(0, 80) == 0;
                if (tool.open) {
                    tool.end = tool.start;
                }
                timeline_.tools.push_back(tool);
            }
            at += between(200, 9'000);
        }
        return at;
    }

    void mark(MarkKind kind, std::int64_t at, std::uint32_t lane, const std::string& text) {
        timeline_.marks.push_back({kind, after(at), 0, lane, text, {}});
    }

    Timeline& timeline() { return timeline_; }

    /// Sorts, numbers, finds gaps and sums.
    std::shared_ptr<const Timeline> finish() {
        Timeline& t = timeline_;
        const auto byStart = [](const auto& a, const auto& b) { return a.start < b.start; };
        std::stable_sort(t.calls.begin(), t.calls.end(), byStart);
        std::stable_sort(t.tools.begin(), t.tools.end(), byStart);
        std::stable_sort(t.marks.begin(), t.marks.end(),
                         [](const auto& a, const auto& b) { return a.time < b.time; });
        std::int64_t first = INT64_MAX, last = INT64_MIN, reached = INT64_MIN;
        std::uint32_t ordinal = 0;
        for (CallSpan& call : t.calls) {
            call.ordinal = ordinal++;
            first = std::min(first, call.start.ms);
            if (reached != INT64_MIN && call.start.ms - reached > idleGapMs) {
                t.gaps.push_back({{reached}, call.start});
                t.split.humanMs += call.start.ms - reached;
            }
            reached = std::max(reached, call.end.ms);
            last = std::max(last, call.end.ms);
            t.split.modelMs += call.end.ms - call.start.ms;
            t.totals.add(call.usage, call.quality, 0, unpriced);
        }
        for (ToolSpan& tool : t.tools) {
            const auto next = std::upper_bound(t.calls.begin(), t.calls.end(), tool, byStart);
            tool.ordinalStart = static_cast<double>(next - t.calls.begin()) - 1 + callWidthInTurns;
            last = std::max(last, tool.end.ms);
        }
        for (TimelineMark& mark : t.marks) {
            const auto next = std::find_if(t.calls.begin(), t.calls.end(),
                                           [&](const CallSpan& call) { return call.start >= mark.time; });
            mark.ordinal = static_cast<double>(next - t.calls.begin());
            first = std::min(first, mark.time.ms);
        }
        if (!t.calls.empty()) {
            t.first = {first};
            t.last = {last};
            t.split.toolsMs = (last - first) / 10;
        }
        return std::make_shared<const Timeline>(t);
    }

private:
    int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

    std::mt19937 random_;
    Timeline timeline_;
};

/// What the evidence of a made-up timeline points into: one file and one model.
inline std::shared_ptr<const Corpus> madeUpCorpus() {
    Corpus corpus;
    auto file = std::make_shared<SessionFile>();
    file->path = "made-up/session.jsonl";
    FileInCorpus inCorpus;
    inCorpus.file = file;
    corpus.files.push_back(inCorpus);
    corpus.models = {"opus-4-5"};
    Session session;
    session.key = "claude:made-up";
    session.files = {0};
    corpus.sessions.push_back(session);
    return std::make_shared<const Corpus>(std::move(corpus));
}

/// One main agent and `agents` sub-agents with about `calls` calls in all.
inline std::shared_ptr<const Timeline> madeUpTimeline(int calls, int agents, std::uint32_t seed = 1) {
    TimelineMaker maker(seed);
    const std::uint32_t main = maker.lane("main", LaneKind::Main, false);
    maker.lane("tools of main", LaneKind::Main, true);
    const int each = agents > 0 ? std::max(1, calls / 2 / agents) : 0;
    const std::int64_t end = maker.work(main, 0, calls - each * agents, true);
    for (int i = 0; i < agents; ++i) {
        const std::uint32_t lane =
            maker.lane("Explore a" + std::to_string(100 + i), LaneKind::SubAgent, false);
        maker.lane("tools of Explore", LaneKind::SubAgent, true);
        maker.work(lane, end / (agents + 1) * (i + 1), each, false);
    }
    maker.mark(MarkKind::ModelChange, end / 3, main, "opus-4-5 to sonnet-4-5");
    maker.mark(MarkKind::ApiError, end / 2, main, "529 overloaded");
    maker.mark(MarkKind::Interrupt, end * 2 / 3, main, "interrupted");
    return maker.finish();
}

} // namespace loadline::ui
