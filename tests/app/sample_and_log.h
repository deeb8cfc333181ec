// A window on the sample and a server's log: every page but the self-check has something to show.
#pragma once

#include "app/files/sample.h"
#include "tests/app/made_up_server_logs.h"
#include "tests/app/window_fixture.h"

namespace made_up {

inline bool openSampleAndLog(const WindowFixture& f) {
    const auto sample = loadline::app::sampleFolder();
    const QString log = f.folder.filePath("vllm.log");
    QFile file(log);
    if (!sample || !f.open(QString::fromStdString(*sample)) || !file.open(QIODevice::WriteOnly)) {
        return false;
    }
    file.write(vllmLog(60));
    file.close();
    f.window->openPaths({log});
    return true;
}

} // namespace made_up
