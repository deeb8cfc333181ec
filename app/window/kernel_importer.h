// From a file of kernel timings, through a preview, to a profile of one's own: read and drawn in jobs.
#pragma once

#include "app/job/latest_job.h"
#include "app/workbench/workbench.h"
#include "core/cost/import/kernel_import.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>
#include <vector>

namespace loadline::ui {
class ImportDialog;
}

namespace loadline::app {

/// Nothing is added before the dialog is accepted; then it is one step of undo.
class KernelImporter : public QObject {
    Q_OBJECT

public:
    /// `window`: what the dialog belongs to.
    KernelImporter(Workbench& workbench, QWidget& window);

    void askForFile();
    void read(const QString& path);

signals:
    void failed(const loadline::Error& error);
    void said(const QString& words);

private:
    void open();
    void readAgain(const QString& device);
    void preview();
    void add();
    void finish(const QString& path);
    /// Returns the profile chosen in the dialog, to be copied; null: a profile of its own.
    [[nodiscard]] std::shared_ptr<const Profile> base() const;

    Workbench& workbench_;
    QWidget& window_;
    LatestJob reading_{1}, drawing_{1};
    std::optional<KernelImport> offer_; ///< read, not shown yet
    QString file_;
    QPointer<ui::ImportDialog> dialog_;
    std::vector<std::shared_ptr<const Profile>> offered_; ///< as the dialog lists them
    KernelsQuestion wanted_;                              ///< shown when what was accepted has been kept
    std::shared_ptr<const Profile> added_;
    Profile theirs_; ///< of it, what was in the file
    bool used_ = false;
};

} // namespace loadline::app
