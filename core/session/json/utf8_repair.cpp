#include "core/session/json/utf8_repair.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <cstddef>

namespace loadline {

std::string repairUtf8(std::string_view text) {
    std::string repaired;
    repaired.reserve(text.size() + text.size() / 8 + 128);
    while (!text.empty()) {
        const Utf8Sequence sequence = utf8SequenceAt(text);
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
