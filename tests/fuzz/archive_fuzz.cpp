// Any bytes as an archive: unpacking ends within its limits, tells the same again, and as a trace says what
// was read or why not, on any number of threads.
#include "core/base/file/archive.h"

#include "core/trace/read_block_traces.h"
#include "tests/fuzz/check.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

constexpr ArchiveLimits limits{.entries = 40, .bytes = 1 << 20, .entryBytes = 1 << 18};

using Entries = std::vector<std::pair<std::string, std::string>>;

/// The archive on disk, as only files are unpacked.
class Packed {
public:
    explicit Packed(std::string_view bytes)
        : path_(std::filesystem::temp_directory_path() / ("archive_fuzz_" + std::to_string(::getpid()))) {
        std::ofstream(path_, std::ios::binary) << bytes;
    }

    ~Packed() {
        std::error_code failed;
        std::filesystem::remove(path_, failed);
    }

    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;

    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

Result<ArchiveEnd> entriesOf(const std::string& path, std::size_t most, Entries& entries) {
    return readArchive(path, limits, {}, [&](std::string name, std::string text) {
        entries.emplace_back(std::move(name), std::move(text));
        return entries.size() < most;
    });
}

void checkUnpacked(const std::string& path) {
    Entries entries;
    const Result<ArchiveEnd> end = entriesOf(path, SIZE_MAX, entries);
    if (!end) {
        check(entries.empty());
        return checkError(end.error());
    }
    std::uint64_t bytes = 0;
    for (const auto& [name, text] : entries) {
        check(text.size() <= limits.entryBytes);
        bytes += text.size();
    }
    check(end->files == entries.size() && end->files <= limits.entries);
    check(bytes <= end->bytes && end->bytes <= limits.bytes);
    Entries again;
    const Result<ArchiveEnd> sameEnd = entriesOf(path, SIZE_MAX, again);
    check(sameEnd.hasValue() && sameEnd->problem == end->problem && again == entries);
    Entries first;
    check(entriesOf(path, 1, first).hasValue()); // ends where it is told to
    check(first.size() == std::min<std::size_t>(1, entries.size()));
}

Result<BlockTraceFiles> traceOf(const std::string& path, unsigned threads) {
    Progress progress;
    return readBlockTraces(std::vector{path}, {threads, 0, limits}, {}, progress);
}

void checkTraces(const std::string& path) {
    const Result<BlockTraceFiles> one = traceOf(path, 1);
    const Result<BlockTraceFiles> three = traceOf(path, 3);
    check(one.hasValue() == three.hasValue());
    if (!one) {
        return checkError(one.error());
    }
    check(one->trace == three->trace && one->diagnostics == three->diagnostics && one->bytes == three->bytes);
    check(!one->trace.chains.empty() && one->repeats <= one->files);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Packed packed(fuzz::textOf(data, size));
    checkUnpacked(packed.path());
    checkTraces(packed.path());
    return 0;
}
