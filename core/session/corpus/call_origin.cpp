// Which file a shared API call originates from: resumed and forked sessions copy their history.
#include "core/session/corpus/call_origin.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace loadline {
namespace {

/// One file's copy of a shared call.
struct Holder {
    CallIndex call = 0;
    FileIndex file = 0;
    std::uint32_t callInFile = 0;
    auto operator<=>(const Holder&) const = default;
};

/// Start of something a file holds; `never` when it holds none, `someTime` when the log gives no time.
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t someTime = never - 1;

std::int64_t startOf(TimeMs time) {
    return isKnown(time) ? time.ms : someTime;
}

/// Calls of one file: the start of those outside of blocks, and the start of its part of each block.
struct Holdings {
    std::int64_t unsharedStart = never;
    std::map<std::size_t, std::int64_t> blockStart;            ///< block -> earliest call of it in this file
    std::vector<std::pair<std::int64_t, std::size_t>> byStart; ///< the same, earliest first
};

std::vector<Holder> sharedHolders(const Corpus& corpus) {
    std::vector<Holder> holders;
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        const std::vector<CallIndex>& calls = corpus.files[f].calls;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (corpus.calls[calls[i]].copies > 1) {
                holders.push_back({calls[i], static_cast<FileIndex>(f), static_cast<std::uint32_t>(i)});
            }
        }
    }
    std::ranges::sort(holders);
    const auto sameFile = [](const Holder& a, const Holder& b) {
        return a.call == b.call && a.file == b.file; // a call and its replay
    };
    holders.erase(std::unique(holders.begin(), holders.end(), sameFile), holders.end());
    return holders;
}

struct Blocks {
    std::vector<SharedBlock> blocks;
    std::vector<std::size_t> blockOf; ///< by holder
    std::vector<Holdings> holdings;   ///< by file
};

Blocks findBlocks(Corpus& corpus, const std::vector<Holder>& holders) {
    Blocks found;
    found.blockOf.resize(holders.size());
    found.holdings.resize(corpus.files.size());
    std::map<std::vector<FileIndex>, std::size_t> byFiles;
    std::vector<FileIndex> files;
    for (std::size_t begin = 0, end = 0; begin < holders.size(); begin = end) {
        files.clear();
        for (end = begin; end < holders.size() && holders[end].call == holders[begin].call; ++end) {
            files.push_back(holders[end].file);
        }
        corpus.calls[holders[begin].call].copies = static_cast<std::uint32_t>(files.size());
        if (files.size() == 1) {
            found.blockOf[begin] = std::numeric_limits<std::size_t>::max();
            continue;
        }
        const auto [entry, isNew] = byFiles.try_emplace(files, found.blocks.size());
        if (isNew) {
            found.blocks.push_back({.files = files});
        }
        ++found.blocks[entry->second].calls;
        for (std::size_t h = begin; h < end; ++h) {
            found.blockOf[h] = entry->second;
            const ApiCall& copy = corpus.files[holders[h].file].file->calls[holders[h].callInFile];
            std::int64_t& start =
                found.holdings[holders[h].file].blockStart.try_emplace(entry->second, never).first->second;
            start = std::min(start, startOf(copy.firstTime));
        }
    }
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        const FileInCorpus& file = corpus.files[f];
        for (std::size_t i = 0; i < file.calls.size() && !found.holdings[f].blockStart.empty(); ++i) {
            if (corpus.calls[file.calls[i]].copies == 1) {
                std::int64_t& start = found.holdings[f].unsharedStart;
                start = std::min(start, startOf(file.file->calls[i].firstTime));
            }
        }
    }
    for (Holdings& holdings : found.holdings) {
        for (const auto& [block, start] : holdings.blockStart) {
            holdings.byStart.emplace_back(start, block);
        }
        std::ranges::sort(holdings.byStart);
    }
    return found;
}

/// True for another block that all files of one block hold too; remembers its answers, as it is asked often
/// for the same block.
class HeldByAll {
public:
    HeldByAll(const std::vector<SharedBlock>& blocks, const SharedBlock& block)
        : blocks_(blocks), block_(block), answers_(blocks.size(), -1) {}

    bool operator()(std::size_t other) {
        if (answers_[other] < 0) {
            const std::vector<FileIndex>& holders = blocks_[other].files;
            answers_[other] =
                holders.size() >= block_.files.size() && std::ranges::includes(holders, block_.files) ? 1 : 0;
        }
        return answers_[other] != 0;
    }

private:
    const std::vector<SharedBlock>& blocks_;
    const SharedBlock& block_;
    std::vector<std::int8_t> answers_;
};

