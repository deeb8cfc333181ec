// The Evidence dock: one item's exact figures, its place in the file and the raw record.
#pragma once

#include "core/workload/timeline/evidence.h"

#include <QWidget>

#include <string>

class QLabel;
class QScrollArea;
class QStackedWidget;
class QSplitter;
class QToolButton;

namespace loadline::ui {

class ElidedButton;
class RawRecordView;

/// The content that the panel shows for one item.
struct Evidence {
    std::string title; ///< "API call 17, 14:02:11"
    Details details;
    std::string path; ///< of the file that holds the record
    EvidencePlace place;
    bool operator==(const Evidence&) const = default;
};

class EvidencePanel : public QWidget {
    Q_OBJECT

public:
    explicit EvidencePanel(QWidget* parent = nullptr);

    void setEvidence(const Evidence& evidence); ///< asks for the raw record by rawRequested
    void clear(const QString& why = {});        ///< `why`: a sentence above the hint how to get evidence
    /// The record's text, or the sentence that says why there is none. Ignored for another place than shown.
    void setRaw(const EvidencePlace& place, const std::string& text);
    void setRawError(const EvidencePlace& place, const QString& sentence);

signals:
    void rawRequested(const loadline::EvidencePlace& place);
    void openFolderRequested(const QString& path); ///< show this file in the file manager

private:
    void fillDetails();
    void fitDetails();

    Evidence evidence_;
    bool any_ = false;
    bool fitted_ = false; ///< the user chose the heights
    QStackedWidget* stack_;
    QLabel* empty_;
    QWidget* upper_;
    QLabel* title_;
    QScrollArea* scroll_;
    QSplitter* splitter_;
    ElidedButton* place_;
    QToolButton* folder_;
    RawRecordView* raw_;
};

} // namespace loadline::ui
