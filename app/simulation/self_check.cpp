// Reads a recorded run, serves it again, compares.
#include "app/simulation/self_check.h"

#include "core/replay/replay.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace loadline::app {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

SelfCheckShown selfCheckOf(const ReplayQuestion& choice, const std::stop_token& stop) {
    SelfCheckShown shown;
    shown.choice = choice;
    const Clock::time_point start = Clock::now();
    const Result<EngineRun> run = readEngineRun(choice.run, choice.prompts);
    shown.readS = secondsSince(start);
    if (!run) {
        shown.error = run.error();
        return shown;
    }
    const Clock::time_point read = Clock::now();
    const Result<Replay> replay = replayRun(*run, {.kvBlocks = choice.kvBlocks}, stop);
    shown.replayS = secondsSince(read);
    if (!replay) {
        shown.error = replay.error();
        return shown;
    }
    Result<ReplayFigure> figure = replayFigure(*run, *replay);
    if (!figure) {
        shown.error = figure.error();
        return shown;
    }
    shown.figure = std::make_shared<const ReplayFigure>(std::move(*figure));
    return shown;
}

std::string detailsOf(const SelfCheckShown& shown) {
    if (!shown.figure) {
        return "";
    }
    const ReplayFigure& figure = *shown.figure;
    const double all = figure.budget.busyS() + figure.budget.idleS;
    const auto share = [&](double seconds) { return formatShare(all > 0 ? seconds / all : 0); };
    std::string text = fmt::format(
        "{}\n{} in {}, {}\nLast token after {:.1f} s, recorded {:.1f} s ({})\n", figure.engine,
        counted(figure.dots.size(), "request"), counted(static_cast<std::uint64_t>(figure.steps), "step"),
        counted(static_cast<std::uint64_t>(figure.preemptions), "preemption"), figure.predictedMakespanS,
        figure.recordedMakespanS,
        formatError(figure.recordedMakespanS > 0 ? figure.predictedMakespanS / figure.recordedMakespanS - 1
                                                 : 0));
    text += fmt::format("Time of the GPU: {} dense layers, {} attention, {} links, {} LM head and sampling, "
                        "{} idle\n",
                        share(figure.budget.denseS), share(figure.budget.attentionS),
                        share(figure.budget.linksS), share(figure.budget.headS), share(figure.budget.idleS));
    text +=
        fmt::format("Read in {}, replayed in {}\n", formatSeconds(shown.readS), formatSeconds(shown.replayS));
    for (const std::string& note : figure.notes) {
        text += "\u2022 " + note + "\n";
    }
    return text;
}

} // namespace loadline::app
