// Reads many files on several threads: large ones in parts that threads share, results in path order.
#include "core/session/files/read_sessions.h"

#include "core/base/file/byte_source.h"
#include "core/base/file/read_file.h"
#include "core/base/parallel_for.h"
#include "core/session/facts/assemble_file.h"
#include "core/session/files/session_formats.h"
#include "core/session/lines/reader_limits.h"

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
    std::vector<facts::PartFacts> parts;
    std::atomic<std::size_t> partsLeft = 0;
    std::atomic<bool> failed = false; ///< or not to be read
    const FileKind* kind = nullptr;   ///< by its beginning
    const SessionFormat* format = nullptr;
    bool beginsLikeRecord = false; ///< with a '{'
};

struct PartOfFile {
    std::size_t file = 0;
    std::size_t part = 0;
};

/// A log whose beginning tells nothing may still hold records of the first program in the table.
const SessionFormat& formatOf(const FileKind* kind) {
    return kind != nullptr && kind->sessions != nullptr ? *kind->sessions : *sessionFormats().front();
}

class Reading {
public:
    Reading(const FoundFiles& found, const ReadOptions& options, const std::stop_token& stop,
            Progress& progress);
    SessionFiles run();

private:
    void readPartOf(const PartOfFile& work, ReadingSpace& space);
    void open(std::size_t index);
    void complete(std::size_t index);
    void leaveOut(std::size_t index, DiagnosticKind kind, std::string reason);
    void say(std::size_t index, DiagnosticKind kind, std::string reason);

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

/// Ends a file before its parts are read: all of it counts as done.
void Reading::leaveOut(std::size_t index, DiagnosticKind kind, std::string reason) {
    pending_[index].failed = true;
    progress_.bytesDone.fetch_add(found_.files[index].bytes, std::memory_order_relaxed);
    say(index, kind, std::move(reason));
}

void Reading::say(std::size_t index, DiagnosticKind kind, std::string reason) {
    const std::scoped_lock lock(finished_);
    problems_[index] = {found_.files[index].path,
                        {.kind = kind, .line = 0, .count = 1, .detail = std::move(reason)}};
}

void Reading::open(std::size_t index) {
    PendingFile& pending = pending_[index];
    const std::string& path = found_.files[index].path;
    pending.source = std::make_unique<FileSource>(path);
    if (!pending.source->problem().empty()) {
        leaveOut(index, DiagnosticKind::CannotOpen, pending.source->problem());
        return;
    }
    const std::string head = readHead(*pending.source);
    const std::size_t start = head.find_first_not_of(std::string_view(" \t\r\n\0\xEF\xBB\xBF", 8));
    pending.beginsLikeRecord = start != std::string::npos && head[start] == '{';
    pending.kind = fileKindOf(head, path.substr(path.find_last_of('/') + 1));
    pending.format = &formatOf(pending.kind);
    if (pending.kind != nullptr && pending.kind->sessions == nullptr) {
        leaveOut(index, DiagnosticKind::OtherLog, "");
    }
}

/// True if these parts are a session: a blank one is, one whose only record is still being written, and one
/// of which the rest could not be read.
bool isSession(const PendingFile& file) {
    std::uint64_t lines = 0, own = 0;
    bool cut = false, failed = false;
    for (const facts::PartFacts& part : file.parts) {
        lines += part.lines - part.blankLines;
        own += part.ownRecords;
        cut = part.badLastLine;
        failed = failed || part.readFailed;
    }
    return file.kind != nullptr || own > 0 || lines == 0 || failed ||
           (lines == 1 && cut && file.beginsLikeRecord);
}

void Reading::complete(std::size_t index) {
    PendingFile& pending = pending_[index];
    if (!isSession(pending)) {
        pending.parts.clear();
        progress_.filesDone.fetch_add(1, std::memory_order_relaxed);
        say(index, DiagnosticKind::NotSessionLog, "");
        return;
    }
    const std::string& path = found_.files[index].path;
    auto file = std::make_shared<const SessionFile>(facts::assembleFile(
        path, *pending.format, pending.format->agentTypeBeside(path), std::exchange(pending.parts, {})));
    const std::scoped_lock lock(finished_);
    files_[index] = file;
    progress_.filesDone.fetch_add(1, std::memory_order_relaxed);
    if (options_.onFile) {
        options_.onFile(std::move(file));
    }
}

void Reading::readPartOf(const PartOfFile& work, ReadingSpace& space) {
    PendingFile& pending = pending_[work.file];
    try {
        std::call_once(pending.opened, [&] { open(work.file); });
        if (!pending.failed) {
            const SessionFormat& format = *pending.format;
            const std::uint64_t begin = work.part * limits_.segmentBytes;
            const bool last = work.part + 1 == pending.parts.size() || !format.inParts;
            const FilePart part{*pending.source, begin, last ? noEnd : begin + limits_.segmentBytes,
                                pending.source->size(), limits_};
            if (work.part == 0 || format.inParts) {
                pending.parts[work.part] = format.readPart(part, space, stop_, progress_);
            }
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
        leaveOut(work.file, DiagnosticKind::CannotOpen, problem.what());
        space = {};
    }
}

SessionFiles Reading::run() {
    std::vector<ReadingSpace> spaces(options_.threads == 0 ? defaultThreads() : options_.threads);
    parallelFor(work_.size(), options_.threads, stop_,
                [&](std::size_t index, unsigned worker) { readPartOf(work_[index], spaces[worker]); });
    SessionFiles result;
    result.diagnostics = found_.diagnostics;
    result.notRead = found_.notRead;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        if (problems_[i] && problems_[i]->diagnostic.kind == DiagnosticKind::OtherLog) {
            result.notRead.push_back({found_.files[i].path, pending_[i].kind});
        } else if (problems_[i]) {
            result.diagnostics.push_back(std::move(*problems_[i]));
        } else if (files_[i]) {
            result.bytes += files_[i]->bytes;
            result.files.push_back(std::move(files_[i]));
        } else {
            result.complete = false;
        }
    }
    for (const NotRead& file : result.notRead) {
        result.diagnostics.push_back(
            {file.path, {.kind = DiagnosticKind::OtherLog, .detail = reasonNotToRead(*file.looksLike)}});
    }
    std::ranges::sort(result.notRead, {}, &NotRead::path);
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
    const SessionFormat& format = formatOf(fileKindOf(text));
    ReadingSpace space;
    Progress progress;
    std::vector<facts::PartFacts> parts;
    for (std::uint64_t begin = 0; begin == 0 || begin < text.size(); begin += limits.segmentBytes) {
        const bool last = text.size() - begin <= limits.segmentBytes || !format.inParts;
        parts.push_back(
            format.readPart({source, begin, last ? noEnd : begin + limits.segmentBytes, text.size(), limits},
                            space, {}, progress));
        if (last) {
            break;
        }
    }
    return facts::assembleFile(std::string(path), format, {}, std::move(parts));
}

} // namespace loadline
