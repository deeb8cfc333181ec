// Sorts the points of a file by kernel, and puts what is chosen of them together again.
#include "core/cost/import/kernel_import.h"

#include "core/cost/import/import_timings.h"
#include "core/cost/import/named_device.h"
#include "core/cost/import/plausible_times.h"
#include "core/cost/import/read_profile.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace loadline {
namespace {

using PointPlace = std::tuple<Kernel, GemmSize, int, std::int64_t, int>;

PointPlace placeOf(const ProfilePoint& point) {
    return {point.kernel, point.size, point.experts, point.rowsM, point.kBits};
}

/// A point as what its kernel stands for.
ProfilePoint standing(ProfilePoint point, const ImportedKernel& kernel) {
    point.kernel = kernel.kernel;
    point.rowsM = kernel.kernel == Kernel::Dequantise ? 0 : point.rowsM;
    point.name = kernel.name == nameOf(kernel.kernel) ? std::string() : kernel.name;
    return point;
}

/// True if each series has one M at most, so that it may be a kernel whose time does not depend on M.
bool dependsOnNoM(const std::vector<ProfilePoint>& points) {
    std::set<std::tuple<GemmSize, int, int>> series;
    return std::ranges::all_of(points, [&](const ProfilePoint& point) {
        return series.emplace(point.size, point.experts, point.kBits).second;
    });
}

std::vector<Kernel> fitsOf(const ImportedKernel& kernel) {
    std::vector<Kernel> fits;
    for (const Kernel one : profiledKernels) {
        const bool fitsAll = std::ranges::all_of(kernel.points, [one](const ProfilePoint& point) {
            const bool grouped = point.experts > 1;
            const bool serves = specOf(one).serves ? isGrouped(one) == grouped && point.rowsM > 0 : true;
            return serves && readsKBits(one) == (point.kBits != fp16Bits);
        });
        if (one == kernel.kernel || (fitsAll && (specOf(one).serves || dependsOnNoM(kernel.points)))) {
            fits.push_back(one);
        }
    }
    return fits;
}

std::string calledIn(const ImportedKernel& kernel) {
    return kernel.name.empty() ? std::string(nameOf(kernel.kernel)) : kernel.name;
}

template <typename Take>
void eachTaken(const KernelImport& offer, Take take) {
    for (const ImportedKernel& kernel : offer.kernels) {
        if (kernel.taken) {
            take(kernel);
        }
    }
}

/// Points of the base that are gone when the import's are added.
std::string replacedWords(const Profile& base, const Profile& added) {
    const Profile both = withKernelsOf(base, added);
    const std::size_t gone = base.points.size() + added.points.size() - both.points.size();
    return gone == 0 ? std::string()
                     : fmt::format("{} of {} are replaced: the same kernel, shape and k.",
                                   counted(gone, "point"), base.name.empty() ? base.device : base.name);
}

std::string deviceWords(const KernelImport& offer, const Profile* base) {
    const std::string& theirs = offer.head.device;
    if (theirs.empty()) {
        return base != nullptr && !base->hardware.empty()
                   ? fmt::format("The file does not say on which device it was timed: it counts as timed on "
                                 "that of the profile, {}.",
                                 base->hardware)
                   : "The file does not say on which device it was timed: no time is checked against a "
                     "datasheet, and none can be modelled.";
    }
    const std::string chosen =
        offer.fileDevice.empty()
            ? std::string()
            : fmt::format("The file says that it was timed on {}; it counts as timed on {}.",
                          visibleText(offer.fileDevice), visibleText(theirs));
    std::vector<std::string> words = {chosen};
    if (offer.head.hardware.empty()) {
        words.push_back(unknownDeviceText(theirs));
    }
    if (base != nullptr && !base->device.empty() && !isSameDevice(base->device, theirs)) {
        words.push_back(fmt::format("It was timed on {}, the profile on {}: their times are not alike.",
                                    visibleText(theirs), visibleText(base->device)));
    }
    std::erase(words, "");
    return fmt::format("{}", fmt::join(words, " "));
}

bool serves(const DispatchRule& rule, Kernel kernel) {
    const bool part = !specOf(kernel).serves || !readsKBits(kernel); // runs in pairs, or as what is compared
    const std::vector<Kernel> all = candidatesOf(rule, isGrouped(kernel));
    return part || std::ranges::find(all, kernel) != all.end();
}

/// Several devices that rows name, where each row names one; else none.
std::set<std::string> severalDevicesIn(std::string_view text) {
    const bool json = text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
                      text[text.find_first_not_of(" \t\r\n")] == '{';
    std::set<std::string> devices = isKernelCsv(text) ? devicesInCsv(text)
                                    : json            ? devicesInNvbench(text)
                                                      : std::set<std::string>();
    return devices.size() < 2 || devices.contains("") ? std::set<std::string>() : devices;
}

} // namespace

