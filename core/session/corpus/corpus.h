// All files read together: each API call once, files grouped into sessions and projects.
#pragma once

#include "core/session/files/read_sessions.h"
#include "core/session/price/price_list.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline {

using FileIndex = std::uint32_t;
using CallIndex = std::uint32_t;    ///< into Corpus::calls
using SessionIndex = std::uint32_t; ///< into Corpus::sessions
using ModelIndex = std::uint32_t;   ///< into Corpus::models

/// One distinct API call, merged over every file that holds a copy.
struct CorpusCall {
    Hash128 key;
    Usage usage;                    ///< field-wise maximum over the copies
    TimeMs firstTime = unknownTime; ///< earliest over the copies
    TimeMs lastTime = unknownTime;
    FileIndex file = 0; ///< its home: the file it originates from; the first in path order if unclear
    std::uint32_t callInFile = 0; ///< index into that file's calls
    std::uint32_t contentCharacters = 0;
    std::uint32_t copies = 1; ///< number of files that hold it
    CallCost cost;            ///< at list prices
    ModelIndex model = 0;     ///< of the first file in path order
    OutputQuality quality = OutputQuality::LowerBound;
    bool sidechain = false; ///< in every file that holds it
    /// True if its session records no cache: newInput() is then an estimate (markContinuedPrompts).
    bool newInputAbout = false;
    /// Leading tokens of the prompt that the call before it had sent; 0 where a cache is recorded.
    Tokens continued = 0;

    /// Prompt tokens that the call adds: what was not read from the provider's cache; where none is recorded,
    /// what the call before it had not sent.
    [[nodiscard]] Tokens newInput() const { return usage.newPrefill() - continued; }
};

/// One file, and the calls that it shares with others.
struct FileInCorpus {
    std::shared_ptr<const SessionFile> file;
    std::vector<CallIndex> calls; ///< parallel to file->calls
    std::vector<std::uint8_t>
        inherited; ///< parallel to file->calls: 1 where the call originates from another file
    std::uint64_t inheritedCalls = 0;
    std::vector<FileIndex> inheritedFrom; ///< files the inherited calls come from, ascending
    SessionIndex session = 0;
};

/// A session: a main file and the sub-agent files that belong to it. Either may be absent.
struct Session {
    std::string key; ///< stable identity: "agent:sessionId", made unique with the path where ids repeat
    std::string sessionId;
    std::string project; ///< cwd of its records, else the folder's name; what the tree groups by
    std::string title;
    std::string agent;
    std::vector<FileIndex> files; ///< main file(s) first, then sub-agents by start time
    TimeMs firstTime = unknownTime, lastTime = unknownTime;
    UsageTotals totals;        ///< its distinct calls, inherited ones included
    UsageTotals ownTotals;     ///< without inherited calls: these sum to the corpus totals
    UsageTotals inherited;     ///< the inherited calls alone
    std::uint64_t prompts = 0; ///< human prompts of main files
    std::uint64_t promptTurns = 0;
    std::uint64_t inheritedCalls = 0;
    std::uint64_t diagnostics = 0;
    std::vector<ModelIndex> models; ///< by descending number of calls
    /// True if any of its calls read or wrote the provider's cache: else its hit rate is not known, not 0.
    bool recordsCache = false;
};

/// Everything loaded, de-duplicated. A value: build it again when files are added.
struct Corpus {
    std::vector<FileInCorpus> files; ///< path order
    std::vector<CorpusCall> calls;   ///< order of first appearance in path order
    std::vector<CorpusCall>
        progressOnly; ///< calls known from agent_progress records only; callInFile: progressCalls
    std::vector<Session> sessions; ///< by project, then start time
    std::vector<std::string> models;
    std::vector<std::optional<ModelPrices>> prices;     ///< parallel to models
    std::vector<std::optional<ModelPrices>> fastPrices; ///< of calls in fast mode; parallel to models
    std::string pricesSource;                           ///< PriceList::source
    std::vector<PathDiagnostic> diagnostics;            ///< of paths without a file
    std::vector<NotRead> notRead;                       ///< files known for something else than a session
    std::uint64_t bytes = 0;
    bool complete = true;
};

/// Merges files (spec section 1.4 and 1.6, definitions in section 5), and gives calls what they cost.
/// Deterministic.
Corpus buildCorpus(SessionFiles files, const PriceList& prices = {});

UsageTotals totalsOf(std::span<const CorpusCall> calls);
std::map<std::string, UsageTotals> totalsByModel(const Corpus& corpus);
std::map<std::string, UsageTotals> totalsByUtcDay(const Corpus& corpus); ///< "" holds calls without a time
/// Distinct calls of one file alone, as that file records them.
UsageTotals totalsOfFile(const Corpus& corpus, const FileInCorpus& file);

} // namespace loadline
