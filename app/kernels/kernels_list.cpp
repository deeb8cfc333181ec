// Words of the Kernels page's list for each device and profile.
#include "app/kernels/kernels_list.h"

#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/bench_run.h"

#include <QFileInfo>
#include <QObject>

#include <algorithm>

namespace loadline::app {
namespace {

using ui::ProfileEntry;
using ui::ProfileMark;

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

ProfileMark markOf(const Profile& profile) {
    return profile.source.empty()           ? ProfileMark::Here
           : profile.source == madeUpSource ? ProfileMark::MadeUp
           : isUnvalidated(profile)         ? ProfileMark::Modelled
                                            : ProfileMark::Elsewhere;
}

ProfileEntry heading(const QString& name) {
    return {{}, name, {}, {}, ProfileMark::Nothing, false};
}

ProfileEntry entryOf(const SavedProfile& saved) {
    const Profile& profile = *saved.profile;
    ProfileEntry entry;
    entry.key = text(saved.path);
    entry.name = nameOf(profile, saved.path);
    entry.note = describe(profile);
    entry.mark = markOf(profile);
    QStringList lines{entry.name, text(profile.device), text(profile.method),
                      profile.source.empty() ? QObject::tr("Measured on this machine")
                                             : text(profile.source)};
    if (const std::string cut = cutOf(profile); !cut.empty()) {
        lines << QObject::tr("Not complete: %1").arg(text(cut));
    }
    lines << text(saved.path);
    lines.removeAll(QString());
    lines.removeDuplicates();
    entry.toolTip = lines.join(u'\n');
    return entry;
}

ProfileEntry entryOf(const BenchDevice& device, const KernelBench& kernels) {
    ProfileEntry entry;
    entry.key = text(std::string(devicePrefix) + device.key);
    entry.name = device.key == "host" ? QObject::tr("This CPU") : text(device.name);
    entry.toolTip = text(device.name);
    const auto profile = kernels.profileOf(entry.key.toStdString());
    if (kernels.isMeasuring() && kernels.measured() == device.key) {
        const BenchProgress& now = kernels.run().progress;
        entry.mark = ProfileMark::Running;
        entry.note = now.total == 0 ? QObject::tr("being measured")
                                    : QObject::tr("being measured, %1 of %2").arg(now.done).arg(now.total);
    } else if (profile) {
        entry.mark = device.madeUp ? ProfileMark::MadeUp : ProfileMark::Here;
        entry.note = QObject::tr("measured: %1").arg(describe(*profile));
    } else if (!device.unavailable.empty()) {
        entry.unavailable = true;
        entry.note = text(device.unavailable);
        entry.toolTip += u'\n' + entry.note;
    } else {
        entry.note = device.madeUp ? QObject::tr("invented figures, to try the page")
                                   : QObject::tr("not measured yet");
        if (device.key == "host") {
            entry.note = QObject::tr("not measured yet: %1").arg(text(device.name));
        }
    }
    return entry;
}

ProfileEntry entryOf(const GpuFacts& gpu) {
    ProfileEntry entry;
    entry.key = text(modelNameOf(gpu));
    entry.name = QObject::tr("Model of %1").arg(text(std::string(gpu.hardware)));
    entry.note = QObject::tr("calculated, unvalidated");
    entry.toolTip =
        QObject::tr("%1\nLoadline's CUDA kernels by their instruction counts and the datasheet. No "
                    "measured GPU was compared; there is no error bar.\n%2")
            .arg(text(std::string(gpu.name)), text(std::string(gpu.source)));
    entry.mark = ProfileMark::Modelled;
    return entry;
}

ProfileEntry entryOf(const AtlasName& gpu) {
    ProfileEntry entry;
    entry.key = text(std::string(gpu.key));
    entry.name = text(std::string(gpu.hardware));
    entry.note = QObject::tr("linear layers, measured by others");
    entry.toolTip = QObject::tr("%1\nvLLM's linear layers in bf16 and, where somebody measured them, 4-bit "
                                "weights of TensorRT-LLM. `loadline bench --list` tells the origin.")
                        .arg(text(std::string(gpu.device)));
    entry.mark = ProfileMark::Elsewhere;
    return entry;
}

/// A line that cannot be chosen, with the reasons.
ProfileEntry noGpu(const std::vector<std::string>& remarks) {
    ProfileEntry entry;
    entry.key = "no-gpu";
    entry.name = QObject::tr("No GPU");
    entry.note = text(remarks.front());
    entry.unavailable = true;
    QStringList lines;
    for (const std::string& remark : remarks) {
        lines << text(remark);
    }
    entry.toolTip = lines.join(u'\n');
    return entry;
}

/// Returns the files that were opened beside the lists, without chosen models and GPUs of the atlas, which
/// are no files.
std::vector<SavedProfile> openedFiles(const KernelBench& kernels) {
    std::vector<SavedProfile> files;
    for (const auto& [path, profile] : kernels.opened()) {
        if (!isModelName(path) && findAtlasName(path) == nullptr) {
            files.push_back({path, profile});
        }
    }
    return files;
}

} // namespace

QString describe(const Profile& profile) {
    QString words = QObject::tr("%1 points").arg(profile.points.size());
    if (!profile.date.empty()) {
        words += ", " + text(profile.date).left(16).replace('T', ' ');
    }
    if (!cutOf(profile).empty()) {
        words += QObject::tr(", not complete");
    }
    return words;
}

QString nameOf(const Profile& profile, const std::string& path) {
    const std::string label = labelOf(profile);
    return label.empty() ? QFileInfo(text(path)).completeBaseName() : text(label);
}

std::vector<SavedProfile> knownProfiles(const KernelBench& kernels) {
    std::vector<SavedProfile> all = kernels.saved();
    for (const auto& more : {kernels.published(), openedFiles(kernels)}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

QString datedNameOf(const SavedProfile& saved) {
    const QString day = text(saved.profile->date).left(10);
    const QString name = nameOf(*saved.profile, saved.path);
    return day.isEmpty() || name.contains(day) ? name : QStringLiteral("%1, %2").arg(name, day);
}

void offerProfiles(std::vector<ui::NamedChoice>& choices, const KernelBench& kernels) {
    std::vector<SavedProfile> profiles = kernels.saved();
    for (const SavedProfile& opened : openedFiles(kernels)) {
        profiles.push_back(opened);
    }
    std::vector<ui::NamedChoice> offered;
    for (const SavedProfile& saved : profiles) {
        const ProfileEntry entry = entryOf(saved);
        const QString day = text(saved.profile->date).left(10);
        const QString place = entry.mark == ProfileMark::Here       ? QObject::tr("here")
                              : entry.mark == ProfileMark::MadeUp   ? QObject::tr("made up")
                              : entry.mark == ProfileMark::Modelled ? QObject::tr("unvalidated")
                                                                    : QObject::tr("elsewhere");
        offered.push_back({saved.path,
                           QStringLiteral("%1, %2 %3").arg(entry.name, place, day).trimmed(),
                           entry.toolTip + u'\n' + entry.note,
                           {}});
    }
    choices.insert(choices.begin(), offered.begin(), offered.end());
}

std::vector<ProfileEntry> profileEntries(const KernelBench& kernels) {
    std::vector<ProfileEntry> entries{heading(QObject::tr("This machine"))};
    bool gpu = false;
    for (const BenchDevice& device : kernels.devices()) {
        if (!device.madeUp) {
            entries.push_back(entryOf(device, kernels));
            gpu = gpu || device.key != "host";
        }
    }
    if (!gpu && !kernels.deviceRemarks().empty()) {
        entries.push_back(noGpu(kernels.deviceRemarks()));
    }
    const auto add = [&](const QString& title, const std::vector<SavedProfile>& list) {
        if (!list.empty()) {
            entries.push_back(heading(title));
        }
        for (const SavedProfile& saved : list) {
            entries.push_back(entryOf(saved));
        }
    };
    std::vector<SavedProfile> measured;
    std::vector<SavedProfile> elsewhere;
    std::vector<SavedProfile> invented;
    for (const SavedProfile& saved : kernels.saved()) {
        const ProfileMark mark = markOf(*saved.profile);
        (mark == ProfileMark::Here     ? measured
         : mark == ProfileMark::MadeUp ? invented
                                       : elsewhere)
            .push_back(saved);
    }
    add(QObject::tr("Measured here"), measured);
    add(QObject::tr("From other machines"), elsewhere);
    add(QObject::tr("Published"), kernels.published());
    add(QObject::tr("Opened files"), openedFiles(kernels));
    entries.push_back(heading(QObject::tr("GPUs that others measured")));
    for (const AtlasName& name : atlasNames()) {
        entries.push_back(entryOf(name));
    }
    entries.push_back(heading(QObject::tr("GPUs by the model of our kernels")));
    for (const GpuFacts& modelled : gpuTable()) {
        entries.push_back(entryOf(modelled));
    }
    entries.push_back(heading(QObject::tr("To try the page")));
    for (const BenchDevice& device : kernels.devices()) {
        if (device.madeUp) {
            entries.push_back(entryOf(device, kernels));
        }
    }
    for (const SavedProfile& saved : invented) {
        entries.push_back(entryOf(saved));
    }
    return entries;
}

} // namespace loadline::app
