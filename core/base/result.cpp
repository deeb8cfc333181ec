#include "core/base/result.h"

namespace loadline {

std::string Error::sentence() const {
    std::string text = what;
    if (!where.empty()) {
        text += ": " + where;
    }
    if (!remedy.empty()) {
        text += " (try: " + remedy + ")";
    }
    return text;
}

} // namespace loadline
