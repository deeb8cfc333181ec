// Writes the records of one transcript: the frame that all share, and its bookkeeping.
#pragma once

#include "core/base/time.h"
#include "tests/tools/generate/transcript/cli_version.h"
#include "tests/tools/generate/transcript/ledger.h"
#include "tests/tools/generate/transcript/out_file.h"
#include "tests/tools/generate/transcript/random.h"

#include <string>
#include <string_view>

namespace loadline::generate {

/// Identifiers in the form that the agent and the provider give them.
std::string uuid(Random& random);
std::string providerId(std::string_view prefix, Random& random); ///< "msg_01" and 22 letters or digits

/// The writer of a transcript.
struct Identity {
    const CliVersion* version = nullptr;
    std::string sessionId;
    std::string agentId; ///< "" for the main agent
    std::string cwd;
    std::string gitBranch;
    std::string slug; ///< three words
    bool sidechain = false;
};

class Transcript {
public:
    /// Counts the records in `ledger` when `file` is kept.
    Transcript(OutFile& file, Identity identity, GeneratedLedger& ledger);

    /// Begins a record of a type; the caller appends `,"key":value` members to the answer and then closes it.
    std::string& open(std::string_view type);
    /// Ends the record with a new uuid and the time; the next one has it as its parent.
    void close(TimeMs time, Random& random);
    /// A whole record without the frame.
    void bare(std::string_view type, std::string_view json);
    /// The next record is a root (its parent is null).
    void detach() { parent_.clear(); }

    [[nodiscard]] const std::string& lastUuid() const { return parent_; }

    [[nodiscard]] const Identity& identity() const { return identity_; }

    [[nodiscard]] const CliVersion& version() const { return *identity_.version; }

    [[nodiscard]] OutFile& file() { return file_; }

    [[nodiscard]] const OutFile& file() const { return file_; }

private:
    OutFile& file_;
    Identity identity_;
    GeneratedLedger& ledger_;
    std::string frame_; ///< what all records have after their parent
    std::string parent_;
};

} // namespace loadline::generate
