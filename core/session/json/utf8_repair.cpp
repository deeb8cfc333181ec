#include "core/session/json/utf8_repair.h"

#include <algorithm>
#include <cstddef>

namespace loadline {
namespace {

struct Sequence {
    std::size_t length = 1; ///< bytes that belong together: a character, or a maximal invalid subpart
    bool valid = false;
};

/// Table 3-7 of the Unicode standard: which second bytes may follow which first byte.
Sequence sequenceAt(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
    };
    const unsigned char lead = byte(0);
    if (lead < 0x80) {
        return {1, true};
    }
    std::size_t length = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        low = lead == 0xE0 ? 0xA0 : low;
        high = lead == 0xED ? 0x9F : high;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        low = lead == 0xF0 ? 0x90 : low;
        high = lead == 0xF4 ? 0x8F : high;
    } else {
        return {1, false};
    }
    if (byte(1) < low || byte(1) > high) {
        return {1, false};
    }
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return {i, false};
        }
    }
    return {length, true};
}

} // namespace

std::string repairUtf8(std::string_view text) {
    std::string repaired;
    repaired.reserve(text.size() + text.size() / 8 + 128);
    while (!text.empty()) {
        const Sequence sequence = sequenceAt(text);
        if (sequence.valid) {
            repaired.append(text.substr(0, sequence.length));
        } else {
            repaired.append("\xEF\xBF\xBD");
        }
        text.remove_prefix(std::min(sequence.length, text.size()));
    }
    return repaired;
}

} // namespace loadline
