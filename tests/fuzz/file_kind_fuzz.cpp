// Any bytes as the beginning of a file: known or not, and never by what lies behind the head.
#include "core/session/files/file_kind.h"

#include "core/base/file/read_file.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const FileKind* kind = fileKindOf(text, "opencode.db");
    if (kind != fileKindOf(text.substr(0, headBytes), "opencode.db")) {
        std::abort();
    }
    if (kind != nullptr && sentencesOf(std::vector<NotRead>{{"x", kind}}).size() != 1) {
        std::abort();
    }
    return 0;
}
