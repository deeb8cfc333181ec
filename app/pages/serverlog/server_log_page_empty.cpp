// The words of the Server log page without a log, or with one that is not known.
#include "app/pages/serverlog/log_tiles.h"
#include "app/pages/serverlog/server_log_page.h"
#include "core/serverlog/server_log.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QSplitter>

namespace loadline::app {

void ServerLogPage::showEmpty() {
    lower_->hide();
    tiles_->hide();
    if (following_) {
        frame_->setEmpty(tr("Reading\u2026"));
    } else if (read_ && read_->error) {
        frame_->setEmpty(ui::capitalised(read_->error->sentence()), tr("Open a server's log\u2026"));
    } else if (read_ && read_->log) {
        showUnknown();
    } else if (!files().empty()) {
        frame_->setEmpty(tr("Nothing is read."), tr("Read"));
    } else {
        frame_->setEmpty(tr("Nothing is open. The log of an inference server tells whether it is slow, and "
                            "why: drop one here, or all files of one that was rotated. Known are %1.")
                             .arg(knownServers()),
                         tr("Open a server's log\u2026"));
    }
}

void ServerLogPage::showUnknown() {
    QStringList first;
    for (const std::string& line : read_->log->firstLines) {
        first << ui::lineText(line, 160);
    }
    frame_->setEmpty(tr("No line of it is known. Known are logs of %1. It begins:\n%2")
                         .arg(knownServers(), first.join(u'\n')),
                     tr("Open a server's log\u2026"));
}

void ServerLogPage::mendEmpty() {
    if (!read_ && !files().empty()) {
        workbench().computeAgain(Page::ServerLog);
    } else {
        commands_.open->trigger();
    }
}

} // namespace loadline::app
