// Reads traces side by side, then puts them together in the order of their paths.
#include "core/trace/read_block_traces.h"

#include "core/base/file/byte_source.h"
#include "core/base/file/read_file.h"
#include "core/base/free_memory.h"
#include "core/base/hash128.h"
#include "core/base/parallel_for.h"
#include "core/text/counted.h"
#include "core/text/plain_words.h"
#include "core/trace/global_blocks.h"
#include "core/trace/trace.h"
#include "core/trace/weka_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace loadline {
namespace {

constexpr std::uint64_t mostWaitingBytes = std::uint64_t{32} << 20;

/// A file in hand, and the result of reading it.
struct TracePiece {
    std::string path;
    std::string text;
    std::uint64_t bytes = 0;
    std::string_view format; ///< its name
    BlockTrace trace;
    bool oneSession = false;             ///< may repeat another
    std::vector<std::int64_t> globalIds; ///< WekaDocument::globalIds
    std::vector<Diagnostic> diagnostics;
    std::vector<std::string> notes;
    std::optional<Error> error;
    bool losesData = false; ///< the error: it is a trace, or nobody knows, and it could not be read
};

void readSession(TracePiece& piece) {
    Result<WekaDocument> document = readWekaDocument(piece.text, piece.path);
    if (!document) {
        piece.error = document.error();
        piece.losesData = true;
        return;
    }
    piece.trace = std::move(document->trace);
    piece.diagnostics = std::move(document->diagnostics);
    piece.oneSession = true;
    piece.globalIds = std::move(document->globalIds);
}

void readRequests(TracePiece& piece) {
    Result<Trace> trace = readTrace(piece.text, piece.path);
    if (!trace) {
        piece.error = trace.error();
        piece.losesData = true;
    } else if (trace->requests.empty()) {
        piece.error = Error{"the table tells nothing of the blocks of its requests", piece.path,
                            "the sessions or the trace with blocks that it was made of"};
    } else {
        piece.trace = blockTraceOf(trace->requests, trace->blockTokens, nameOfFile(piece.path));
        piece.diagnostics = std::move(trace->diagnostics);
        piece.notes = std::move(trace->notes);
    }
}

/// Parses the text and frees it.
void parse(TracePiece& piece) {
    piece.bytes = piece.text.size();
    if (const TraceFormat* format = traceFormatOf(piece.text)) {
        piece.format = format->name;
        format->key == "weka-session" ? readSession(piece) : readRequests(piece);
    } else {
        piece.error = Error{"not a request trace: its format is not known", piece.path,
                            "a trace, an archive of traces, or a folder of them"};
    }
    freeMemory(piece.text);
}

void load(TracePiece& piece) {
    Result<std::string> text = readWholeFile(piece.path, "the trace");
    if (!text) {
        piece.error = text.error();
        piece.losesData = true;
        return;
    }
    piece.text = std::move(*text);
    parse(piece);
}

template <typename Value>
void appendBytes(std::string& text, const Value& value) {
    const std::size_t had = text.size();
    text.resize(had + sizeof value);
    std::memcpy(text.data() + had, &value, sizeof value);
}

/// Returns a hash over all requests: equal for sessions that differ in their names alone.
Hash128 contentOfRequests(const BlockTrace& trace, std::span<const std::int64_t> globalIds) {
    std::string text;
    for (const std::int64_t id : globalIds) {
        appendBytes(text, id);
    }
    for (const BlockChain& chain : trace.chains) {
        appendBytes(text, chain.subAgent);
        appendBytes(text, chain.count);
    }
    for (const BlockRequest& request : trace.requests) {
        appendBytes(text, request.startS);
        appendBytes(text, request.answerS);
        appendBytes(text, request.input);
        appendBytes(text, request.output);
        appendBytes(text, request.shared);
        appendBytes(text, request.added);
    }
    for (const std::uint32_t block : trace.blocks) {
        appendBytes(text, block);
    }
    return hashOf(text);
}

/// Pieces that are unpacked and wait to be parsed.
class WaitingPieces {
public:
    void add(TracePiece& piece) {
        const std::scoped_lock lock(mutex_);
        bytes_ += piece.text.size();
        pieces_.push_back(&piece);
        changed_.notify_one();
    }

