// The measured servers among the program's resources.
#include "app/files/bundled_servers.h"

#include "core/serving/nearest_servers.h"

#include <QTemporaryFile>
#include <QTest>

#include <thread>
#include <vector>

namespace loadline::app {

class BundledServersTest : public QObject {
    Q_OBJECT

private slots:
    void comeWithTheProgram() {
        std::vector<const BundledServers*> seen(4);
        std::vector<std::thread> threads;
        for (const BundledServers*& one : seen) {
            threads.emplace_back([&one] { one = &bundledServers(); });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        for (const BundledServers* const one : seen) {
            QCOMPARE(one, seen.front());
        }
        QVERIFY2(seen.front()->problem.empty(), seen.front()->problem.c_str());
        const JudgedServers& list = seen.front()->list;
        QVERIFY(list.servers.size() > 300);
        QVERIFY(list.diagnostics.empty());
        QVERIFY(nearestServers(list.servers, list.servers.front().at).n > 0);
    }

    void whatIsNoListIsAProblem() {
        const BundledServers missing = serversIn(QStringLiteral(":/serving/nothing.csv"));
        QVERIFY(missing.list.servers.empty());
        QVERIFY(missing.problem.find("missing") != std::string::npos);
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write("# source: somebody\ngpu,model\n");
        file.close();
        const BundledServers damaged = serversIn(file.fileName());
        QVERIFY(damaged.list.servers.empty());
        QVERIFY(damaged.problem.find("no column") != std::string::npos);
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::BundledServersTest)
#include "bundled_servers_test.moc"
