// The Diagnostics dock: what was odd in which file.
#pragma once

#include "core/session/corpus.h"

#include <QWidget>

#include <memory>

namespace loadline::ui {

class DiagnosticsPanel : public QWidget {
    Q_OBJECT

public:
    explicit DiagnosticsPanel(QWidget* parent = nullptr);

    void setCorpus(std::shared_ptr<const Corpus> corpus);
    void setFilter(const QString& text);          ///< in path, kind and detail; a path shows one file
    [[nodiscard]] std::uint64_t oddities() const; ///< all, each counted as often as it occurred

signals:
    void placeActivated(const QString& path, qulonglong line); ///< line 0: the whole file
    void openFolderRequested(const QString& path);             ///< show this file in the file manager
};

} // namespace loadline::ui
