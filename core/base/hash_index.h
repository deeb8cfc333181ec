// A map from fingerprints to numbers, in one flat table.
#pragma once

#include "core/base/hash128.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace loadline {

/// Open addressing with linear probing; fingerprints are already well mixed.
class HashIndex {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// The number stored for the key, after storing `number` if there was none.
    std::uint32_t findOrAdd(const Hash128& key, std::uint32_t number) {
        if ((count_ + 1) * 4 > slots_.size() * 3) {
            grow();
        }
        Slot& slot = slots_[slotOf(key)];
        if (slot.number == none) {
            slot = {key, number};
            ++count_;
        }
        return slot.number;
    }

    [[nodiscard]] std::uint32_t find(const Hash128& key) const {
        return slots_.empty() ? none : slots_[slotOf(key)].number;
    }

private:
    struct Slot {
        Hash128 key;
        std::uint32_t number = none;
    };

    [[nodiscard]] std::size_t slotOf(const Hash128& key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = Hash128Hasher{}(key)&mask;
        while (slots_[at].number != none && slots_[at].key != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    void grow() {
        std::vector<Slot> old = std::move(slots_);
        slots_.assign(old.empty() ? 64 : old.size() * 2, Slot{});
        for (const Slot& slot : old) {
            if (slot.number != none) {
                slots_[slotOf(slot.key)] = slot;
            }
        }
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
};

} // namespace loadline
