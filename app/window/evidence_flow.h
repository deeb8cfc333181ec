// Flow 3: from a pinned item or an odd line to the record on disk, read again in a job.
#pragma once

#include "app/job/latest_job.h"
#include "app/workbench/workbench.h"
#include "ui/panel/evidence/evidence_panel.h"

#include <QObject>

namespace loadline::app {

class EvidenceFlow : public QObject {
    Q_OBJECT

public:
    EvidenceFlow(Workbench& workbench, ui::EvidencePanel& panel);

    /// A line of a file that a diagnostic names.
    void showLine(const QString& path, std::uint64_t line);

signals:
    void shown(); ///< there is something new in the panel

private:
    void follow(const WorkbenchState& state);
    void showPinned();
    void forgetClosed();
    void forgetOtherSession();
    void readRaw(const EvidencePlace& place);

    Workbench& workbench_;
    ui::EvidencePanel& panel_;
    std::optional<PinnedItem> pinned_;
    std::string path_;    ///< of the evidence shown
    std::string session_; ///< of its item; "": a line that was asked for
    std::string sought_;  ///< whose line is being found
    LatestJob finding_, reading_;
};

} // namespace loadline::app
