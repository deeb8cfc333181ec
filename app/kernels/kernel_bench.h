// Behind the Kernels page: devices, saved profiles, the run in its child process, the figure shown.
#pragma once

#include "app/files/profile_library.h"
#include "app/job/figure_job.h"
#include "app/kernels/bench_job.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/study/kernels_question.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadline::app {

/// The content of the Kernels page.
struct KernelsShown {
    KernelsQuestion view;
    std::shared_ptr<const KernelFigure> figure; ///< null: there is no profile to show, or it has no points
    std::shared_ptr<const Profile> profile, compared;
    std::optional<Error> error; ///< a profile that cannot be read
    /// A sentence on the times that a kernel for k = 4 must stay below, for a GPU that others measured.
    std::string timesToBeat = {};
};

using ShownKernels = std::shared_ptr<const KernelsShown>;

/// How the last run in this window ended.
struct RunOutcome {
    BenchEnd end = BenchEnd::Complete;
    std::string device; ///< key
    QString why;        ///< empty where it is complete
    std::size_t points = 0;
    std::string path; ///< of the saved profile; empty while it is written, or where there is none
    std::optional<Error> notSaved;
};

/// All state of measuring. Everything is on the owner's thread; files are read and written in jobs.
class KernelBench : public QObject {
    Q_OBJECT

public:
    explicit KernelBench(QObject* parent = nullptr);
    ~KernelBench() override;

    /// Sets the question of the visible page; the first call also looks for devices and profiles.
    void ask(const KernelsQuestion& view);
    /// Looks for saved profiles, once: simulations offer them before the page was ever visible.
    void knowProfiles();
    /// The page is not visible: a run goes on, figures are not made.
    void rest();

    /// Whether everything asked for has arrived (a run may be under way).
    [[nodiscard]] bool isSettled() const;

    [[nodiscard]] const std::vector<BenchDevice>& devices() const { return devices_; }

    /// Returns what is missing on this machine, in sentences.
    [[nodiscard]] const std::vector<std::string>& deviceRemarks() const { return deviceRemarks_; }

    /// Whether the list of devices has arrived, or why it could not.
    [[nodiscard]] bool knowsDevices() const { return knowsDevices_; }

    [[nodiscard]] const QString& deviceFailure() const { return deviceFailure_; }

    /// Whether the lists of profiles have arrived.
    [[nodiscard]] bool knowsProfiles() const { return knowsSaved_; }

    [[nodiscard]] const std::vector<SavedProfile>& saved() const { return saved_; }

    /// The bundled ones; their path is their name.
    [[nodiscard]] const std::vector<SavedProfile>& published() const { return published_; }

    /// Files that were opened beside those, by path.
    [[nodiscard]] const std::map<std::string, std::shared_ptr<const Profile>>& opened() const {
        return opened_;
    }

    [[nodiscard]] const ShownKernels& shown() const { return shown_; }

    /// Returns the word that --profile would take: the saved file of a device's newest profile, a bundled
    /// name, a path. Empty if there is none yet (nothing measured, or a run that has not ended).
    [[nodiscard]] std::string profileNameOf(const std::string& key) const;
    /// The profile behind a key, as far as it is known; null where it is not.
    [[nodiscard]] std::shared_ptr<const Profile> profileOf(const std::string& key) const;

    // The run.
    void measure(const std::string& device, const BenchRequest& choice);
    void cancel();

    [[nodiscard]] bool isMeasuring() const { return job_.isRunning(); }

    /// cancel() was called, the child has not ended yet.
    [[nodiscard]] bool isCancelling() const { return job_.isRunning() && cancelling_; }

    /// Key of the device that is, or was last, measured in this window; empty: none.
    [[nodiscard]] const std::string& measured() const { return measured_; }

    [[nodiscard]] const BenchRun& run() const { return job_.run(); }

    [[nodiscard]] const std::optional<RunOutcome>& outcome() const { return outcome_; }

    /// The samples of a point of the last run; null where it is from somewhere else.
    [[nodiscard]] const BenchPoint* samplesOf(const std::string& key, const ProfilePoint& point) const;

    /// Another file than when it was last opened: it is read again when it is asked for.
    void forget(const std::string& path);
    /// Looks again at the folder of profiles.
    void lookForProfiles();
    /// Writes the profile behind a key to another file.
    void saveAs(const std::string& key, const QString& path);
    /// Keeps a profile among those of the user; `added` or `failed` follows.
    void add(const std::shared_ptr<const Profile>& profile);
    /// Moves a saved profile to the trash.
    void remove(const std::string& path);

    /// For tests: the child's program, and how long it may be silent or take to obey.
    [[nodiscard]] BenchJob& job() { return job_; }

    [[nodiscard]] BenchJob& lister() { return lister_; }

signals:
    void listsChanged(); ///< devices or profiles
    void runChanged();   ///< progress; at most ten times a second
    void runEnded();     ///< see outcome(); again when it has been saved
    void shownChanged(const loadline::app::ShownKernels& shown);
    void savedAs(const QString& path);
    void added(const QString& path);
    void failed(const loadline::Error& error);

private:
    struct FigureKey {
        KernelFigureInputs inputs;
        KernelsQuestion view;
        bool operator==(const FigureKey&) const = default;
    };

    void startLooking();
    void refresh();
    bool load(const std::string& key);
    void take(ShownKernels shown);
    void onReported();
    void onEnded(BenchEnd end);
    void snapshot();
    [[nodiscard]] const SavedProfile* newestOf(const std::string& device) const;

    bool looked_ = false;
    bool lookedForProfiles_ = false;
    bool visible_ = false;
    std::optional<KernelsQuestion> asked_;

    BenchJob job_, lister_;
    std::vector<BenchDevice> devices_;
    std::vector<std::string> deviceRemarks_;
    bool knowsDevices_ = false;
    QString deviceFailure_;

    LatestJob looking_{1}, writing_{1}, copying_{1}, adding_{1}, loading_{1}, removing_{1};
    std::vector<SavedProfile> saved_, published_;
    bool knowsSaved_ = false;
    std::map<std::string, std::shared_ptr<const Profile>> opened_;
    std::map<std::string, Error> unreadable_;

    bool cancelling_ = false;
    std::string measured_;
    std::shared_ptr<const Profile> measuredProfile_; ///< the last run's points so far
    std::optional<RunOutcome> outcome_;
    QTimer tick_;

    FigureJob<FigureKey, KernelsShown> figure_;
    ShownKernels shown_;
};

} // namespace loadline::app
