// When devices are listed, profiles read, runs watched and figures made.
#include "app/kernels/kernel_bench.h"

#include "app/files/bundled_atlas.h"
#include "app/options/cost_option.h"
#include "core/base/file/write_file.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/profile/profile_place.h"
#include "core/cost/step/atlas_profile.h"

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

/// Between two figures of a run: points arrive faster than anyone can look.
constexpr int tickMs = 100;

bool isSame(const ProfilePoint& a, const ProfilePoint& b) {
    return a.kernel == b.kernel && a.size == b.size && a.experts == b.experts && a.rowsM == b.rowsM &&
           a.kBits == b.kBits;
}

std::string keyOfDevice(const std::string& device) {
    return std::string(devicePrefix) + device;
}

/// It is not listed, as it is none of this machine's; everybody may try it.
BenchDevice madeUpDevice() {
    BenchDevice device;
    device.key = "made-up";
    device.name = "Made-up device";
    device.madeUp = true;
    return device;
}

/// Whether the profile is one of this very device: of two cards of one name each has its own.
bool isOf(const BenchDevice& device, const Profile& profile) {
    constexpr const char* identity = "identity";
    if (device.name.empty() || profile.device != device.name || hasAddedPoints(profile) ||
        profile.source != (device.madeUp ? madeUpSource : "")) {
        return false;
    }
    const auto mine = device.facts.find(identity);
    const auto theirs = profile.deviceFacts.find(identity);
    return mine == device.facts.end() || theirs == profile.deviceFacts.end() ||
           mine->second == theirs->second;
}

KernelsShown shownOf(const KernelFigureInputs& inputs, const KernelsQuestion& view) {
    KernelsShown shown;
    shown.view = view;
    shown.profile = inputs.profile;
    shown.compared = inputs.compared;
    shown.figure = std::make_shared<const KernelFigure>(kernelFigure(inputs));
    if (const auto surfaces = findAtlasName(view.shown) != nullptr ? bundledAtlas(view.shown) : nullptr) {
        shown.timesToBeat = timesToBeatText(*surfaces, inputs.shape.size);
    }
    return shown;
}

} // namespace

KernelBench::KernelBench(QObject* parent) : QObject(parent) {
    tick_.setSingleShot(true);
    tick_.setInterval(tickMs);
    connect(&tick_, &QTimer::timeout, this, [this] {
        snapshot();
        emit runChanged();
        refresh();
    });
    connect(&job_, &BenchJob::reported, this, &KernelBench::onReported);
    connect(&job_, &BenchJob::ended, this, &KernelBench::onEnded);
    connect(&lister_, &BenchJob::ended, this, [this](BenchEnd end) {
        knowsDevices_ = true;
        devices_ = lister_.run().devices;
        deviceRemarks_ = lister_.run().remarks;
        if (std::ranges::none_of(devices_, &BenchDevice::madeUp)) {
            devices_.push_back(madeUpDevice());
        }
        deviceFailure_ = end == BenchEnd::Complete ? QString() : lister_.why();
        emit listsChanged();
        refresh();
    });
    const auto fail = [this](const Error& error) { emit failed(error); };
    for (LatestJob* job : {&looking_, &writing_, &copying_, &adding_, &loading_, &removing_}) {
        job->onFailure(fail);
    }
    figure_.onFailure(fail);
}

KernelBench::~KernelBench() {
    if (job_.isRunning() && !job_.run().profile.points.empty()) {
        Profile profile = job_.run().profile;
        markCut(profile, "the window was closed");
        (void)saveProfile(profile); // nobody is left to tell when this fails
    }
}

void KernelBench::ask(const KernelsQuestion& view) {
    visible_ = true;
    asked_ = view;
    startLooking();
    refresh();
}

void KernelBench::rest() {
    visible_ = false;
}

void KernelBench::startLooking() {
    knowProfiles();
    if (!std::exchange(looked_, true) && !lister_.isRunning()) {
        lister_.listDevices();
    }
}

void KernelBench::knowProfiles() {
    if (!std::exchange(lookedForProfiles_, true)) {
        lookForProfiles();
    }
}

