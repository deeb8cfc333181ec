// Plans the sessions, then writes one after the other.
#include "tests/tools/generate/generate.h"

#include "core/base/file/write_file.h"
#include "tests/tools/generate/story/session_story.h"

#include <fmt/format.h>
#include <unistd.h>

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

/// True if the session begins with a copy of the one before it.
bool isFork(std::uint64_t index, std::uint64_t sessions) {
    return index % 24 == 7 || (sessions >= 3 && sessions < 8 && index + 1 == sessions);
}

/// Folder that holds the sessions until all are written: beside the target folder, or within it if that
/// exists already, which keeps its place and rights. Removed at the end unless published.
class Staging {
public:
    explicit Staging(const std::string& folder)
        : folder_(folder), within_(fs::is_directory(folder, failed_)),
          place_((within_ ? fs::path(folder) / "generated" : withoutSlash(folder)).string() + "." +
                 std::to_string(::getpid()) + ".part") {}

    ~Staging() { fs::remove_all(place_, failed_); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    [[nodiscard]] std::string place() const { return place_.string(); }

    Status begin() {
        fs::create_directories(place_ / projects, failed_);
        return status();
    }

    Status publish() {
        within_ ? fs::rename(place_ / projects, folder_ / projects, failed_)
                : fs::rename(place_, folder_, failed_);
        return status();
    }

private:
    static constexpr const char* projects = "projects";

    static fs::path withoutSlash(const fs::path& path) {
        return path.has_filename() ? path : path.parent_path();
    }

    [[nodiscard]] Status status() const {
        return failed_ ? Status(writeError(failed_.value(), folder_.string())) : Status(Done{});
    }

    std::error_code failed_;
    fs::path folder_;
    bool within_;
    fs::path place_;
};

Status check(const std::string& folder, const GenerateOptions& options) {
    if (folder.empty()) {
        return Error{"no folder to write to", "", "the name of a new folder"};
    }
    if (!generatedSessions.contains(options.sessions)) {
        return Error{"the number of sessions must be 1 to 1\u202f000\u202f000",
                     fmt::format("{}", options.sessions), ""};
    }
    if (options.bytes / options.sessions < minBytesPerSession || !generatedBytes.contains(options.bytes)) {
        return Error{fmt::format("{} sessions do not fit into {} bytes", options.sessions, options.bytes), "",
                     fmt::format("at least {} bytes for each, and 4 TB at most", minBytesPerSession)};
    }
    std::error_code failed;
    const fs::file_status status = fs::status(folder, failed);
    if (fs::exists(status) && !fs::is_directory(status)) {
        return Error{"cannot write sessions: it is not a folder", folder, "the name of a new folder"};
    }
    if (fs::is_directory(status) && !fs::is_empty(folder, failed) && !failed) {
        return Error{"will not write into a folder that is not empty", folder, "the name of a new folder"};
    }
    return canWriteInto(folder);
}

} // namespace

Result<GeneratedLedger> generateSessions(const std::string& folder, const GenerateOptions& options,
                                         const std::stop_token& stop, Progress& progress) {
    if (Status checked = check(folder, options); !checked) {
        return checked.error();
    }
    Staging staging(folder);
    if (Status begun = staging.begin(); !begun) {
        return begun.error();
    }
    std::uint64_t weightLeft = 0;
    for (std::uint64_t i = 0; i < options.sessions; ++i) {
        weightLeft += weightOf(options.seed, i);
    }
    progress.bytesTotal = options.bytes;
    progress.filesTotal = options.sessions;

    GeneratedLedger ledger;
    const generate::Texts texts(options.seed);
    const generate::StoryOptions story{staging.place(), options.odd,
                                       std::max<Tokens>(16, options.largestResult)};
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
            return ledger;
        }
    }
    if (Status published = staging.publish(); !published) {
        return published.error();
    }
    return ledger;
}

} // namespace loadline
