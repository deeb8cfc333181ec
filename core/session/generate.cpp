// Plans the sessions, then writes one after the other.
#include "core/session/generate.h"

#include "core/session/generate/session_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace loadline {
namespace {

namespace fs = std::filesystem;
using generate::SessionPlan;

/// Sizes of sessions are log-normal: the product of many factors. In whole numbers, thousandths.
std::uint64_t weightOf(std::uint64_t seed, std::uint64_t index) {
    generate::Random random(generate::mixed(generate::mixed(seed, index), 0x512e));
    std::uint64_t weight = 1000;
    for (std::uint64_t bits = random.next() & 0xff'ffff; bits != 0; bits &= bits - 1) {
        weight = weight * 13 / 8;
    }
    return weight;
}

/// Whether the session begins with a copy of the one before it.
bool isFork(std::uint64_t index, std::uint64_t sessions) {
    return index % 24 == 7 || (sessions >= 3 && sessions < 8 && index + 1 == sessions);
}

Status prepare(const std::string& folder) {
    std::error_code failed;
    const fs::file_status status = fs::status(folder, failed);
    if (fs::exists(status) && !fs::is_directory(status)) {
        return Error{"cannot write sessions: it is not a folder", folder, "the name of a new folder"};
    }
    if (fs::is_directory(status) && !fs::is_empty(folder, failed) && !failed) {
        return Error{"will not write into a folder that is not empty", folder, "the name of a new folder"};
    }
    fs::create_directories(fs::path(folder) / "projects", failed);
    return failed ? Status(generate::writeFailure(failed.value(), folder)) : Status(Done{});
}

Status check(const std::string& folder, const GenerateOptions& options) {
    if (folder.empty()) {
        return Error{"no folder to write to", "", "the name of a new folder"};
    }
    if (options.sessions == 0 || options.sessions > 1'000'000) {
        return Error{"the number of sessions must be 1 to 1,000,000", fmt::format("{}", options.sessions),
                     ""};
    }
    if (options.bytes / options.sessions < minBytesPerSession || options.bytes > (std::uint64_t{1} << 42)) {
        return Error{fmt::format("{} sessions do not fit into {} bytes", options.sessions, options.bytes), "",
                     fmt::format("at least {} bytes for each, and 4 TB at most", minBytesPerSession)};
    }
    return prepare(folder);
}

} // namespace

Result<GeneratedLedger> generateSessions(const std::string& folder, const GenerateOptions& options,
                                         const std::stop_token& stop, Progress& progress) {
    if (Status checked = check(folder, options); !checked) {
        return checked.error();
    }
    std::uint64_t weightLeft = 0;
    for (std::uint64_t i = 0; i < options.sessions; ++i) {
        weightLeft += weightOf(options.seed, i);
    }
    progress.bytesTotal = options.bytes;
    progress.filesTotal = options.sessions;

    GeneratedLedger ledger;
    const generate::Texts texts(options.seed);
    const generate::StoryOptions story{folder, options.odd, std::max<Tokens>(16, options.largestResult)};
    auto bytesLeft = static_cast<std::int64_t>(options.bytes);
    SessionPlan before;
    for (std::uint64_t i = 0; i < options.sessions; ++i) {
        // Each session gets its part of what is left: what one wrote too much, the others write less.
        const std::uint64_t weight = weightOf(options.seed, i);
        const auto sessionsAfter = static_cast<std::int64_t>(options.sessions - i - 1);
        const auto reserve = sessionsAfter * static_cast<std::int64_t>(minBytesPerSession);
        const std::int64_t wanted = bytesLeft / 1000 * static_cast<std::int64_t>(weight) /
                                    std::max<std::int64_t>(1, static_cast<std::int64_t>(weightLeft / 1000));
        SessionPlan plan = generate::planSession(
            options.seed, i,
            std::clamp<std::int64_t>(
                wanted, static_cast<std::int64_t>(minBytesPerSession),
                std::max<std::int64_t>(static_cast<std::int64_t>(minBytesPerSession), bytesLeft - reserve)));
        const bool fork = i > 0 && isFork(i, options.sessions);
        Result<std::int64_t> written =
            writeSession(plan, fork ? &before : nullptr, story, texts, ledger, stop);
        if (!written) {
            return written.error();
        }
        bytesLeft -= *written;
        weightLeft -= weight;
        before = plan;
        progress.bytesDone += static_cast<std::uint64_t>(*written);
        ++progress.filesDone;
        if (stop.stop_requested()) {
            ledger.complete = false;
            break;
        }
    }
    return ledger;
}

} // namespace loadline
