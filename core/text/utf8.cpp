// Which bytes make a character.
#include "core/text/utf8.h"

namespace loadline {

Utf8Sequence utf8SequenceAt(std::string_view text) {
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

std::uint32_t codePointOf(std::string_view sequence) {
    const auto lead = static_cast<unsigned char>(sequence.front());
    if (sequence.size() == 1) {
        return lead;
    }
    std::uint32_t point = lead & (0x7FU >> sequence.size());
    for (const char c : sequence.substr(1)) {
        point = (point << 6) | (static_cast<unsigned char>(c) & 0x3FU);
    }
    return point;
}

} // namespace loadline
