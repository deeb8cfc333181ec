// Oddities in the data: a line or a file that could not be taken as it is. Data, not an error.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Kinds of oddity; the order is the order in which they are listed.
enum class DiagnosticKind : std::uint8_t {
    CannotOpen,        ///< no permission, not a regular file, a path that is not there
    ReadError,         ///< the system reported an error while it was read; what came before is there
    VanishedWhileRead, ///< it became shorter while it was read
    LinkLoop,          ///< a symbolic link that leads back into a folder being walked
    LinkLeadsOut,      ///< a symbolic link out of the folders that were named; not followed
    OtherLog,        ///< a file of a known kind of which no session is made: another agent's log, a trace ...
    NotSessionLog,   ///< holds no record of a session; none is made of it
    BadLine,         ///< the rest of the line does not decode as JSON
    BadLastLine,     ///< the last line is cut: probably still being written
    LineTooLong,     ///< longer than LineLimits::maxLineBytes; skipped
    TooDeep,         ///< nested deeper than the parser accepts; skipped
    GluedObjects,    ///< several objects on one line; all were read
    NotAnObject,     ///< a JSON value that is not an object; left out
    InvalidUtf8,     ///< bytes replaced by U+FFFD
    ByteOrderMark,   ///< dropped
    NulPadding,      ///< NUL bytes around a line; dropped
    UnknownType,     ///< a record type the format page does not name; counted only
    MissingField,    ///< a field that the record needs is absent; counted as zero
    BadNumber,       ///< a count that is negative, fractional or out of range; counted as zero
    BadTimestamp,    ///< not ISO-8601; the record has no time
    AmbiguousOrigin, ///< calls shared by several sessions, of which none can be named the first
    UnequalBlock,    ///< a block of a trace that is longer in one prompt than in another; kept as one
    NoCallId,        ///< a line of an API call without message.id: told by what it follows
    RepeatedCallId,  ///< a message.id that calls with other prompts have too; told apart
    SeveralSessions, ///< records of several sessions that do not go on from each other, in one file
    CachedInInput,   ///< input_tokens that hold the tokens read from the cache, too
    RepeatedRow,     ///< rows of a table that are about the same thing; made one
};

/// The effect of an oddity on the figures.
enum class DiagnosticEffect : std::uint8_t {
    Mended,    ///< nothing is lost
    Noted,     ///< read as it stands, though it says less than it should
    LeftAside, ///< a whole file is not read
    LosesData, ///< what could not be read is left out
    Guessed,   ///< read on an assumption that figures depend on
};

/// Most lines that one diagnostic lists besides the first: an odd file of any length makes a short list.
inline constexpr std::size_t maxOtherLines = 64;

/// One oddity, or `count` equal ones in the same file of which `line` is the first.
struct Diagnostic {
    DiagnosticKind kind = DiagnosticKind::BadLine;
    std::uint64_t line = 0; ///< 1-based physical line; 0 when the whole file is meant
    std::uint64_t count = 1;
    std::string detail; ///< short, in words: parser's message, the unknown type's name ...
    std::vector<std::uint64_t> otherLines = {}; ///< the next ones, ascending; at most maxOtherLines

    auto operator<=>(const Diagnostic&) const = default;
};

/// Lists `line` too, unless maxOtherLines earlier ones are listed; does not change the count. The order of
/// calls does not change which lines are listed.
void listLine(Diagnostic& diagnostic, std::uint64_t line);
/// True if the diagnostic may have lines that are not listed.
bool leavesOutLines(const Diagnostic& diagnostic);
/// "line 7", "lines 7, 9 and 12", "lines 7, 9, 12 and more": at most `most` of those listed, at least one.
std::string linesOf(const Diagnostic& diagnostic, std::size_t most = 8);

/// The kind as a short phrase for tables ("cut last line").
std::string_view describe(DiagnosticKind kind);
/// The stable snake_case name used in JSON and CSV ("bad_last_line").
std::string_view keyOf(DiagnosticKind kind);
/// One readable sentence: describe(kind), detail and count.
std::string diagnosticSentence(const Diagnostic& diagnostic);
DiagnosticEffect effectOf(DiagnosticKind kind);
/// True if a part of a file that is read is in no total: it could not be read or made sense of. The figures
/// are then not complete.
bool losesData(DiagnosticKind kind);
/// True if the figures rest on an assumption about the file, which a reader must know.
bool isGuess(DiagnosticKind kind);
/// True if something in the files is in no total: it was left aside or lost.
bool leavesOut(DiagnosticKind kind);

} // namespace loadline
