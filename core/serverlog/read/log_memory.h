// Remembers from line to line what formats need, of which this room knows nothing.
#pragma once

#include <any>
#include <deque>

namespace loadline {

/// One value of each type that a format asks for, made at its first use. A format's type may have a
/// `void shiftTimes(double seconds)`, for the times that it holds.
class LogMemory {
public:
    /// The reference stays valid.
    template <typename Kept>
    Kept& of() {
        for (Entry& entry : entries_) {
            if (entry.type == &typeTag<Kept>) {
                return *std::any_cast<Kept>(&entry.value);
            }
        }
        Entry& made = entries_.emplace_back(
            Entry{&typeTag<Kept>, Kept(), [](std::any& value, double seconds) {
                      if constexpr (requires(Kept& kept) { kept.shiftTimes(seconds); }) {
                          std::any_cast<Kept>(&value)->shiftTimes(seconds);
                      }
                  }});
        return *std::any_cast<Kept>(&made.value);
    }

    void shiftTimes(double seconds) {
        for (Entry& entry : entries_) {
            entry.shiftTimes(entry.value, seconds);
        }
    }

private:
    template <typename Kept>
    static constexpr char typeTag = 0; ///< by its address

    struct Entry {
        const char* type;
        std::any value;
        void (*shiftTimes)(std::any& value, double seconds);
    };

    std::deque<Entry> entries_;
};

} // namespace loadline
