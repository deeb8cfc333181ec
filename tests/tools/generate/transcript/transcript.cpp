// The frame of records: parent, session, version, uuid, timestamp.
#include "tests/tools/generate/transcript/transcript.h"

#include "tests/tools/generate/transcript/text_pool.h"

#include <fmt/format.h>

#include <iterator>

namespace loadline::generate {

std::string uuid(Random& random) {
    const std::uint64_t a = random.next();
    const std::uint64_t b = random.next();
    return fmt::format("{:08x}-{:04x}-4{:03x}-{:x}{:03x}-{:012x}", a >> 32, (a >> 16) & 0xffff, a & 0xfff,
                       8 + (b >> 62), (b >> 48) & 0xfff, b & 0xffff'ffff'ffff);
}

std::string providerId(std::string_view prefix, Random& random) {
    static constexpr std::string_view letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";
    std::string id(prefix);
    for (int half = 0; half < 2; ++half) {
        std::uint64_t bits = random.next();
        for (int i = 0; i < 11; ++i) {
            id += letters[bits % letters.size()];
            bits /= letters.size();
        }
    }
    return id;
}

Transcript::Transcript(OutFile& file, Identity identity, GeneratedLedger& ledger)
    : file_(file), identity_(std::move(identity)), ledger_(ledger) {
    frame_ =
        fmt::format(R"(,"isSidechain":{},"userType":"external","cwd":"{}","sessionId":"{}","version":"{}")",
                    identity_.sidechain, identity_.cwd, identity_.sessionId, identity_.version->name);
    frame_ += fmt::format(R"(,"gitBranch":"{}")", identity_.gitBranch);
    if (!identity_.agentId.empty()) {
        frame_ += fmt::format(R"(,"agentId":"{}")", identity_.agentId);
    }
    if (identity_.version->slug) {
        frame_ += fmt::format(R"(,"slug":"{}")", identity_.slug);
    }
}

std::string& Transcript::open(std::string_view type) {
    if (file_.isKept()) {
        ++ledger_.recordTypes[std::string(type)];
    }
    std::string& out = file_.buffer();
    out += parent_.empty() ? R"({"parentUuid":null)" : R"({"parentUuid":")" + parent_ + '"';
    out += frame_;
    out += R"(,"type":")";
    out += type;
    out += '"';
    return out;
}

void Transcript::close(TimeMs time, Random& random) {
    parent_ = uuid(random);
    fmt::format_to(std::back_inserter(file_.buffer()),
                   R"(,"uuid":"{}","timestamp":"{}"}})"
                   "\n",
                   parent_, formatIso8601(time));
    file_.flushIfLarge();
}

void Transcript::bare(std::string_view type, std::string_view json) {
    if (file_.isKept()) {
        ++ledger_.recordTypes[std::string(type)];
    }
    file_.buffer().append(json).append("\n");
    file_.flushIfLarge();
}

} // namespace loadline::generate
