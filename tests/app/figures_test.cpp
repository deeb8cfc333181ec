// Figures of sessions that share calls: who used most, and of what a range is a share.
#include "app/asked/figures.h"

#include "tests/core/session_builder.h"

#include <QTest>

using namespace loadline;
using namespace loadline::app;
using test::SessionBuilder;
using test::used;

namespace {

/// "one" with two calls, the first by haiku; "two" begins with copies of both and adds two of its own.
std::shared_ptr<const Corpus> originalAndFork() {
    SessionBuilder original("p/one.jsonl", "one");
    SessionBuilder fork("p/two.jsonl", "two");
    for (SessionBuilder* session : {&original, &fork}) {
        session->prompt(1).call("m1", 2, used(1000, 0, 0, 0), "haiku").call("m2", 30, used(3000, 0, 0, 0));
    }
    fork.prompt(50).call("m3", 60, used(500, 0, 0, 0), "haiku").call("m4", 90, used(1500, 0, 0, 0));
    return std::make_shared<const Corpus>(test::corpusOf({original, fork}));
}

Scoped scopedTo(const Scope& scope) {
    return std::make_shared<const ScopedCorpus>(scopedCorpus(originalAndFork(), scope, TurnMethod::ApiCall));
}

/// Over the part of a session between two moments.
std::string headline(const Scope& scope, const std::string& id, int from, int to) {
    const Scoped scoped = scopedTo(scope);
    for (const Session& session : scoped->corpus->sessions) {
        if (session.sessionId == id) {
            const auto timeline = timelineOf(scoped, session.key, {}).timeline;
            const TimelineScale scale(*timeline, TimelineAxis::WallClock);
            const ui::TimelineView view{TimelineAxis::WallClock, scale.unitsAt(SessionBuilder::at(from)),
                                        scale.unitsAt(SessionBuilder::at(to))};
            return selectionOf({scoped, timeline, view, std::nullopt}, {}).sentence;
        }
    }
    return {};
}

} // namespace

class FiguresTest : public QObject {
    Q_OBJECT

private slots:
    void inheritedCallsMakeNoSessionTheLargest();
    void aRangeSaysOfWhatItIsAShare();
};

void FiguresTest::inheritedCallsMakeNoSessionTheLargest() {
    const auto shown = [](const Scope& scope) {
        const Scoped scoped = scopedTo(scope);
        return scoped->corpus->sessions[sessionShown(*scoped, "").value()].sessionId;
    };
    QCOMPARE(shown({}), std::string("one"));
    Scope scope;
    scope.from = SessionBuilder::at(40);
    QCOMPARE(shown(scope), std::string("two"));
    const auto overview = overviewOf(scopedTo({}), {});
    QVERIFY(overview.drawing->sentence().contains("66.7 % (4 k tokens)"));
}

void FiguresTest::aRangeSaysOfWhatItIsAShare() {
    const auto holds = [](const std::string& sentence, const char* words) {
        return sentence.find(words) != std::string::npos;
    };
    const std::string part = headline({}, "one", 20, 30);
    QVERIFY2(holds(part, "holds 1 API call that processed 3 k tokens, 75.0 % of the session's 4 k;"),
             part.c_str());
    const std::string own = headline({}, "two", 70, 90);
    QVERIFY2(holds(own, "1.5 k tokens, 75.0 % of the session's own 2 k;"), own.c_str());
    Scope scope;
    scope.to = SessionBuilder::at(70);
    const std::string selected = headline(scope, "one", 20, 30);
    QVERIFY2(holds(selected, "3 k tokens, 75.0 % of the session's 4 k;"), selected.c_str());
    scope.models = {"haiku"};
    const std::string all = headline(scope, "two", 55, 70);
    QVERIFY2(holds(all, "holds 1 API call that processed 500 tokens; "), all.c_str());
    scope = {};
    scope.from = SessionBuilder::at(20);
    const std::string dated = headline(scope, "two", 70, 90);
    QVERIFY2(holds(dated, "1.5 k tokens, 75.0 % of the selected 2 k;"), dated.c_str());
}

QTEST_MAIN(FiguresTest)
#include "figures_test.moc"
