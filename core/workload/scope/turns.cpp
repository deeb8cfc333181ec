// Turns: the units whose input and output the histograms count.
#include "core/workload/scope/turns.h"

#include "core/workload/scope/scope_filter.h"

#include <algorithm>
#include <limits>

namespace loadline {
namespace {

constexpr std::uint32_t noTurn = std::numeric_limits<std::uint32_t>::max();

OutputQuality combined(OutputQuality a, OutputQuality b) {
    return a == OutputQuality::None || a == b ? b : OutputQuality::Mixed;
}

Turn emptyTurn(const Corpus& corpus, FileIndex file, std::size_t record, TimeMs time) {
    return {.input = 0,
            .output = 0,
            .time = time,
            .file = file,
            .record = static_cast<std::uint32_t>(record),
            .session = corpus.files[file].session,
            .model = noModel,
            .quality = OutputQuality::None};
}

/// `usage` and `quality` as the turn counts them: of all copies of the call, or of one file's.
void addCall(Turn& turn, const CorpusCall& call, const Usage& usage, OutputQuality quality) {
    turn.input += std::max<Tokens>(usage.newPrefill() - call.continued, 0);
    turn.inputAbout = turn.inputAbout || call.newInputAbout;
    turn.output += usage.output;
    turn.model = turn.model == noModel ? call.model : turn.model;
    turn.quality = combined(turn.quality, quality);
}

void addCall(Turn& turn, const CorpusCall& call) {
    addCall(turn, call, call.usage, call.quality);
}

std::vector<Turn> perLineTurns(const Corpus& corpus, FileIndex index) {
    const FileInCorpus& file = corpus.files[index];
    const std::vector<UserRecord>& records = file.file->userRecords;
    std::vector<Turn> turns;
    turns.reserve(records.size());
    for (std::size_t r = 0; r < records.size(); ++r) {
        Turn& turn = turns.emplace_back(emptyTurn(corpus, index, r, records[r].time));
        turn.input = records[r].inputCharacters / 4;
        turn.output = records[r].outputPerLine;
    }
    const std::vector<std::uint32_t> turnOfCall = turnsOfCalls(*file.file, TurnMethod::PerLine);
    for (std::size_t i = 0; i < turnOfCall.size(); ++i) {
        if (turnOfCall[i] < turns.size()) {
            const ApiCall& call = file.file->calls[i];
            Turn& turn = turns[turnOfCall[i]];
            turn.model = turn.model == noModel ? corpus.calls[file.calls[i]].model : turn.model;
            turn.quality = combined(turn.quality, call.quality);
        }
    }
    // Lines of a call that began in an earlier turn: the quality is that turn's.
    for (std::size_t r = 1; r < turns.size(); ++r) {
        if (turns[r].quality == OutputQuality::None && turns[r].output > 0) {
            turns[r].quality = turns[r - 1].quality;
            turns[r].model = turns[r - 1].model;
        }
    }
    return turns;
}

std::vector<Turn> promptTurns(const Corpus& corpus, FileIndex index) {
    const SessionFile& file = *corpus.files[index].file;
    std::vector<Turn> turns;
    turns.reserve(file.promptTurns.size());
    for (std::size_t t = 0; t < file.promptTurns.size(); ++t) {
        turns.push_back(emptyTurn(corpus, index, t, file.userRecords[file.promptTurns[t].userRecord].time));
    }
    return turns;
}

void addPerLineInScope(std::vector<Turn>& turns, const Corpus& corpus, const ScopeFilter& filter,
                       FileIndex index) {
    const std::vector<UserRecord>& records = corpus.files[index].file->userRecords;
    for (const Turn& turn : perLineTurns(corpus, index)) {
        if (filter.accepts(index, records[turn.record].lane, turn.time, turn.model)) {
            turns.push_back(turn);
        }
    }
}

void addPromptsInScope(std::vector<Turn>& turns, const Corpus& corpus, const Selection& selection,
                       const ScopeFilter& filter, FileIndex index) {
    const FileInCorpus& file = corpus.files[index];
    std::vector<Turn> all = promptTurns(corpus, index);
    std::vector<std::uint8_t> hasCalls(all.size());
    std::uint64_t inheritedUpTo = 0; // inherited records lie at the head of the file
    for (std::size_t i = 0; i < file.calls.size(); ++i) {
        const ApiCall& copy = file.file->calls[i];
        if (file.inherited[i] != 0) {
            inheritedUpTo = std::max(inheritedUpTo, copy.place.offset);
        }
        if (copy.promptTurn < 0) {
            continue;
        }
        const auto t = static_cast<std::size_t>(copy.promptTurn);
        hasCalls[t] = 1;
        if (file.inherited[i] == 0 && selection.callIn[file.calls[i]] != 0) {
            addCall(all[t], corpus.calls[file.calls[i]]);
        }
    }
    for (const Turn& turn : all) {
        const UserRecord& record = file.file->userRecords[file.file->promptTurns[turn.record].userRecord];
        const bool empty = hasCalls[turn.record] == 0;
        if (empty ? record.place.offset >= inheritedUpTo &&
                        filter.accepts(index, record.lane, turn.time, noModel)
                  : turn.model != noModel) {
            turns.push_back(turn);
        }
    }
}

} // namespace

std::vector<std::uint32_t> turnsOfCalls(const SessionFile& file, TurnMethod method) {
    std::vector<std::uint32_t> turns(file.calls.size(), noTurn);
    std::size_t nextRecord = 0;
    for (std::size_t i = 0; i < file.calls.size(); ++i) {
        const ApiCall& call = file.calls[i];
        switch (method) {
        case TurnMethod::ApiCall:
            turns[i] = static_cast<std::uint32_t>(i);
            break;
        case TurnMethod::Prompt:
            turns[i] = call.promptTurn < 0 ? noTurn : static_cast<std::uint32_t>(call.promptTurn);
            break;
        case TurnMethod::PerLine:
            while (nextRecord < file.userRecords.size() &&
                   file.userRecords[nextRecord].place.offset <= call.place.offset) {
                ++nextRecord;
            }
            turns[i] = nextRecord == 0 ? noTurn : static_cast<std::uint32_t>(nextRecord - 1);
            break;
        }
    }
    return turns;
}

std::vector<Turn> turnsOfFile(const Corpus& corpus, FileIndex index, TurnMethod method) {
    const FileInCorpus& file = corpus.files[index];
    if (method == TurnMethod::PerLine) {
        return perLineTurns(corpus, index);
    }
    std::vector<Turn> turns = method == TurnMethod::Prompt ? promptTurns(corpus, index) : std::vector<Turn>{};
    for (std::size_t i = 0; i < file.calls.size(); ++i) {
        const ApiCall& call = file.file->calls[i];
        const CorpusCall& merged = corpus.calls[file.calls[i]];
        if (method == TurnMethod::ApiCall) {
            addCall(turns.emplace_back(emptyTurn(corpus, index, i, call.firstTime)), merged, call.usage,
                    call.quality);
        } else if (call.promptTurn >= 0) {
            addCall(turns[static_cast<std::size_t>(call.promptTurn)], merged, call.usage, call.quality);
        }
    }
    return turns;
}

std::vector<Turn> turnsInScope(const Corpus& corpus, const Selection& selection, TurnMethod method) {
    std::vector<Turn> turns;
    if (method == TurnMethod::ApiCall) {
        turns.reserve(selection.calls);
        for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
            if (selection.callIn[i] != 0) {
                const CorpusCall& call = corpus.calls[i];
                addCall(turns.emplace_back(emptyTurn(corpus, call.file, call.callInFile, call.firstTime)),
                        call);
            }
        }
        return turns;
    }
    const ScopeFilter filter(corpus, selection.scope);
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        if (method == TurnMethod::PerLine) {
            addPerLineInScope(turns, corpus, filter, static_cast<FileIndex>(f));
        } else {
            addPromptsInScope(turns, corpus, selection, filter, static_cast<FileIndex>(f));
        }
    }
    return turns;
}

bool isBrushed(const Turn& turn, const Scope& scope) {
    return (!scope.turnInput || scope.turnInput->contains(turn.input)) &&
           (!scope.turnOutput || scope.turnOutput->contains(turn.output));
}

} // namespace loadline
