// Cuts UTF-8 text after a whole character.
#include "core/text/excerpt.h"

namespace loadline {

std::string excerpt(const std::string& text, std::size_t characters) {
    std::size_t met = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
        if (begins && met++ == characters) {
            return text.substr(0, i) + "…";
        }
    }
    return text;
}

} // namespace loadline
