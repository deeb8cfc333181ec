// Reads a part of a file with a JSON object a line into facts, whatever program wrote it.
#pragma once

#include "core/session/facts/extraction.h"
#include "core/session/facts/session_format.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <system_error>

namespace loadline::facts {

inline bool isPadding(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

/// Reads lines into `facts`; `extract` adds those of one record.
template <void (*extract)(Extraction&, JsonValue)>
class JsonLineReader {
public:
    JsonLineReader(PartFacts& facts, JsonTokens& tokens) : facts_(facts), tokens_(tokens), x_(facts) {}

    void read(const RawLine& raw);

private:
    std::string_view strip(std::string_view text);
    void readObjects(std::string_view text, bool ended);
    void countBad(JsonTokens::Piece piece, bool ended);

    PartFacts& facts_;
    JsonTokens& tokens_;
    Extraction x_;
};

template <void (*extract)(Extraction&, JsonValue)>
std::string_view JsonLineReader<extract>::strip(std::string_view text) {
    if (x_.place.offset == 0 && text.starts_with(byteOrderMark)) {
        facts_.byteOrderMark = true;
        x_.note(DiagnosticKind::ByteOrderMark);
        text.remove_prefix(byteOrderMark.size());
    }
    const std::string_view whole = text;
    while (!text.empty() && isPadding(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isPadding(text.back())) {
        text.remove_suffix(1);
    }
    if (text.size() < whole.size()) {
        const auto before = static_cast<std::size_t>(text.data() - whole.data());
        const std::string_view around[] = {whole.substr(0, before), whole.substr(before + text.size())};
        if (std::ranges::any_of(around, [](std::string_view s) { return s.find('\0') != s.npos; })) {
            x_.note(DiagnosticKind::NulPadding);
        }
    }
    return text;
}

template <void (*extract)(Extraction&, JsonValue)>
void JsonLineReader<extract>::countBad(JsonTokens::Piece piece, bool ended) {
    if (piece == JsonTokens::Piece::TooDeep) {
        x_.note(DiagnosticKind::TooDeep);
    } else if (!ended) {
        facts_.badLastLine = true;
        x_.note(DiagnosticKind::BadLastLine);
        return;
    } else {
        x_.note(DiagnosticKind::BadLine);
    }
    ++facts_.badLines;
}

template <void (*extract)(Extraction&, JsonValue)>
void JsonLineReader<extract>::readObjects(std::string_view text, bool ended) {
    tokens_.index(text);
    if (tokens_.repaired()) {
        x_.note(DiagnosticKind::InvalidUtf8);
    }
    x_.line = text;
    std::uint64_t objects = 0;
    std::uint32_t at = 0;
    while (true) {
        const JsonTokens::CheckedPiece checked = tokens_.check(at);
        if (checked.piece == JsonTokens::Piece::End) {
            break;
        }
        if (checked.piece != JsonTokens::Piece::Value) {
            countBad(checked.piece, ended);
            break;
        }
        const JsonValue value(tokens_, checked.first);
        if (value.isObject()) {
            extract(x_, value);
            ++objects;
        } else {
            x_.note(DiagnosticKind::NotAnObject);
        }
        at = checked.next;
    }
    if (objects > 1) {
        facts_.extraObjects += objects - 1;
        x_.note(DiagnosticKind::GluedObjects);
    }
}

template <void (*extract)(Extraction&, JsonValue)>
void JsonLineReader<extract>::read(const RawLine& raw) {
    ++facts_.lines;
    facts_.lastLineEnded = raw.ended;
    x_.place = {.offset = raw.offset,
                .length = static_cast<std::uint32_t>(std::min<std::uint64_t>(raw.length, UINT32_MAX)),
                .line = static_cast<std::uint32_t>(facts_.lines)};
    if (raw.tooLong) {
        ++facts_.badLines;
        x_.note(DiagnosticKind::LineTooLong);
        return;
    }
    const std::string_view text = strip(raw.text);
    if (text.empty()) {
        ++facts_.blankLines;
        return;
    }
    readObjects(text, raw.ended);
}

/// SessionFormat::readPart of programs that write a JSON object a line. A line may hold several objects,
/// blanks and NULs around them, and be broken: that is said and the rest read.
template <void (*extract)(Extraction&, JsonValue)>
PartFacts readJsonLines(const FilePart& part, ReadingSpace& space, const std::stop_token& stop,
                        Progress& progress) {
    PartFacts facts;
    LineReader lines(part.source, space.buffer, part.limits, part.begin, part.end);
    JsonLineReader<extract> reader(facts, space.tokens);
    RawLine line;
    std::uint64_t reported = part.begin;
    const auto report = [&] {
        const std::uint64_t upTo = std::clamp(lines.readUpTo(), reported, std::max(part.end, reported));
        if (upTo != reported) {
            progress.bytesDone.fetch_add(upTo - reported, std::memory_order_relaxed);
            reported = upTo;
        }
    };
    while (!stop.stop_requested() && lines.next(line)) {
        report();
        reader.read(line);
    }
    report();
    facts.bytes = reported - part.begin;
    space.tokens.shrink();
    if (lines.error() != 0) {
        facts.readFailed = true;
        facts.diagnostics.add(DiagnosticKind::ReadError, facts.lines,
                              std::generic_category().message(lines.error()));
    } else if (lines.atEndOfSource() && lines.readUpTo() < std::min(part.end, part.size)) {
        facts.diagnostics.add(DiagnosticKind::VanishedWhileRead, facts.lines, "it became shorter");
    }
    return facts;
}

} // namespace loadline::facts