    void end() {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }

    /// The next one, for which it waits until end(); null when there is none any more.
    TracePiece* wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended_ || !pieces_.empty(); });
        return takeNext();
    }

    /// The next one while more than `bytes` wait; else null.
    TracePiece* takeBeyond(std::uint64_t bytes) {
        const std::scoped_lock lock(mutex_);
        return bytes_ > bytes ? takeNext() : nullptr;
    }

private:
    TracePiece* takeNext() {
        if (pieces_.empty()) {
            return nullptr;
        }
        TracePiece* piece = pieces_.front();
        pieces_.pop_front();
        bytes_ -= piece->text.size();
        return piece;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<TracePiece*> pieces_;
    std::uint64_t bytes_ = 0;
    bool ended_ = false;
};

/// Reads pieces; those of archives are unpacked by one thread while others parse what is there.
class PieceReader {
public:
    PieceReader(const BlockTraceOptions& options, const std::stop_token& stop, Progress& progress)
        : options_(options), stop_(stop), progress_(progress) {}

    void readFiles(std::span<const std::string> paths) {
        const std::size_t first = pieces_.size();
        for (const std::string& path : paths) {
            pieces_.emplace_back().path = path;
        }
        parallelFor(pieces_.size() - first, options_.threads, stop_, [&](std::size_t i, unsigned) {
            load(pieces_[first + i]);
            tellRead(pieces_[first + i]);
        });
    }

    void readPacked(const std::string& path) {
        const unsigned threads = options_.threads == 0 ? defaultThreads() : options_.threads;
        WaitingPieces waiting;
        parallelFor(threads, threads, stop_, [&](std::size_t i, unsigned) {
            if (i == 0) {
                unpack(path, threads > 1 ? mostWaitingBytes : 0, waiting);
                waiting.end();
            }
            while (TracePiece* piece = waiting.wait()) {
                parsePacked(*piece);
            }
        });
    }

    std::deque<TracePiece> take() { return std::move(pieces_); }

    std::vector<TraceFileDiagnostic> takeCut() { return std::move(cut_); }

private:
    /// Parses too where more wait than the others keep up with.
    void unpack(const std::string& path, std::uint64_t mostWaiting, WaitingPieces& waiting) {
        const auto end = readArchive(path, options_.archive, stop_, [&](std::string name, std::string text) {
            TracePiece& piece = pieces_.emplace_back();
            piece.path = path + "/" + name;
            piece.text = std::move(text);
            waiting.add(piece);
            while (TracePiece* next = waiting.takeBeyond(mostWaiting)) {
                parsePacked(*next);
            }
            return true;
        });
        if (!end) {
            pieces_.emplace_back().path = path;
            pieces_.back().error = end.error();
            pieces_.back().losesData = true;
        } else if (!end->problem.empty()) {
            cut_.push_back({path, 0, "the rest is not read: " + end->problem, true});
        }
    }

    void parsePacked(TracePiece& piece) {
        if (!stop_.stop_requested()) {
            parse(piece);
            tellRead(piece);
        }
    }

    void tellRead(const TracePiece& piece) {
        progress_.bytesDone += piece.bytes;
        ++progress_.filesDone;
    }

    const BlockTraceOptions& options_;
    const std::stop_token& stop_;
    Progress& progress_;
    std::deque<TracePiece> pieces_; ///< stay where they are while more come
    std::vector<TraceFileDiagnostic> cut_;
};

/// Returns the diagnostic of a file of which nothing could be used.
TraceFileDiagnostic unusable(const TracePiece& piece) {
    return {piece.path, 0, piece.error->what, piece.losesData};
}

/// Puts pieces together.
class PieceJoiner {
public:
    explicit PieceJoiner(BlockTraceFiles& into) : into_(into) {}

