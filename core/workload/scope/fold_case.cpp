// Text made comparable without regard to case.
#include "core/workload/scope/fold_case.h"

namespace loadline {
namespace {

/// Lower case of a code point that UTF-8 writes in two bytes.
unsigned lowerOf(unsigned c) {
    const auto within = [c](unsigned low, unsigned high) { return low <= c && c <= high; };
    if ((within(0xC0, 0xDE) && c != 0xD7) || (within(0x391, 0x3A9) && c != 0x3A2) || within(0x410, 0x42F)) {
        return c + 0x20;
    }
    if (within(0x400, 0x40F)) {
        return c + 0x50;
    }
    if (within(0x100, 0x12F) || within(0x132, 0x137) || within(0x14A, 0x177) || within(0x460, 0x481) ||
        within(0x48A, 0x4BF) || within(0x4D0, 0x52F)) {
        return c | 1U; // upper case is even
    }
    if (within(0x139, 0x148) || within(0x179, 0x17E)) {
        return c + (c & 1U); // upper case is odd
    }
    return c;
}

} // namespace

std::string foldCase(std::string_view text) {
    std::string folded(text);
    for (std::size_t i = 0; i < folded.size(); ++i) {
        const auto byte = static_cast<unsigned char>(folded[i]);
        if ('A' <= byte && byte <= 'Z') {
            folded[i] = static_cast<char>(byte + ('a' - 'A'));
        } else if (0xC3 <= byte && byte <= 0xDF && i + 1 < folded.size()) {
            const auto next = static_cast<unsigned char>(folded[i + 1]);
            if ((next & 0xC0U) == 0x80U) {
                const unsigned lower = lowerOf(((byte & 0x1FU) << 6U) | (next & 0x3FU));
                folded[i] = static_cast<char>(0xC0U | (lower >> 6U));
                folded[++i] = static_cast<char>(0x80U | (lower & 0x3FU));
            }
        }
    }
    return folded;
}

} // namespace loadline
