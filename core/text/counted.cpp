// Numbers of things in sentences.
#include "core/text/counted.h"

#include "core/text/number_format.h"

namespace loadline {

std::string counted(std::uint64_t n, const char* one) {
    return formatExact(static_cast<std::int64_t>(n)) + ' ' + one + (n == 1 ? "" : "s");
}

} // namespace loadline
