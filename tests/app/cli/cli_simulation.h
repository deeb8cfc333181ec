// simulate as a process, for tests of its document.
#pragma once

#include "tests/app/cli/cli_process.h"

#include <algorithm>
#include <cmath>

namespace loadline::app {

inline QJsonObject simulated(const QStringList& arguments) {
    const Ended ended = runLoadline(QStringList{"simulate", "--json"} + arguments);
    if (ended.status != 0) {
        qWarning("%s", ended.err.constData());
    }
    return ended.json();
}

/// Verifies that the values differ by at most 1e-9, relative where they are above 1.
inline void near(double value, double expected) {
    QVERIFY2(std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected)),
             qPrintable(QStringLiteral("%1, not %2").arg(value).arg(expected)));
}

} // namespace loadline::app
