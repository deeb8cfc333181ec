// Names of the kernels of a profile: by its device, and as its points call them.
#include "core/cost/profile/profile_naming.h"

#include "core/base/file/read_json.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/profile_place.h"
#include "core/text/json/json_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace loadline {
namespace {

constexpr const char* kernelsFact = "kernels";

KernelNaming::Device deviceOf(const Profile* profile) {
    if (profile == nullptr) {
        return KernelNaming::Gpu;
    }
    if (isOfCpu(*profile)) {
        return KernelNaming::Cpu;
    }
    return profile->source == madeUpSource ? KernelNaming::Role : KernelNaming::Gpu;
}

template <typename Which>
KernelNaming namingWhere(const Profile* profile, Which which) {
    KernelNaming naming = deviceOf(profile);
    if (profile == nullptr) {
        return naming;
    }
    std::set<Kernel> unnamed;
    for (const ProfilePoint& point : profile->points) {
        if (!which(point)) {
            continue;
        }
        if (point.name.empty()) {
            unnamed.insert(point.kernel);
        } else {
            naming.given[point.kernel].insert(point.name);
        }
    }
    for (auto& [kernel, names] : naming.given) {
        if (unnamed.contains(kernel)) {
            names.insert("");
        }
    }
    return naming;
}

} // namespace

KernelNaming namingOf(const Profile* profile) {
    return namingWhere(profile, [](const ProfilePoint&) { return true; });
}

KernelNaming namingOf(const Profile* profile, const std::vector<GemmSize>& sizes, int kBits) {
    std::set<Kernel> timed;
    const auto isOfK = [&](const ProfilePoint& point) {
        return !readsKBits(point.kernel) || point.kBits == kBits;
    };
    const auto isHere = [&](const ProfilePoint& point) {
        return isOfK(point) && std::ranges::find(sizes, point.size) != sizes.end();
    };
    if (profile != nullptr) {
        for (const ProfilePoint& point : profile->points) {
            if (isHere(point)) {
                timed.insert(point.kernel);
            }
        }
    }
    return namingWhere(profile, [&](const ProfilePoint& point) {
        return timed.contains(point.kernel) ? isHere(point) : isOfK(point);
    });
}

std::string codeNameOf(Kernel kernel, const Profile& profile) {
    const KernelNaming naming = namingOf(&profile);
    if (naming.given.contains(kernel)) {
        return nameOf(kernel, naming);
    }
    const auto fact = profile.methodFacts.find(kernelsFact);
    if (fact != profile.methodFacts.end()) {
        const std::string name = textOf(jsonFrom(fact->second), keyOf(kernel));
        if (!name.empty()) {
            return name;
        }
    }
    const KernelParts parts = partsOf(kernel);
    if (parts.second) {
        return codeNameOf(parts.first, profile) + ", then " + codeNameOf(*parts.second, profile);
    }
    return nameOf(kernel, naming);
}

std::string codeNameOf(const ProfilePoint& point, const Profile& profile) {
    if (!point.name.empty()) {
        return point.name;
    }
    return point.source.starts_with(importedFrom) ? std::string(nameOf(point.kernel))
                                                  : codeNameOf(point.kernel, profile);
}

} // namespace loadline
