// Walks the pages of a window and tells which headlines and sentences are cut, and which strips of facts are
// cut or hide a warning.
#pragma once

#include "tests/app/window_fixture.h"
#include "ui/chart/frame/heading.h"
#include "ui/panel/simulation/fact_strip.h"

#include <QStringList>

namespace made_up {

struct HeadlineWalk {
    QStringList cut;  ///< a line each: the page and what is cut of it
    int headings = 0; ///< that say something
    int strips = 0;
};

/// What a page of long computations says within `patienceMs` is what counts.
inline HeadlineWalk walkHeadlines(const WindowFixture& f, int patienceMs) {
    HeadlineWalk walk;
    for (const loadline::app::Page page : loadline::app::pages()) {
        f.bench().showPage(page);
        (void)QTest::qWaitFor([&] { return f.bench().isSettled() && f.bench().simulation().isSettled(); },
                              patienceMs);
        layOut();
        const auto& view = f.workspace().page(page);
        if (view.frame()->isEmpty() || !view.frame()->drawing()) {
            continue;
        }
        const auto* heading = view.frame()->findChild<loadline::ui::Heading*>();
        walk.headings += heading->answer().first.isEmpty() ? 0 : 1;
        if (!heading->isWhole()) {
            walk.cut << view.accessibleName() + ": " + heading->answer().first + " | " +
                            heading->answer().rest;
        }
        for (const auto* strip : view.findChildren<loadline::ui::FactStrip*>()) {
            walk.strips += strip->isVisible() && !strip->facts().empty() ? 1 : 0;
            if (strip->isVisible() && !strip->isWhole()) {
                walk.cut << view.accessibleName() + ": what this counts: " + strip->accessibleDescription();
            }
        }
    }
    return walk;
}

} // namespace made_up
