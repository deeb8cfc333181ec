// Hash chain over token runs, and the table from keys to blocks.
#include "core/schedule/kv/prefix_cache.h"

#include <algorithm>
#include <bit>

namespace loadline {
namespace {

/// Two independent multiply-rotate lanes (constants of xxHash64 and splitmix64).
void mix(Hash128& state, std::uint64_t value) {
    state.low = std::rotl((state.low ^ value) * 0x9E3779B185EBCA87U, 29) + 0xC2B2AE3D27D4EB4FU;
    state.high = std::rotl((state.high + value) * 0xBF58476D1CE4E5B9U, 31) ^ state.low;
}

Hash128 finished(Hash128 state) {
    for (std::uint64_t* lane : {&state.low, &state.high}) {
        *lane = (*lane ^ (*lane >> 30)) * 0xBF58476D1CE4E5B9U;
        *lane = (*lane ^ (*lane >> 27)) * 0x94D049BB133111EBU;
        *lane ^= *lane >> 31;
    }
    return state;
}

} // namespace

void BlockKeys::append(TokenRun run) {
    if (run.count == 0) {
        return;
    }
    if (!runs_.empty() && runs_.back().first + runs_.back().count == run.first) {
        runs_.back().count += run.count;
    } else {
        runs_.push_back(run);
    }
}

void BlockKeys::reset(const ScheduleRequest& request, Tokens blockSize) {
    runs_.clear();
    keys_.clear();
    run_ = 0;
    offset_ = 0;
    blockSize_ = blockSize;
    for (const TokenRun& run : request.prompt) {
        append(run);
    }
    append({.first = request.firstOutputToken, .count = request.outputTokens});
}

const Hash128& BlockKeys::key(std::size_t index) {
    while (keys_.size() <= index) {
        Hash128 state = keys_.empty() ? Hash128{} : keys_.back();
        for (Tokens left = blockSize_; left > 0;) {
            const TokenRun& run = runs_[run_];
            const Tokens taken = std::min(left, run.count - offset_);
            mix(state, static_cast<std::uint64_t>(run.first + offset_));
            mix(state, static_cast<std::uint64_t>(taken));
            left -= taken;
            offset_ += taken;
            if (offset_ == run.count) {
                ++run_;
                offset_ = 0;
            }
        }
        keys_.push_back(finished(state));
    }
    return keys_[index];
}

PrefixCache::PrefixCache(std::int64_t blocks)
    : mask_(std::bit_ceil(2 * static_cast<std::size_t>(blocks)) - 1), table_(mask_ + 1),
      keys_(static_cast<std::size_t>(blocks)), twinBefore_(static_cast<std::size_t>(blocks)),
      twinAfter_(static_cast<std::size_t>(blocks)), lastTwin_(static_cast<std::size_t>(blocks)),
      behind_(static_cast<std::size_t>(blocks)) {}

std::size_t PrefixCache::placeOf(const Hash128& key) const {
    const std::uint32_t low = lowOf(key);
    std::size_t place = home(low);
    while (table_[place].block != none && (table_[place].low != low || keys_[table_[place].block] != key)) {
        place = (place + 1) & mask_;
    }
    return place;
}

/// Precondition: it is the first of its key.
std::size_t PrefixCache::placeOfFirst(BlockId block) const {
    std::size_t place = home(lowOf(keys_[block]));
    while (table_[place].block != block) {
        place = (place + 1) & mask_;
    }
    return place;
}

BlockId PrefixCache::find(const Hash128& key, BlockId before) const {
    const BlockId likely = before == none ? none : behind_[before];
    if (likely != none && twinBefore_[likely] == likely && keys_[likely] == key) {
        return likely;
    }
    return table_[placeOf(key)].block;
}

void PrefixCache::insert(const Hash128& key, BlockId block, BlockId before) {
    if (before != none) {
        behind_[before] = block;
    }
    keys_[block] = key;
    twinAfter_[block] = none;
    Entry& entry = table_[placeOf(key)];
    if (entry.block == none) {
        entry = {lowOf(key), block};
        twinBefore_[block] = block;
        lastTwin_[block] = block;
        return;
    }
    const BlockId last = lastTwin_[entry.block];
    twinAfter_[last] = block;
    twinBefore_[block] = last;
    lastTwin_[entry.block] = block;
}

void PrefixCache::erase(BlockId block) {
    const BlockId before = twinBefore_[block];
    if (before == none) {
        return;
    }
    const BlockId after = twinAfter_[block];
    twinBefore_[block] = none;
    if (before == block) {
        const std::size_t place = placeOfFirst(block);
        table_[place].block = after;
        if (after == none) {
            closeGap(place);
        } else {
            twinBefore_[after] = after;
            lastTwin_[after] = lastTwin_[block];
        }
        return;
    }
    twinAfter_[before] = after;
    if (after != none) {
        twinBefore_[after] = before;
    } else {
        lastTwin_[table_[placeOf(keys_[block])].block] = before;
    }
}

/// Moves later entries of the same cluster up, so that no search ends too early (backward shift deletion).
void PrefixCache::closeGap(std::size_t place) {
    for (std::size_t other = (place + 1) & mask_; table_[other].block != none; other = (other + 1) & mask_) {
        const std::size_t wanted = home(table_[other].low);
        if (((other - wanted) & mask_) >= ((other - place) & mask_)) {
            table_[place] = table_[other];
            table_[other].block = none;
            place = other;
        }
    }
}

} // namespace loadline