    std::optional<Error> add(TracePiece piece) {
        ++into_.files;
        into_.bytes += piece.bytes;
        if (piece.error) {
            firstError_ = firstError_ ? firstError_ : piece.error;
            into_.diagnostics.push_back(unusable(piece));
            return std::nullopt;
        }
        if (piece.oneSession && repeats(piece)) {
            return std::nullopt;
        }
        if (!into_.trace.chains.empty() && (into_.trace.blockTokens != piece.trace.blockTokens ||
                                            into_.trace.conversations != piece.trace.conversations)) {
            return Error{"traces of different kinds cannot be counted together", piece.path,
                         "traces whose blocks have one size, or one at a time"};
        }
        const std::string format(piece.format);
        if (std::ranges::find(into_.formats, format) == into_.formats.end()) {
            into_.formats.push_back(format);
        }
        for (const Diagnostic& diagnostic : piece.diagnostics) {
            into_.diagnostics.push_back(
                {piece.path, diagnostic.line, sentenceOfLine(diagnostic), leavesOutLine(diagnostic)});
        }
        std::ranges::move(piece.notes, std::back_inserter(into_.notes));
        const std::size_t scope = into_.trace.blocksOfScope.size();
        const std::size_t request = into_.trace.requests.size();
        append(into_.trace, std::move(piece.trace));
        global_.join(into_.trace, static_cast<std::uint32_t>(scope), request, piece.globalIds);
        return std::nullopt;
    }

    [[nodiscard]] const std::optional<Error>& firstError() const { return firstError_; }

private:
    bool repeats(const TracePiece& piece) {
        const auto [entry, isNew] =
            known_.try_emplace(contentOfRequests(piece.trace, piece.globalIds), piece.path);
        if (!isNew) {
            ++into_.repeats;
            into_.diagnostics.push_back(
                {piece.path, 0, "left out: it repeats the requests of " + entry->second});
        }
        return !isNew;
    }

    BlockTraceFiles& into_;
    GlobalBlocks global_;
    std::map<Hash128, std::string> known_;
    std::optional<Error> firstError_;
};

} // namespace

std::string incompleteSentence(const BlockTraceFiles& files) {
    const auto lost = [](const TraceFileDiagnostic& one) { return one.losesData; };
    const auto first = std::ranges::find_if(files.diagnostics, lost);
    if (first == files.diagnostics.end()) {
        return "";
    }
    const auto more = static_cast<std::uint64_t>(std::ranges::count_if(files.diagnostics, lost)) - 1;
    return fmt::format("Incomplete: {}: {}{}", nameOfFile(first->path), first->what,
                       more == 0 ? "" : "; " + counted(more, "more place"));
}

Result<BlockTraceFiles> readBlockTraces(std::span<const std::string> paths, const BlockTraceOptions& options,
                                        const std::stop_token& stop, Progress& progress) {
    PieceReader reader(options, stop, progress);
    std::vector<std::string> plain;
    for (const std::string& path : paths) {
        progress.bytesTotal += FileSource(path).size();
        if (isArchive(readHead(path))) {
            reader.readPacked(path);
        } else {
            plain.push_back(path);
        }
    }
    reader.readFiles(plain);
    std::deque<TracePiece> pieces = reader.take();
    std::ranges::stable_sort(pieces, {}, &TracePiece::path);
    BlockTraceFiles result;
    result.complete = !stop.stop_requested();
    result.diagnostics = reader.takeCut();
    PieceJoiner joiner(result);
    for (TracePiece& piece : pieces) {
        if (std::optional<Error> problem = joiner.add(std::move(piece))) {
            return *problem;
        }
    }
    std::ranges::stable_sort(result.diagnostics, {}, &TraceFileDiagnostic::path);
    if (result.trace.chains.empty() && result.complete) {
        if (joiner.firstError()) {
            return *joiner.firstError();
        }
        return Error{"there are no request traces in it", paths.empty() ? "" : paths.front(),
                     "a trace, an archive of traces, or a folder of them"};
    }
    if (options.blockTokens > 0 && result.trace.blockTokens > 0) {
        result.trace.blockTokens = options.blockTokens;
    }
    return result;
}

} // namespace loadline
