// Reads many files on several threads: large ones in parts that threads share, results in path order.
#include "core/session/read_sessions.h"

#include "core/base/parallel_for.h"
#include "core/session/byte_source.h"
#include "core/session/claude/assemble_file.h"
#include "core/session/claude/read_part.h"
#include "core/session/file_place.h"
#include "core/session/reader_limits.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>

namespace loadline {
namespace {

constexpr std::uint64_t noEnd = std::numeric_limits<std::uint64_t>::max();

/// A file while its parts are being read.
struct PendingFile {
    std::once_flag opened;
    std::unique_ptr<FileSource> source;
    std::vector<claude::PartFacts> parts;
    std::atomic<std::size_t> partsLeft = 0;
    std::atomic<bool> failed = false;
};

struct PartOfFile {
    std::size_t file = 0;
    std::size_t part = 0;
};

class Reading {
public:
    Reading(const FoundFiles& found, const ReadOptions& options, const std::stop_token& stop,
            Progress& progress);
    SessionFiles run();

private:
    void readPartOf(const PartOfFile& work, claude::Workspace& workspace);
    void complete(std::size_t index);
    void fail(std::size_t index, std::string reason);

    const FoundFiles& found_;
    const ReadOptions& options_;
    const std::stop_token& stop_;
    Progress& progress_;
    ReaderLimits limits_;
    std::vector<PendingFile> pending_;
    std::vector<PartOfFile> work_;
    std::mutex finished_; ///< guards result_, order_ and the calls of onFile
    std::vector<std::shared_ptr<const SessionFile>> files_;
    std::vector<std::optional<PathDiagnostic>> problems_;
};

Reading::Reading(const FoundFiles& found, const ReadOptions& options, const std::stop_token& stop,
                 Progress& progress)
    : found_(found), options_(options), stop_(stop), progress_(progress), pending_(found.files.size()),
      files_(found.files.size()), problems_(found.files.size()) {
    for (std::size_t i = 0; i < found.files.size(); ++i) {
        const std::size_t parts = static_cast<std::size_t>(std::max<std::uint64_t>(
            1, (found.files[i].bytes + limits_.segmentBytes - 1) / limits_.segmentBytes));
        pending_[i].parts.resize(parts);
        pending_[i].partsLeft = parts;
        for (std::size_t part = 0; part < parts; ++part) {
            work_.push_back({i, part});
        }
    }
    progress.bytesDone = 0;
    progress.filesDone = 0;
    progress.bytesTotal = found.bytes();
    progress.filesTotal = found.files.size();
}

void Reading::fail(std::size_t index, std::string reason) {
    pending_[index].failed = true;
    progress_.bytesDone.fetch_add(found_.files[index].bytes, std::memory_order_relaxed);
    const std::scoped_lock lock(finished_);
    problems_[index] = {
        found_.files[index].path,
        {.kind = DiagnosticKind::CannotOpen, .line = 0, .count = 1, .detail = std::move(reason)}};
}

void Reading::complete(std::size_t index) {
    PendingFile& pending = pending_[index];
    const std::string& path = found_.files[index].path;
    const FilePlace place = placeOf(path);
    std::string agentType = place.kind == FileKind::SubAgent ? agentTypeBeside(path) : std::string();
    auto file = std::make_shared<const SessionFile>(
        claude::assembleFile(path, place, std::move(agentType), std::exchange(pending.parts, {})));
    const std::scoped_lock lock(finished_);
    files_[index] = file;
    progress_.filesDone.fetch_add(1, std::memory_order_relaxed);
    if (options_.onFile) {
        options_.onFile(std::move(file));
    }
}

void Reading::readPartOf(const PartOfFile& work, claude::Workspace& workspace) {
    PendingFile& pending = pending_[work.file];
    try {
        std::call_once(pending.opened, [&] {
            pending.source = std::make_unique<FileSource>(found_.files[work.file].path);
            if (!pending.source->problem().empty()) {
                fail(work.file, pending.source->problem());
            }
        });
        if (!pending.failed) {
            const std::uint64_t begin = work.part * limits_.segmentBytes;
            const bool last = work.part + 1 == pending.parts.size();
            pending.parts[work.part] =
                claude::readPart(*pending.source, begin, last ? noEnd : begin + limits_.segmentBytes,
                                 pending.source->size(), limits_, workspace, stop_, progress_);
        }
        const bool wasLast = pending.partsLeft.fetch_sub(1, std::memory_order_acq_rel) == 1;
        if (wasLast) {
            pending.source.reset();
            if (pending.failed) {
                progress_.filesDone.fetch_add(1, std::memory_order_relaxed);
            } else if (!stop_.stop_requested()) {
                complete(work.file);
            }
        }
    } catch (const std::exception& problem) {
        // Memory ran out, most likely by one line: this file is lost, the others are not.
        fail(work.file, problem.what());
        workspace = {};
    }
}

SessionFiles Reading::run() {
    std::vector<claude::Workspace> workspaces(options_.threads == 0 ? defaultThreads() : options_.threads);
    parallelFor(work_.size(), options_.threads, stop_,
                [&](std::size_t index, unsigned worker) { readPartOf(work_[index], workspaces[worker]); });
    SessionFiles result;
    result.diagnostics = found_.diagnostics;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        if (problems_[i]) {
            result.diagnostics.push_back(std::move(*problems_[i]));
        } else if (files_[i]) {
            result.bytes += files_[i]->bytes;
            result.files.push_back(std::move(files_[i]));
        } else {
            result.complete = false;
        }
    }
    std::ranges::stable_sort(result.diagnostics, {}, &PathDiagnostic::path);
    return result;
}

} // namespace

SessionFiles readSessionFiles(const FoundFiles& found, const ReadOptions& options, std::stop_token stop,
                              Progress& progress) {
    return Reading(found, options, stop, progress).run();
}

SessionFile readSessionText(std::string_view path, std::string_view text) {
    return readSessionText(path, text, ReaderLimits{});
}

SessionFile readSessionText(std::string_view path, std::string_view text, const ReaderLimits& limits) {
    const MemorySource source(text);
    claude::Workspace workspace;
    Progress progress;
    std::vector<claude::PartFacts> parts;
    for (std::uint64_t begin = 0; begin == 0 || begin < text.size(); begin += limits.segmentBytes) {
        const bool last = text.size() - begin <= limits.segmentBytes;
        parts.push_back(claude::readPart(source, begin, last ? noEnd : begin + limits.segmentBytes,
                                         text.size(), limits, workspace, {}, progress));
        if (last) {
            break;
        }
    }
    return claude::assembleFile(std::string(path), placeOf(path), {}, std::move(parts));
}

} // namespace loadline