/// Start of the calls that a file holds and not all files of the block do.
std::int64_t ownStart(const Holdings& holdings, HeldByAll& heldByAll) {
    for (const auto& [start, block] : holdings.byStart) {
        if (start >= holdings.unsharedStart) {
            break;
        }
        if (!heldByAll(block)) {
            return start;
        }
    }
    return holdings.unsharedStart;
}

std::vector<std::int64_t> userTimes(const SessionFile& file) {
    std::vector<std::int64_t> times;
    for (const UserRecord& record : file.userRecords) {
        if (isKnown(record.time)) {
            times.push_back(record.time.ms);
        }
    }
    std::ranges::sort(times);
    return times;
}

/// Returns for each of the files the earliest time of a user record that not all of them hold.
std::vector<std::int64_t> ownUserStarts(const Corpus& corpus, const std::vector<FileIndex>& files) {
    std::vector<std::vector<std::int64_t>> times;
    times.reserve(files.size());
    for (const FileIndex file : files) {
        times.push_back(userTimes(*corpus.files[file].file));
    }
    std::vector<std::int64_t> common = times.front();
    for (const std::vector<std::int64_t>& other : times) {
        std::vector<std::int64_t> both;
        std::ranges::set_intersection(common, other, std::back_inserter(both));
        common = std::move(both);
    }
    std::vector<std::int64_t> starts;
    for (const std::vector<std::int64_t>& mine : times) {
        std::vector<std::int64_t> own;
        std::ranges::set_difference(mine, common, std::back_inserter(own));
        starts.push_back(own.empty() ? never : own.front());
    }
    return starts;
}

/// The one file that has nothing of its own, else the one that starts earliest; none when several do.
std::optional<std::size_t> firstOf(const std::vector<std::int64_t>& starts) {
    const auto prefixes = std::ranges::count(starts, never);
    const std::int64_t wanted = prefixes > 0 ? never : *std::ranges::min_element(starts);
    if (prefixes > 1 || wanted == someTime || std::ranges::count(starts, wanted) != 1) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(std::ranges::find(starts, wanted) - starts.begin());
}

void nameOrigin(const Corpus& corpus, const Blocks& blocks, SharedBlock& block) {
    std::vector<std::int64_t> starts;
    std::vector<FileIndex> prefixes;
    HeldByAll heldByAll(blocks.blocks, block);
    for (const FileIndex file : block.files) {
        starts.push_back(ownStart(blocks.holdings[file], heldByAll));
        if (starts.back() == never) {
            prefixes.push_back(file);
        }
    }
    if (const auto first = firstOf(starts)) {
        block.origin = block.files[*first];
        return;
    }
    block.origin = block.files.front();
    block.ambiguous = true;
    if (prefixes.size() > 1) {
        if (const auto first = firstOf(ownUserStarts(corpus, prefixes))) {
            block.origin = prefixes[*first];
            block.ambiguous = false;
        }
    }
}

void markInherited(Corpus& corpus) {
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        FileInCorpus& file = corpus.files[f];
        file.inherited.assign(file.calls.size(), 0);
        file.inheritedFrom.clear();
        file.inheritedCalls = 0;
        for (std::size_t i = 0; i < file.calls.size(); ++i) {
            const FileIndex home = corpus.calls[file.calls[i]].file;
            if (home != f) {
                file.inherited[i] = 1;
                ++file.inheritedCalls;
                if (!std::ranges::binary_search(file.inheritedFrom, home)) {
                    file.inheritedFrom.insert(std::ranges::upper_bound(file.inheritedFrom, home), home);
                }
            }
        }
    }
}

} // namespace

std::vector<SharedBlock> nameOrigins(Corpus& corpus) {
    const std::vector<Holder> holders = sharedHolders(corpus);
    Blocks blocks = findBlocks(corpus, holders);
    std::vector<std::uint8_t> firstSeen(blocks.blocks.size(), 0);
    for (SharedBlock& block : blocks.blocks) {
        nameOrigin(corpus, blocks, block);
    }
    for (std::size_t h = 0; h < holders.size(); ++h) {
        if (blocks.blockOf[h] >= blocks.blocks.size()) {
            continue;
        }
        SharedBlock& block = blocks.blocks[blocks.blockOf[h]];
        if (holders[h].file == block.origin) {
            corpus.calls[holders[h].call].file = holders[h].file;
            corpus.calls[holders[h].call].callInFile = holders[h].callInFile;
            if (firstSeen[blocks.blockOf[h]] == 0) {
                firstSeen[blocks.blockOf[h]] = 1;
                block.firstCallInOrigin = holders[h].callInFile;
            }
        }
    }
    markInherited(corpus);
    return std::move(blocks.blocks);
}

} // namespace loadline
