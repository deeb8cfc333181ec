// Any bytes as a session file: nothing may go wrong, and where chunks and parts are cut must not matter.
#include "core/session/reader_limits.h"
#include "tests/core/session/session_file_text.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    if (size < 2) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const ReaderLimits usual{.maxLineBytes = 3000, .chunkBytes = 1U << 16U, .segmentBytes = 1U << 20U};
    const ReaderLimits cut{.maxLineBytes = 3000, .chunkBytes = 1U + data[0], .segmentBytes = 1U + data[1]};
    const std::string a = textOf(readSessionText("x.jsonl", text, usual));
    const std::string b = textOf(readSessionText("x.jsonl", text, cut));
    if (a != b) {
        std::fprintf(stderr, "%s\n", firstDifferentLine(a, b).c_str());
        std::abort();
    }
    return 0;
}
