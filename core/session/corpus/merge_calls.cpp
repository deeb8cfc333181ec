// The API calls of many files, each once: copies combined by key, replays dropped.
#include "core/session/corpus/merge_calls.h"

#include "core/session/facts/one_call.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>
#include <utility>

namespace loadline {
namespace {

constexpr CallIndex noCall = std::numeric_limits<CallIndex>::max();

/// Names of models over all files, in order of appearance.
class ModelNames {
public:
    ModelIndex indexOf(const std::string& name) {
        const auto found = indices_.find(name);
        if (found != indices_.end()) {
            return found->second;
        }
        names_.push_back(name);
        const auto index = static_cast<ModelIndex>(names_.size() - 1);
        indices_.emplace(name, index);
        return index;
    }

    std::vector<std::string> take() { return std::move(names_); }

private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, ModelIndex> indices_;
};

/// The corpus indices of one file's names, looked up when first needed.
class ModelsOfFile {
public:
    ModelsOfFile(const SessionFile& file, ModelNames& names)
        : file_(file), names_(names), known_(file.names.size(), unknown) {}

    ModelIndex indexOf(NameIndex name) {
        ModelIndex& known = known_[name];
        if (known == unknown) {
            known = names_.indexOf(file_.name(name));
        }
        return known;
    }

private:
    static constexpr ModelIndex unknown = std::numeric_limits<ModelIndex>::max();

    const SessionFile& file_;
    ModelNames& names_;
    std::vector<ModelIndex> known_;
};

TimeMs earliest(TimeMs a, TimeMs b) {
    return !isKnown(a) ? b : !isKnown(b) ? a : std::min(a, b);
}

int rank(OutputQuality quality) {
    return quality == OutputQuality::Final ? 2 : quality == OutputQuality::LowerBound ? 1 : 0;
}

void combine(CorpusCall& call, const ApiCall& copy) {
    call.usage = maxOf(call.usage, copy.usage);
    call.firstTime = earliest(call.firstTime, copy.firstTime);
    call.lastTime = std::max(call.lastTime, copy.lastTime); // unknownTime is the least value
    call.contentCharacters = std::max(call.contentCharacters, copy.contentCharacters);
    call.quality = rank(copy.quality) > rank(call.quality) ? copy.quality : call.quality;
    call.sidechain = call.sidechain && copy.sidechain;
    ++call.copies;
}

/// Distinct calls by key: open addressing over compact columns, as there may be millions.
class CallTable {
public:
    explicit CallTable(std::size_t expected)
        : slots_(std::bit_ceil(std::max<std::size_t>(2 * expected, 16)), noCall) {
        calls.reserve(expected);
        messageIds_.reserve(expected);
    }

    /// Index of the call with this key, or noCall; remembers calls with the same message id on the way. Calls
    /// with the key of the first one but other prompts have places by their prompts: a gateway may give all
    /// calls one id, and a row of these would be walked for each.
    CallIndex find(const ApiCall& call) {
        twins_.clear();
        isOtherPrompt_ = false;
        const CallIndex found = findAt(call, idOf(call));
        return isOtherPrompt_ && found == noCall ? findAt(call, idWithPrompt(call)) : found;
    }

    CallIndex findOrAdd(const ApiCall& call, FileIndex file, std::size_t callInFile, ModelIndex model) {
        const CallIndex found = find(call);
        if (found != noCall) {
            combine(calls[found], call);
            return found;
        }
        const auto index = static_cast<CallIndex>(calls.size());
        slots_[slot_] = index;
        messageIds_.push_back(id_);
        calls.push_back({.key = call.key,
                         .usage = call.usage,
                         .firstTime = call.firstTime,
                         .lastTime = call.lastTime,
                         .file = file,
                         .callInFile = static_cast<std::uint32_t>(callInFile),
                         .contentCharacters = call.contentCharacters,
                         .copies = 1,
                         .cost = {},
                         .model = model,
                         .quality = call.quality,
                         .sidechain = call.sidechain});
        for (const CallIndex twin : twins_) {
            sameMessage.emplace_back(twin, index);
        }
        return index;
    }

    std::vector<CorpusCall> calls;
    std::vector<std::pair<CallIndex, CallIndex>> sameMessage; ///< same message id, other requestId

private:
    static std::uint64_t idOf(const ApiCall& call) {
        return call.messageId != 0 ? call.messageId : call.key.low;
    }

