// Contents of blocks, and the tree of prefixes.
#include "core/schedule/kv/prefix_cache.h"

#include <algorithm>
#include <bit>

namespace loadline {
namespace {

constexpr BlockContent isFingerprint = BlockContent{1} << 63U; // ids are below

/// A multiply-rotate step (constants of xxHash64).
std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
    return std::rotl((state ^ value) * 0x9E3779B185EBCA87U, 29) * 0x165667B19E3779F9U + 0xC2B2AE3D27D4EB4FU;
}

} // namespace

void BlockContents::append(TokenRun run) {
    if (run.count == 0) {
        return;
    }
    if (!runs_.empty() && runs_.back().first + runs_.back().count == run.first) {
        runs_.back().count += run.count;
    } else {
        runs_.push_back(run);
    }
}

void BlockContents::reset(const ScheduleRequest& request, Tokens blockSize) {
    runs_.clear();
    contents_.clear();
    run_ = 0;
    offset_ = 0;
    blockSize_ = blockSize;
    for (const TokenRun& run : request.prompt) {
        append(run);
    }
    append({.first = request.firstOutputToken, .count = request.outputTokens});
}

void BlockContents::appendContent() {
    const TokenRun& run = runs_[run_];
    if (run.count - offset_ > blockSize_) {
        contents_.push_back(static_cast<BlockContent>(run.first + offset_));
        offset_ += blockSize_;
        return;
    }
    BlockContent content = 0;
    for (Tokens left = blockSize_; left > 0;) {
        const TokenRun& part = runs_[run_];
        const Tokens taken = std::min(left, part.count - offset_);
        const auto first = static_cast<std::uint64_t>(part.first + offset_);
        content = taken == blockSize_
                      ? first
                      : mixed(mixed(content, first), static_cast<std::uint64_t>(taken)) | isFingerprint;
        left -= taken;
        offset_ += taken;
        if (offset_ == part.count) {
            ++run_;
            offset_ = 0;
        }
    }
    contents_.push_back(content);
}

PrefixCache::PrefixCache(std::int64_t blocks)
    : nodes_(static_cast<std::size_t>(blocks)), members_(static_cast<std::size_t>(blocks)),
      mask_(std::bit_ceil(2 * static_cast<std::size_t>(blocks)) - 1), table_(mask_ + 1),
      spare_(static_cast<std::size_t>(blocks)) {}

std::size_t PrefixCache::homeOf(PrefixId prefix, BlockContent content) const {
    const std::uint64_t state = mixed(content, static_cast<std::uint64_t>(prefix));
    return (state ^ state >> 32U) & mask_;
}

/// Returns the block's place in the table, or the free place where it would be.
std::size_t PrefixCache::placeOf(PrefixId prefix, BlockContent content) const {
    std::size_t place = homeOf(prefix, content);
    while (table_[place] != empty &&
           (nodes_[table_[place]].before != prefix || nodes_[table_[place]].content != content)) {
        place = (place + 1) & mask_;
    }
    return place;
}

void PrefixCache::addTwin(PrefixId prefix, BlockId block) {
    Node& node = nodes_[prefix];
    members_[block] = {.prefix = prefix, .twinBefore = node.last, .twinAfter = none};
    members_[node.last].twinAfter = block;
    node.last = block;
}

/// Precondition: it has a twin.
void PrefixCache::eraseTwin(BlockId block) {
    Member& member = members_[block];
    Node& node = nodes_[member.prefix];
    if (node.first == block) {
        node.first = member.twinAfter;
    } else {
        members_[member.twinBefore].twinAfter = member.twinAfter;
    }
    if (node.last == block) {
        node.last = member.twinBefore;
    } else {
        members_[member.twinAfter].twinBefore = member.twinBefore;
    }
    member.prefix = empty;
}

/// Empties the place, and moves later entries of the same cluster up, so that no search ends too early
/// (backward shift deletion).
void PrefixCache::closeGap(std::size_t place) {
    table_[place] = empty;
    for (std::size_t other = (place + 1) & mask_; table_[other] != empty; other = (other + 1) & mask_) {
        const Node& node = nodes_[table_[other]];
        const std::size_t wanted = homeOf(node.before, node.content);
        if (((other - wanted) & mask_) >= ((other - place) & mask_)) {
            table_[place] = table_[other];
            table_[other] = empty;
            place = other;
        }
    }
}

} // namespace loadline
