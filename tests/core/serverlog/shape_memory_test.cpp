// Findings recalled of a line are those that the scan and the patterns make on it; a log is the same with and
// without.
#include "core/serverlog/format/server_formats.h"
#include "core/serverlog/read/line_taker.h"
#include "tests/core/serverlog/known_lines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {
namespace {

using namespace test;

LineFindings found(std::string_view line) {
    LineFindings findings;
    std::vector<AnchorHit> hits;
    patternTable().scan.find(line, 64, hits);
    matchLine(patternTable(), line, hits, findings.matches);
    for (const AnchorHit& hit : hits) {
        if (hit.anchor <= uptimeAnchors.size() + 1) {
            findings.times.push_back(hit);
        }
    }
    return findings;
}

/// With the places of groups, so that equal texts elsewhere on the line are others.
std::string textOf(std::string_view line, const LineFindings& findings) {
    std::string text;
    for (const AnchorHit& hit : findings.times) {
        text += fmt::format("time {} {}\n", hit.at, hit.anchor);
    }
    for (const PatternMatch& match : findings.matches) {
        text += fmt::format("pattern {} {}-{}", match.pattern, match.match.begin, match.match.end);
        for (const std::string_view group : match.match.groups) {
            text += group.empty() ? "|" : fmt::format("|{} {}", group.data() - line.data(), group);
        }
        text += '\n';
    }
    return text;
}

char anyOf(std::string_view bytes, std::mt19937& random) {
    return bytes[random() % bytes.size()];
}

/// Other figures in the numbers, now and then more or fewer of them, and of the blanks before them.
std::string renumbered(std::string_view line, std::mt19937& random) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool digit = line[i] >= '0' && line[i] <= '9';
        const auto chance = random() % 400;
        if (!digit && !(line[i] == ' ' && i + 1 < line.size() && line[i + 1] >= '0' && line[i + 1] <= '9')) {
            text += line[i];
            continue;
        }
        if (chance == 0) {
            continue;
        }
        text += digit ? anyOf("0123456789", random) : ' ';
        if (chance == 1) {
            text += digit ? anyOf("0123456789", random) : ' ';
        }
    }
    return text;
}

/// Returns a line with what programs that wrap lines put around it.
std::string wrapped(const std::string& line, std::mt19937& random) {
    switch (random() % 8) {
    case 0:
        return "Feb 16 03:40:19 llama-local llama-server[3601]: " + line;
    case 1:
        return "rag-ollama  | " + line;
    case 2:
        return "2026-09-18T04:07:30.000000002Z " + line;
    case 3:
        return R"({"log":")" + line + R"(\n","stream":"stderr","time":"2026-09-18T04:07:30.000000002Z"})";
    case 4:
        return line + "\r";
    case 5:
        return "\x1b[32mINFO\x1b[0m " + line;
    default:
        return line;
    }
}

/// Lines that follow each other as a server writes them, a few shapes at a time; foreign and damaged ones
/// between.
std::vector<std::string> madeUpLines(std::size_t count, unsigned seed) {
    const std::vector<std::string> known = knownLines();
    std::mt19937 random(seed);
    std::vector<std::string> lines;
    std::vector<std::string> some;
    while (lines.size() < count) {
        if (lines.size() % 200 == 0) {
            some.clear();
            for (int i = 0; i < 6; ++i) {
                some.push_back(wrapped(known[random() % known.size()], random));
            }
        }
        const std::string& next = some[random() % some.size()];
        switch (random() % 24) {
        case 0:
            lines.push_back(damaged(next, known, random));
            break;
        case 1:
            lines.emplace_back("load_tensors: layer 12 assigned to device CUDA0, is_swa = 0");
            break;
        default:
            lines.push_back(renumbered(next, random));
        }
    }
    return lines;
}