Result<KernelImport> readKernelImport(std::string_view text, const std::string& path,
                                      const MachineIdentity& here, const std::string& device) {
    KernelNames names;
    names.guessed = true;
    const std::set<std::string> devices = severalDevicesIn(text);
    names.device = !device.empty() || devices.empty() ? device : *devices.begin();
    Result<Profile> read = readProfile(text, path, names);
    if (!read) {
        return read.error();
    }
    *read = seenFrom(std::move(*read), here);
    KernelImport offer;
    std::map<std::pair<std::string, Kernel>, std::size_t> known;
    for (ProfilePoint& point : read->points) {
        const auto [place, isNew] = known.try_emplace({point.name, point.kernel}, offer.kernels.size());
        if (isNew) {
            const bool named = !point.name.empty();
            offer.kernels.push_back({.fileName = named ? point.name : std::string(keyOf(point.kernel)),
                                     .name = point.name,
                                     .kernel = point.kernel,
                                     .guessed = named && !profiledKernelFromKey(point.name),
                                     .fits = {},
                                     .points = {}});
        }
        offer.kernels[place->second].points.push_back(std::move(point));
    }
    for (ImportedKernel& kernel : offer.kernels) {
        kernel.fits = fitsOf(kernel);
    }
    offer.head = std::move(*read);
    offer.head.points.clear();
    offer.devices.assign(devices.begin(), devices.end());
    return offer;
}

KernelImport onDevice(KernelImport offer, const std::string& device) {
    const std::string before = offer.head.device;
    if (device.empty() || !takeDevice(offer.head, device)) {
        return offer;
    }
    offer.fileDevice = before;
    offer.chosenDevice = device;
    for (ImportedKernel& kernel : offer.kernels) {
        Profile alone = offer.head;
        alone.points = std::move(kernel.points);
        flagFasterThanDevice(alone);
        kernel.points = std::move(alone.points);
    }
    return offer;
}

std::optional<std::string> problemOf(const KernelImport& offer) {
    std::map<PointPlace, const ImportedKernel*> taken;
    std::optional<std::string> problem;
    eachTaken(offer, [&](const ImportedKernel& kernel) {
        for (const ProfilePoint& point : kernel.points) {
            const ProfilePoint stands = standing(point, kernel);
            const auto [place, isNew] = taken.try_emplace(placeOf(stands), &kernel);
            if (!isNew && !problem) {
                problem = place->second == &kernel
                              ? fmt::format("{} has several times of {}: it cannot stand for {}",
                                            calledIn(kernel), textOf(point.size), nameOf(kernel.kernel))
                              : fmt::format("{} and {} both stand for {} at {}: leave one out, or let it "
                                            "stand for another kernel",
                                            calledIn(*place->second), calledIn(kernel), nameOf(kernel.kernel),
                                            textOf(point.size));
            }
        }
    });
    if (taken.empty()) {
        return "no kernel is taken: choose at least one";
    }
    if (!problem && !offer.chosenDevice.empty()) {
        if (const auto mistake = unitMistakeIn(profileOf(offer), "")) {
            return mistake->what;
        }
    }
    return problem;
}

Profile profileOf(const KernelImport& offer) {
    Profile profile = offer.head;
    eachTaken(offer, [&](const ImportedKernel& kernel) {
        for (const ProfilePoint& point : kernel.points) {
            profile.points.push_back(standing(point, kernel));
        }
    });
    return profile;
}

std::vector<std::string> remarksOf(const KernelImport& offer, const Profile* base, const DispatchRule& rule) {
    std::vector<std::string> remarks;
    const auto say = [&](std::string words) {
        if (!words.empty()) {
            remarks.push_back(std::move(words));
        }
    };
    say(deviceWords(offer, base));
    Profile theirs = offer.head; // on the base's device, where the file names none
    eachTaken(offer, [&](const ImportedKernel& kernel) {
        theirs.points.insert(theirs.points.end(), kernel.points.begin(), kernel.points.end());
    });
    if (base != nullptr && theirs.hardware.empty()) {
        theirs.hardware = base->hardware;
    }
    flagFasterThanDevice(theirs);
    say(fasterThanDeviceText(theirs));
    say(tooLongText(theirs));
    for (std::string& remark : importRemarksOf(theirs)) {
        say(std::move(remark));
    }
    say(assumedErrorText(theirs));
    if (base != nullptr && !problemOf(offer)) {
        say(replacedWords(*base, profileOf(offer)));
    }
    eachTaken(offer, [&](const ImportedKernel& kernel) {
        std::size_t repeated = 0;
        std::map<std::tuple<GemmSize, int, int>, int> points;
        for (const ProfilePoint& point : kernel.points) {
            repeated += point.p25Us.has_value() ? 1 : 0;
            ++points[{point.size, point.experts, point.kBits}];
        }
        const auto single = std::ranges::find(points, 1, [](const auto& one) { return one.second; });
        if (repeated > 0) {
            say(fmt::format("{}: {} with quartiles or several times, drawn as medians.", calledIn(kernel),
                            counted(repeated, "point")));
        }
        if (single != points.end() && specOf(kernel.kernel).serves) {
            say(fmt::format("{}: one M alone at {}; its times at other M are modelled.", calledIn(kernel),
                            textOf(std::get<GemmSize>(single->first))));
        }
        if (!serves(rule, kernel.kernel)) {
            say(fmt::format("{} serves no M by the present rule: Edit kernels by M puts it to work.",
                            calledIn(kernel)));
        }
    });
    return remarks;
}

ImportedReach reachOf(const ImportedKernel& kernel) {
    Profile alone;
    for (const ProfilePoint& point : kernel.points) {
        alone.points.push_back(standing(point, kernel));
    }
    ImportedReach reach;
    reach.shapes = timedShapes(alone);
    reach.kBits = readsKBits(kernel.kernel) ? timedKBits(alone) : std::vector<int>();
    const auto [least, most] = std::ranges::minmax(alone.points, {}, &ProfilePoint::rowsM);
    reach.leastM = least.rowsM;
    reach.mostM = most.rowsM;
    return reach;
}

} // namespace loadline
