// The published traces on the command line: the document holds the reference's figures to four digits.
#include "tests/app/cli/cli_process.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

#include <cmath>

namespace loadline::app {
namespace {

const QString tracesFolder = QStringLiteral(LOADLINE_SHARED_DATA "/traces/");

/// "a.b" of a document.
QJsonValue memberAt(QJsonValue value, const QString& path) {
    for (const QString& key : path.split(u'.', Qt::SkipEmptyParts)) {
        value = value.toObject()[key];
    }
    return value;
}

void compareNumbers(const QJsonValue& ours, const QJsonValue& expected, const QString& what) {
    QVERIFY2(ours.isDouble() && expected.isDouble(), qPrintable(what));
    const double off = std::abs(ours.toDouble() - expected.toDouble());
    QVERIFY2(
        off <= 5e-5 * std::max(1.0, std::abs(expected.toDouble())),
        qPrintable(QStringLiteral("%1: %2, not %3").arg(what).arg(ours.toDouble()).arg(expected.toDouble())));
}

} // namespace

class CliCacheSharedTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QFile file(tracesFolder + "expected.json");
        if (!file.open(QIODevice::ReadOnly)) {
            QSKIP("the shared data has no traces");
        }
        expected_ = QJsonDocument::fromJson(file.readAll()).object();
    }

    void theDocumentEqualsTheReference_data() {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("part");
        QTest::addColumn<QStringList>("pairs"); ///< "ours theirs": a number, or an object of numbers
        QTest::newRow("Mooncake") << "mooncake/conversation_trace.jsonl"
                                  << "mooncake_conversation"
                                  << QStringList{"requests file_requests",
                                                 "block_size_tokens block_size_tokens",
                                                 "duration_s duration_s",
                                                 "distinct_timestamps distinct_timestamps",
                                                 "input input",
                                                 "output output",
                                                 "in_out_ratio in_out_ratio_of_sums",
                                                 "in_out_ratio_mean_of_ratios in_out_ratio_mean_of_ratios",
                                                 "block_refs block_refs",
                                                 "unique_blocks unique_blocks",
                                                 "first_blocks first_blocks",
                                                 "tokens_per_block_ref tokens_per_block_ref",
                                                 "unlimited infinite_cache",
                                                 "lru.fwd lru_stack_fwd",
                                                 "lru.rev lru_stack_rev",
                                                 "lru_contiguous lru_contiguous block",
                                                 "lru_contiguous_token lru_contiguous token",
                                                 "lru.fwd_at_unique_percent lru_at_unique_pct_fwd",
                                                 "reuse_time_s reuse_time_s",
                                                 "first_reuse_s first_reuse_s",
                                                 "blocks_ever_reused blocks_ever_reused",
                                                 "blocks_referenced_once blocks_referenced_once",
                                                 "share_of_reuses_in_top10pct_blocks "
                                                 "share_of_reuses_in_top10pct_blocks"};
        QTest::newRow("Azure") << "azure2023/AzureLLMInferenceTrace_code.csv"
                               << "azure2023_code"
                               << QStringList{"requests requests", "duration_s duration_s", "input input",
                                              "output output", "inter_arrival_s inter_arrival_s"};
        QTest::newRow("sessions")
            << "weka/weka_traces_710.tar.xz"
            << "weka_distinct_sessions"
            << QStringList{"chains.main traces",
                           "requests requests_main",
                           "block_size_tokens block_size_tokens",
                           "unlimited.aggregate_block_hit_consecutive aggregate_block_hit_consecutive",
                           "unlimited.aggregate_token_hit aggregate_token_hit",
                           "composition.token_weighted token_decomposition_of_in_plus_out",
                           "composition.mean_per_request mean_per_request_decomposition",
                           "read_write_ratio read_write_ratio",
                           "in_out_ratio in_out_ratio_of_sums",
                           "input input_per_request",
                           "output output_per_request",
                           "new_input new_input_per_request"};
    }

    void theDocumentEqualsTheReference() {
        QFETCH(QString, trace);
        QFETCH(QString, part);
        QFETCH(QStringList, pairs);
        if (expected_.isEmpty() || !QFileInfo::exists(tracesFolder + trace)) {
            QSKIP("the shared data has no such trace");
        }
        const QJsonValue theirs = expected_[part];
        QStringList capacities = memberAt(theirs, QStringLiteral("lru_stack_fwd")).toObject().keys();
        capacities = capacities.isEmpty() ? QStringList{QStringLiteral("1000")} : capacities;
        const QJsonObject ours =
            runLoadline({"cache", tracesFolder + trace, "--json", "--capacity-blocks", capacities.join(u',')})
                .json();
        QVERIFY(!ours.isEmpty());
        for (const QString& pair : pairs) {
            const QStringList words = pair.split(u' ');
            const QJsonValue expected = memberAt(theirs, words[1]);
            if (!expected.isObject()) {
                compareNumbers(memberAt(ours, words[0]), expected, pair);
                continue;
            }
            const QJsonObject each = expected.toObject();
            QVERIFY2(!each.isEmpty(), qPrintable(pair));
            for (auto it = each.begin(); it != each.end(); ++it) {
                const QJsonValue one = words.size() > 2 ? it->toObject()[words[2]] : *it;
                compareNumbers(memberAt(ours, words[0]).toObject()[it.key()], one, pair + u' ' + it.key());
            }
        }
    }

private:
    QJsonObject expected_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliCacheSharedTest)

#include "cli_cache_shared_test.moc"
