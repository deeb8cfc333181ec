// The form, and the words of a page without a log, or with one that is not known.
#include "app/asked/asked.h"
#include "app/chart/log_chart.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "app/pages/serverlog/log_tiles.h"
#include "app/pages/serverlog/server_log_page.h"
#include "core/cache/split/cache_model.h"
#include "core/cost/device/hardware.h"
#include "core/serverlog/server_log.h"
#include "ui/form/field_form.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/serverlog/finding_list.h"
#include "ui/panel/serverlog/raw_log_view.h"
#include "ui/theme/boxes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadline::app {
namespace {

/// The first entry of a list: as the log says.
ui::NamedChoice autoEntry(const QString& found) {
    return {"",
            found.isEmpty() ? QObject::tr("auto: not told")
                            : QObject::tr("auto: %1").arg(ui::lineText(found, 60)),
            {},
            {}};
}

} // namespace

/// `model`, `device`: what the open ones came to.
void ServerLogPage::showForm(const QString& model, const QString& device) {
    std::vector<ui::NamedChoice> models{autoEntry(model)};
    for (const CacheModel& one : cacheModels()) {
        models.push_back({std::string(one.key), ui::fromUtf8(one.key), ui::fromUtf8(one.source), {}});
    }
    std::vector<ui::NamedChoice> devices{autoEntry(device)};
    for (const Hardware& one : hardwareTable()) {
        devices.push_back(
            {one.key,
             QString::fromStdString(one.key),
             tr("%1 GB/s (%2)").arg(ui::realText(one.bandwidthGbS), QString::fromStdString(one.source)),
             {}});
    }
    panel_->setSources({}, {{"log-model", std::move(models)}, {"log-device", std::move(devices)}});
}

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