TEST(ShapeMemory, RecallsWhatTheScanAndThePatternsFind) {
    ShapeMemory memory;
    std::size_t recalled = 0;
    for (const std::string& line : madeUpLines(60'000, 7)) {
        const LineFindings expected = found(line);
        if (const LineFindings* findings = memory.recall(line)) {
            ASSERT_EQ(textOf(line, *findings), textOf(line, expected)) << line;
            ++recalled;
        } else {
            memory.learn(line, expected);
        }
    }
    EXPECT_GT(recalled, 20'000U) << "else this says little";
}

ServerLog taken(const std::vector<std::string>& lines, bool recalls) {
    LineTaker taker(patternTable(), {.lineBytes = 10'000, .intervals = 500, .requests = 2000, .others = 2000},
                    recalls);
    taker.beginFile("log");
    for (const std::string& line : lines) {
        taker.take(line);
    }
    return std::move(taker).log(0);
}

TEST(ShapeMemory, ALogTellsTheSameWithAndWithout) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const std::vector<std::string> lines = madeUpLines(5000, seed);
        EXPECT_EQ(test::textOf(taken(lines, true)), test::textOf(taken(lines, false))) << seed;
    }
}

/// True if a line is recalled after these were learnt.
bool recalls(const std::vector<std::string>& learnt, const std::string& line) {
    ShapeMemory memory;
    for (const std::string& one : learnt) {
        memory.learn(one, found(one));
    }
    const LineFindings* findings = memory.recall(line);
    EXPECT_TRUE(findings == nullptr || textOf(line, *findings) == textOf(line, found(line))) << line;
    return findings != nullptr;
}

TEST(ShapeMemory, NumbersDifferAsTheyWereSeenTo) {
    const auto live = [](const std::string& time, const std::string& tokens, const std::string& recent) {
        return time + " I slot print_timing: id  0 | task 12 | n_decoded = " + tokens +
               ", tg =  12.93 t/s, " + recent + " =  12.57 t/s";
    };
    const std::string first = live("1.37.495.377", "  1081", "tg_3s");
    EXPECT_TRUE(recalls({first}, first));
    EXPECT_TRUE(recalls({first}, live("9.59.001.002", "  9999", "tg_3s")));
    EXPECT_FALSE(recalls({first}, live("1.37.495.377", " 10811", "tg_3s"))) << "five digits were not seen";
    const std::string wider = live("1.37.495.377", " 10811", "tg_3s");
    EXPECT_TRUE(recalls({first, wider}, live("1.37.495.377", " 20000", "tg_3s")));
    EXPECT_TRUE(recalls({first, wider}, live("1.37.495.377", "  2000", "tg_3s")));
    EXPECT_FALSE(recalls({first, wider}, live("1.37.495.377", "  20000", "tg_3s"))) << "not both at once";
    EXPECT_FALSE(recalls({first}, live("11.37.495.377", "  1081", "tg_3s"))) << "a time is as it was";
    EXPECT_FALSE(recalls({first}, live("1.37.495.377", "  1081", "tg_4s"))) << "a digit of a word is text";
    EXPECT_FALSE(recalls({first}, first + " and more"));
}

TEST(ShapeMemory, LinesOfOneTextMayHaveDifferentFindings) {
    const auto access = [](const std::string& status) {
        return "INFO:     172.22.0.1:52348 - \"POST /v1/chat/completions HTTP/1.1\" " + status + " OK";
    };
    EXPECT_TRUE(recalls({access("200")}, access("500")));
    EXPECT_TRUE(recalls({access("200"), access("20")}, access("50"))) << "that it is no status is recalled";
    EXPECT_TRUE(recalls({access("200"), access("20")}, access("500")));
    EXPECT_TRUE(recalls({access("200"), access("2000")}, access("5000"))) << "its first three digits are";
}

TEST(ShapeMemory, ForgetsWhatIsOfNoUse) {
    ShapeMemory memory;
    const std::string used = "[BATCH] Step: active=1";
    memory.learn(used, found(used));
    for (int i = 0; i < 3000; ++i) {
        const std::string once = fmt::format("[BATCH] Step: active=1 of x{}", i);
        memory.learn(once, found(once));
        ASSERT_NE(memory.recall(used), nullptr) << i;
    }
    EXPECT_EQ(memory.recall("[BATCH] Step: active=1 of x0"), nullptr);
    EXPECT_NE(memory.recall("[BATCH] Step: active=1 of x2999"), nullptr) << "what is used pays for learning";
}

} // namespace
} // namespace loadline
