// Turns of one method, counted.
#include "core/workload/study/turns_answer.h"

#include "core/session/corpus/continued_words.h"
#include "core/session/corpus/losses.h"
#include "core/text/counted.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace loadline {
namespace {

bool isInexact(const Turn& turn) {
    return turn.quality != OutputQuality::Final && turn.quality != OutputQuality::None;
}

void addTurn(TurnSums& sums, const Turn& turn) {
    ++sums.turns;
    sums.inputAbove0 += turn.input > 0 ? 1 : 0;
    sums.outputAbove0 += turn.output > 0 ? 1 : 0;
    sums.inputAbout += turn.inputAbout ? 1 : 0;
    sums.inexact += isInexact(turn) ? 1 : 0;
    sums.input += turn.input;
    sums.output += turn.output;
}

std::vector<TurnBin> binsOfBoth(const Histogram& input, const Histogram& output) {
    std::map<Tokens, TurnBin> byLabel;
    for (const Bin& bin : input.bins) {
        byLabel[bin.label].byInput = bin.count;
    }
    for (const Bin& bin : output.bins) {
        byLabel[bin.label].byOutput = bin.count;
    }
    std::vector<TurnBin> bins;
    for (auto& [label, bin] : byLabel) {
        bin.label = label;
        bins.push_back(bin);
    }
    return bins;
}

std::vector<TurnBin> binsOf(const Histogram& histogram) {
    std::vector<TurnBin> bins;
    for (const Bin& bin : histogram.bins) {
        if (bin.count > 0) {
            bins.push_back({bin.label, bin.count, 0});
        }
    }
    return bins;
}

} // namespace

std::string_view turnMethodWords(TurnMethod method) {
    switch (method) {
    case TurnMethod::PerLine:
        return "user records, input as characters / 4 and output of every line, as the published study "
               "counts";
    case TurnMethod::ApiCall:
        return "API calls, each once: input + cache write, output";
    case TurnMethod::Prompt:
        return "from one human prompt to the next: sums of the main lane's API calls";
    }
    return "";
}

std::string withoutCacheSentence(const TurnsAnswer& answer) {
    return answer.sessionsWithoutCache == 0
               ? ""
               : "The " + continuedPromptsNote(answer.sessionsWithoutCache, answer.sessions) + ".";
}

TurnsAnswer turnsAnswer(std::shared_ptr<const Corpus> corpus, TurnMethod method) {
    TurnsAnswer answer;
    answer.method = method;
    for (const FileInCorpus& entry : corpus->files) {
        answer.byFile.emplace_back().path = entry.file->path;
    }
    std::vector<HistogramValue> inputs;
    std::vector<HistogramValue> outputs;
    std::set<SessionIndex> sessions;
    std::set<SessionIndex> withoutCache;
    for (const Turn& turn : turnsInScope(*corpus, select(*corpus, {}, method), method)) {
        addTurn(answer.all, turn);
        addTurn(answer.byFile[turn.file], turn);
        inputs.push_back({.value = turn.input, .inexact = false, .hit = false});
        outputs.push_back({.value = turn.output, .inexact = isInexact(turn), .hit = false});
        sessions.insert(turn.session);
        if (turn.inputAbout) {
            withoutCache.insert(turn.session);
        }
    }
    answer.input = histogramOf(inputs, BinKind::PowerOfTwo);
    answer.output = histogramOf(outputs, BinKind::PowerOfTwo);
    answer.inputBins = binsOf(answer.input);
    answer.outputBins = binsOf(answer.output);
    answer.bins = binsOfBoth(answer.input, answer.output);
    answer.summaries = {
        {answer.all.inputAbout > 0 ? "Input, estimated" : "Input", answer.input.summary, ask::Basis::Exact},
        {"Output", answer.output.summary, answer.all.inexact > 0 ? ask::Basis::AtLeast : ask::Basis::Exact}};
    answer.sessions = sessions.size();
    answer.sessionsWithoutCache = withoutCache.size();
    answer.corpus = std::move(corpus);
    return answer;
}

TokenDistribution turnsDistribution(const TurnsAnswer& answer) {
    const std::string incomplete = incompleteSentence(*answer.corpus);
    const std::string unrecorded = withoutCacheSentence(answer);
    return distributionOf(answer.input, answer.output, answer.sessions,
                          fmt::format("Tokens per turn of {}, method {}: {}. Buckets are the nearest "
                                      "power of two; frequencies sum to 1.{}{}",
                                      counted(answer.sessions, "session"), keyOf(answer.method),
                                      turnMethodWords(answer.method),
                                      unrecorded.empty() ? "" : " " + unrecorded,
                                      incomplete.empty() ? "" : " " + incomplete + "."));
}

} // namespace loadline