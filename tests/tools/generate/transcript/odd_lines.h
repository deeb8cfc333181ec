// Broken, glued, padded and unknown lines, which transcripts should not hold but do.
#pragma once

#include "tests/tools/generate/transcript/ledger.h"
#include "tests/tools/generate/transcript/out_file.h"
#include "tests/tools/generate/transcript/random.h"

#include <string_view>

namespace loadline::generate {

/// Adds oddities between whole records; what a tolerant reader gets out of them is in the ledger.
class OddLines {
public:
    OddLines(OutFile& file, GeneratedLedger& ledger, std::uint64_t seed)
        : file_(file), ledger_(ledger), random_(mixed(seed, 0x0dd)) {}

    // Each returns the bytes it added, which may be none.
    std::int64_t atStart(); ///< a byte order mark
    std::int64_t between();
    std::int64_t atEnd(); ///< a cut last line

private:
    void record(std::string_view type, std::string_view json);

    OutFile& file_;
    GeneratedLedger& ledger_;
    Random random_;
};

} // namespace loadline::generate