void KernelBench::lookForProfiles() {
    struct Found {
        std::vector<SavedProfile> saved, published;
    };

    looking_.start(
        this,
        [known = published_](std::stop_token) {
            Found found{savedProfiles(), known}; // those that are bundled stay as they are
            for (const std::string& name : known.empty() ? bundledProfiles() : std::vector<std::string>()) {
                if (const Result<TimesChoice> times = resolveTimes(name); times && times->profile) {
                    found.published.push_back({name, times->profile});
                }
            }
            return found;
        },
        [this](Found found) {
            saved_ = std::move(found.saved);
            published_ = std::move(found.published);
            knowsSaved_ = true;
            emit listsChanged();
            refresh();
        });
}

bool KernelBench::isSettled() const {
    return !visible_ ||
           (knowsSaved_ && !looking_.isRunning() && !loading_.isRunning() && !writing_.isRunning() &&
            !copying_.isRunning() && !adding_.isRunning() && !figure_.isRunning() && !lister_.isRunning());
}

/// Returns the newest saved profile of the device with this key; null if there is none.
const SavedProfile* KernelBench::newestOf(const std::string& key) const {
    const auto device = std::ranges::find(devices_, key, &BenchDevice::key);
    if (device == devices_.end()) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(
        saved_, [&](const SavedProfile& saved) { return isOf(*device, *saved.profile); });
    return found == saved_.end() ? nullptr : &*found;
}

std::shared_ptr<const Profile> KernelBench::profileOf(const std::string& key) const {
    if (isDevice(key)) {
        const std::string device = key.substr(devicePrefix.size());
        if (device == measured_ && measuredProfile_ && !measuredProfile_->points.empty()) {
            return measuredProfile_;
        }
        const SavedProfile* const newest = newestOf(device);
        return newest != nullptr ? newest->profile : nullptr;
    }
    for (const std::vector<SavedProfile>* list : {&saved_, &published_}) {
        const auto found = std::ranges::find(*list, key, &SavedProfile::path);
        if (found != list->end()) {
            return found->profile;
        }
    }
    const auto known = opened_.find(key);
    return known == opened_.end() ? nullptr : known->second;
}

std::string KernelBench::profileNameOf(const std::string& key) const {
    if (!isDevice(key)) {
        return key;
    }
    const std::string device = key.substr(devicePrefix.size());
    if (device == measured_ && (job_.isRunning() || (outcome_ && outcome_->points > 0))) {
        return outcome_ ? outcome_->path : "";
    }
    const SavedProfile* const newest = newestOf(device);
    return newest != nullptr ? newest->path : "";
}

/// Whether it is being read now.
bool KernelBench::load(const std::string& key) {
    if (key.empty() || isDevice(key) || !knowsSaved_ || profileOf(key) || unreadable_.contains(key)) {
        return false;
    }
    if (loading_.isRunning()) {
        return true; // asked for again when that one has arrived
    }
    loading_.start(
        this, [key](std::stop_token) { return resolveTimes(key); },
        [this, key](const Result<TimesChoice>& times) {
            if (!times) {
                unreadable_.insert_or_assign(key, times.error());
            } else if (!times->profile) {
                unreadable_.insert_or_assign(
                    key, Error{"a roofline has no points to show", key, "a profile that was measured"});
            } else {
                opened_.insert_or_assign(key, times->profile);
            }
            emit listsChanged();
            refresh();
        });
    return true;
}

void KernelBench::forget(const std::string& path) {
    opened_.erase(path);
    unreadable_.erase(path);
    refresh();
}

void KernelBench::refresh() {
    if (!visible_ || !asked_ || !knowsSaved_ || (isDevice(asked_->shown) && !knowsDevices_)) {
        return;
    }
    if (load(asked_->shown) || load(asked_->compared)) {
        return;
    }
    KernelsShown shown;
    shown.view = *asked_;
    for (const std::string& key : {asked_->shown, asked_->compared}) {
        if (const auto bad = unreadable_.find(key); bad != unreadable_.end()) {
            shown.error = bad->second;
            take(std::make_shared<const KernelsShown>(std::move(shown)));
            return;
        }
    }
    shown.profile = profileOf(asked_->shown);
    if (!shown.profile || shown.profile->points.empty()) {
        take(std::make_shared<const KernelsShown>(std::move(shown)));
        return;
    }
    FigureKey key;
    key.view = *asked_;
    key.inputs.profile = shown.profile;
    key.inputs.compared = profileOf(asked_->compared);
    key.inputs.shape = *shapeShown(*shown.profile, asked_->shape);
    key.inputs.kBits = asked_->kBits;
    figure_.request(
        this, std::move(key), [](const FigureKey& k, std::stop_token) { return shownOf(k.inputs, k.view); },
        [this](const ShownKernels& made) { take(made); });
    if (!figure_.isRunning() && figure_.value()) {
        take(figure_.value());
    }
}

