// Finds a named device in the hardware table.
#include "core/cost/import/named_device.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/estimate/hardware.h"
#include "core/text/plain_words.h"

#include <algorithm>

namespace loadline {
namespace {

/// True if the name holds the word, spaces within it aside ("RTX 4090"), and not behind a letter: "M3" is no
/// part of "HBM3", "B200" none of "GB200".
bool holdsWord(std::string_view name, std::string_view word) {
    for (std::size_t begin = 0; begin < name.size(); ++begin) {
        const char before = begin == 0 ? ' ' : name[begin - 1];
        const bool inWord = (before >= 'A' && before <= 'Z') || (before >= 'a' && before <= 'z');
        std::size_t matched = 0;
        for (std::size_t at = begin; !inWord && at < name.size() && matched < word.size(); ++at) {
            if (name[at] == word[matched]) {
                ++matched;
            } else if (name[at] != ' ' || matched == 0) {
                break;
            }
        }
        if (matched == word.size()) {
            return true;
        }
    }
    return false;
}

/// The key's words up to the first with a digit: "H100", "RTX PRO 6000".
std::string chipOf(std::string key) {
    const std::size_t digit = key.find_first_of("0123456789");
    key = key.substr(0, key.find('-', std::min(digit, key.size())));
    std::ranges::replace(key, '-', ' ');
    return key;
}

/// The one device of the table whose name holds the key's chip; "" where several do, or none. Boards of one
/// name differ: those that are not in the table are named by what tells them apart.
std::string onlyVariantOf(std::string_view name) {
    std::string found;
    for (const std::string_view other : {"PCIe", "NVL", "Workstation", "Max-Q"}) {
        if (name.find(other) != std::string_view::npos) {
            return found;
        }
    }
    for (const Hardware& one : hardwareTable()) {
        if (holdsWord(name, chipOf(one.key))) {
            if (!found.empty()) {
                return "";
            }
            found = one.key;
        }
    }
    return found;
}

} // namespace

void setDevice(Profile& profile, std::string_view device) {
    if (const GpuFacts* gpu = findGpu(device)) {
        profile.device = gpu->name;
        profile.hardware = gpu->hardware;
    } else if (const Hardware* known = findHardware(device)) {
        profile.device = profile.hardware = known->key;
    } else {
        profile.device = device;
        profile.hardware = onlyVariantOf(device);
    }
}

bool isSameDevice(const std::string& one, const std::string& other) {
    if (lowered(one) == lowered(other)) {
        return true;
    }
    Profile a, b;
    setDevice(a, one);
    setDevice(b, other);
    return a.device == b.device || (!a.hardware.empty() && a.hardware == b.hardware);
}

} // namespace loadline
