// One kind of oddity at a time.
#include "tests/tools/generate/transcript/odd_lines.h"

#include <string>

namespace loadline::generate {

void OddLines::record(std::string_view type, std::string_view json) {
    ++ledger_.recordTypes[std::string(type)];
    file_.buffer() += json;
}

std::int64_t OddLines::atStart() {
    const std::uint64_t before = file_.bytes();
    if (random_.chance(300)) {
        file_.buffer() += "\xef\xbb\xbf";
    }
    return static_cast<std::int64_t>(file_.bytes() - before);
}

std::int64_t OddLines::between() {
    const std::uint64_t before = file_.bytes();
    static constexpr std::string_view summary =
        R"({"type":"summary","summary":"Glued","leafUuid":"00000000-0000-4000-8000-000000000000"})";
    std::string& out = file_.buffer();
    switch (random_.below(12)) {
    case 0:
        out += "\n";
        break;
    case 1:
        record("summary", summary); // the next record follows on the same line
        break;
    case 2:
        out += "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"te\n";
        break;
    case 3:
        record("weather-report", "{\"type\":\"weather-report\",\"wind\":5}\n");
        break;
    case 4:
        record("summary", summary);
        out += "\r\n";
        break;
    case 5:
        out += std::string(64, '\0');
        record("summary", summary);
        out += "\n";
        break;
    case 6:
        record("custom-title", "{\"type\":\"custom-title\",\"customTitle\":\"Spring \xff tides\"}\n");
        break;
    case 7:
        out += "[1,2,3]\n";
        break;
    default:
        break;
    }
    return static_cast<std::int64_t>(file_.bytes() - before);
}

std::int64_t OddLines::atEnd() {
    const std::uint64_t before = file_.bytes();
    if (random_.chance(300)) {
        file_.buffer() += R"({"parentUuid":"00000000-0000-4000-8000-000000000000","isSidech)";
    }
    return static_cast<std::int64_t>(file_.bytes() - before);
}

} // namespace loadline::generate