void KernelBench::take(ShownKernels shown) {
    if (shown == shown_) {
        return;
    }
    shown_ = std::move(shown);
    emit shownChanged(shown_);
}

void KernelBench::measure(const std::string& device, const BenchRequest& choice) {
    if (job_.isRunning()) {
        return;
    }
    BenchRequest request = choice;
    request.device = device;
    cancelling_ = false;
    measured_ = device;
    measuredProfile_.reset();
    outcome_.reset();
    job_.start(request);
    emit runChanged();
    emit listsChanged();
    refresh();
}

void KernelBench::cancel() {
    cancelling_ = true;
    job_.cancel();
    emit runChanged();
}

void KernelBench::onReported() {
    if (!tick_.isActive()) {
        tick_.start();
    }
}

void KernelBench::snapshot() {
    measuredProfile_ = std::make_shared<const Profile>(job_.run().profile);
}

void KernelBench::onEnded(BenchEnd end) {
    tick_.stop();
    snapshot();
    RunOutcome outcome;
    outcome.end = end;
    outcome.device = measured_;
    outcome.why = job_.why();
    outcome.points = measuredProfile_->points.size();
    outcome_ = outcome;
    emit runChanged();
    emit runEnded();
    emit listsChanged();
    refresh();
    if (outcome.points == 0) {
        return;
    }
    writing_.start(
        this, [profile = measuredProfile_](std::stop_token) { return saveProfile(*profile); },
        [this](const Result<std::string>& path) {
            if (path) {
                lookForProfiles();
            }
            if (!outcome_) { // another run has begun
                return;
            }
            if (path) {
                outcome_->path = *path;
            } else {
                outcome_->notSaved = path.error();
            }
            emit runEnded();
        });
}

const BenchPoint* KernelBench::samplesOf(const std::string& key, const ProfilePoint& point) const {
    if (key != keyOfDevice(measured_) && (!outcome_ || outcome_->path.empty() || key != outcome_->path)) {
        return nullptr;
    }
    const auto& points = job_.run().points;
    const auto found =
        std::ranges::find_if(points, [&](const BenchPoint& one) { return isSame(one.point, point); });
    return found == points.end() ? nullptr : &*found;
}

void KernelBench::saveAs(const std::string& key, const QString& path) {
    const std::shared_ptr<const Profile> profile = profileOf(key);
    if (!profile) {
        return;
    }
    copying_.start(
        this,
        [profile, file = path.toStdString()](std::stop_token) { return writeFile(file, toJson(*profile)); },
        [this, path](const Status& status) {
            if (status) {
                emit savedAs(path);
            } else {
                emit failed(status.error());
            }
        });
}

void KernelBench::add(const std::shared_ptr<const Profile>& profile) {
    adding_.start(
        this,
        [profile](std::stop_token) {
            Result<std::string> path = saveProfile(*profile);
            return std::pair(std::move(path), savedProfiles());
        },
        [this](std::pair<Result<std::string>, std::vector<SavedProfile>> kept) {
            if (!kept.first) {
                emit failed(kept.first.error());
                return;
            }
            looking_.stop(); // what it finds is older
            saved_ = std::move(kept.second);
            emit listsChanged();
            emit added(QString::fromStdString(*kept.first));
        });
}

void KernelBench::remove(const std::string& path) {
    removing_.start(
        this, [path](std::stop_token) { return removeProfile(path); },
        [this, path](const Status& status) {
            if (!status) {
                emit failed(status.error());
            } else if (outcome_ && outcome_->path == path) {
                outcome_->path.clear();
            }
            lookForProfiles();
        });
}

} // namespace loadline::app
