// What holds for any set of files, however their calls are shared.
#include "tests/core/session_builder.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace loadline {
namespace {

using test::SessionBuilder;
using test::used;

/// Files with random pieces of a few conversations; some sub-agents, some copies, some sidechain replays.
std::vector<std::shared_ptr<const SessionFile>> randomFiles(std::mt19937& random) {
    const auto below = [&random](unsigned n) { return static_cast<int>(random() % n); };
    std::vector<std::shared_ptr<const SessionFile>> files;
    const int count = 1 + below(9);
    for (int f = 0; f < count; ++f) {
        const std::string id = "s" + std::to_string(below(5));
        SessionBuilder builder("d" + std::to_string(f) + "/" + id + ".jsonl", id);
        if (below(4) == 0) {
            builder.subAgent("x" + std::to_string(f));
        }
        for (int piece = below(4); piece >= 0; --piece) {
            const int conversation = below(3);
            const int from = below(6);
            for (int i = from; i < from + below(8); ++i) {
                const std::string call = std::to_string(conversation) + "-" + std::to_string(i);
                const bool again = std::ranges::any_of(builder.file().calls, [&](const ApiCall& other) {
                    return other.messageId == hashOf(call).low;
                });
                if (again) {
                    continue;
                }
                builder.call(call + (below(9) == 0 ? "/other" : ""), 100 * conversation + i,
                             used(1 + i, 2, 3, below(40)), below(2) == 0 ? "opus" : "haiku",
                             below(2) == 0 ? OutputQuality::Final : OutputQuality::LowerBound);
                if (below(5) == 0) {
                    builder.sidechain();
                }
            }
        }
        files.push_back(builder.done());
    }
    return files;
}

Corpus corpusOf(std::vector<std::shared_ptr<const SessionFile>> files) {
    SessionFiles read;
    read.files = std::move(files);
    return buildCorpus(std::move(read));
}

void expectSound(const Corpus& corpus) {
    const UsageTotals totals = totalsOf(corpus.calls);
    UsageTotals own;
    for (const Session& session : corpus.sessions) {
        own += session.ownTotals;
        EXPECT_EQ(session.totals.calls, session.ownTotals.calls + session.inheritedCalls);
    }
    EXPECT_EQ(own, totals);

    std::vector<std::uint32_t> copies(corpus.calls.size());
    std::set<std::string> keys;
    std::set<FileIndex> filesOfSessions;
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        const FileInCorpus& file = corpus.files[f];
        ASSERT_EQ(file.calls.size(), file.file->calls.size());
        ASSERT_EQ(file.inherited.size(), file.calls.size());
        std::set<FileIndex> from;
        for (std::size_t i = 0; i < file.calls.size(); ++i) {
            const CorpusCall& call = corpus.calls[file.calls[i]];
            ++copies[file.calls[i]];
            EXPECT_EQ(file.inherited[i] != 0, call.file != f);
            if (call.file != f) {
                from.insert(call.file);
            }
            EXPECT_GE(call.usage.output,
                      call.key == file.file->calls[i].key ? file.file->calls[i].usage.output : 0);
        }
        EXPECT_EQ(file.inheritedFrom, std::vector<FileIndex>(from.begin(), from.end()));
    }
    for (std::size_t c = 0; c < corpus.calls.size(); ++c) {
        const CorpusCall& call = corpus.calls[c];
        EXPECT_EQ(call.copies, copies[c]);
        EXPECT_EQ(corpus.files[call.file].calls.at(call.callInFile), c); // its home holds it
    }
    for (const Session& session : corpus.sessions) {
        EXPECT_TRUE(keys.insert(session.key).second) << session.key;
        for (const FileIndex file : session.files) {
            EXPECT_TRUE(filesOfSessions.insert(file).second);
            EXPECT_EQ(&corpus.sessions[corpus.files[file].session], &session);
        }
    }
    EXPECT_EQ(filesOfSessions.size(), corpus.files.size());
}

TEST(CorpusProperties, HoldForRandomFiles) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        std::vector<std::shared_ptr<const SessionFile>> files = randomFiles(random);
        const Corpus corpus = corpusOf(files);
        expectSound(corpus);

        std::ranges::shuffle(files, random); // the order in which files come does not matter
        const Corpus shuffled = corpusOf(files);
        ASSERT_EQ(shuffled.calls.size(), corpus.calls.size());
        for (std::size_t c = 0; c < corpus.calls.size(); ++c) {
            EXPECT_EQ(shuffled.calls[c].key, corpus.calls[c].key);
            EXPECT_EQ(shuffled.calls[c].usage, corpus.calls[c].usage);
            EXPECT_EQ(shuffled.calls[c].file, corpus.calls[c].file);
        }
        EXPECT_EQ(shuffled.diagnostics, corpus.diagnostics);
    }
}

} // namespace
} // namespace loadline