    static std::uint64_t idWithPrompt(const ApiCall& call) {
        std::uint64_t id = call.key.low;
        for (const Tokens part : {call.usage.input, call.usage.cacheWrite, call.usage.cacheRead}) {
            id = (id ^ static_cast<std::uint64_t>(part)) * 0x9E37'79B9'7F4A'7C15; // 2^64 / golden ratio
            id ^= id >> 32;
        }
        return id;
    }

    /// Index of the call among those placed by `id`, or noCall: then slot_ is free for it.
    CallIndex findAt(const ApiCall& call, std::uint64_t id) {
        id_ = id;
        for (slot_ = id & (slots_.size() - 1); slots_[slot_] != noCall;
             slot_ = (slot_ + 1) & (slots_.size() - 1)) {
            const CallIndex index = slots_[slot_];
            if (messageIds_[index] != id) {
                continue;
            }
            if (calls[index].key != call.key) {
                twins_.push_back(index);
            } else if (canBeOneCall(calls[index].usage, call.usage)) {
                return index;
            } else {
                isOtherPrompt_ = true;
            }
        }
        return noCall;
    }

    std::vector<CallIndex> slots_;
    std::vector<std::uint64_t> messageIds_; ///< parallel to calls; of those placed by prompt idWithPrompt()
    std::vector<CallIndex> twins_;
    std::size_t slot_ = 0;       ///< where findAt() ended
    std::uint64_t id_ = 0;       ///< that it looked for
    bool isOtherPrompt_ = false; ///< it passed a call with the same key and another prompt
};

/// Removes the sidechain side of calls that share a message id, and points the files at the other side.
void dropReplays(MergedCalls& merged, std::span<const std::pair<CallIndex, CallIndex>> sameMessage) {
    std::vector<CallIndex> standsFor(merged.calls.size());
    for (std::size_t i = 0; i < standsFor.size(); ++i) {
        standsFor[i] = static_cast<CallIndex>(i);
    }
    bool any = false;
    for (const auto& [a, b] : sameMessage) {
        if (merged.calls[a].sidechain == merged.calls[b].sidechain) {
            continue;
        }
        const auto [replay, kept] = merged.calls[a].sidechain ? std::pair(a, b) : std::pair(b, a);
        if (standsFor[replay] == replay) {
            standsFor[replay] = kept;
            merged.calls[kept].copies += merged.calls[replay].copies;
            any = true;
        }
    }
    if (!any) {
        return;
    }
    std::vector<CallIndex> moved(merged.calls.size(), noCall);
    CallIndex next = 0;
    for (std::size_t i = 0; i < standsFor.size(); ++i) {
        if (standsFor[i] == i) {
            moved[i] = next;
            merged.calls[next++] = merged.calls[i];
        }
    }
    merged.calls.resize(next);
    for (std::vector<CallIndex>& ofFile : merged.ofFile) {
        for (CallIndex& call : ofFile) {
            call = moved[standsFor[call]]; // what stands for another is no sidechain, so never replaced
        }
    }
}

} // namespace

MergedCalls mergeCalls(std::span<const std::shared_ptr<const SessionFile>> files) {
    std::size_t callCount = 0;
    std::size_t progressCount = 0;
    for (const auto& file : files) {
        callCount += file->calls.size();
        progressCount += file->progressCalls.size();
    }
    MergedCalls merged;
    merged.ofFile.resize(files.size());
    ModelNames models;
    CallTable table(callCount);
    for (std::size_t f = 0; f < files.size(); ++f) {
        const SessionFile& file = *files[f];
        ModelsOfFile modelsOfFile(file, models);
        merged.ofFile[f].reserve(file.calls.size());
        for (std::size_t i = 0; i < file.calls.size(); ++i) {
            merged.ofFile[f].push_back(table.findOrAdd(file.calls[i], static_cast<FileIndex>(f), i,
                                                       modelsOfFile.indexOf(file.calls[i].model)));
        }
    }
    CallTable progress(progressCount);
    for (std::size_t f = 0; f < files.size() && progressCount > 0; ++f) {
        const SessionFile& file = *files[f];
        ModelsOfFile modelsOfFile(file, models);
        for (std::size_t i = 0; i < file.progressCalls.size(); ++i) {
            if (table.find(file.progressCalls[i]) == noCall) {
                progress.findOrAdd(file.progressCalls[i], static_cast<FileIndex>(f), i,
                                   modelsOfFile.indexOf(file.progressCalls[i].model));
            }
        }
    }
    merged.calls = std::move(table.calls);
    merged.progressOnly = std::move(progress.calls);
    merged.models = models.take();
    dropReplays(merged, table.sameMessage);
    return merged;
}

} // namespace loadline
