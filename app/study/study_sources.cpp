// From what is open to the sources of a study.
#include "app/study/study_sources.h"

#include "app/files/profile_library.h"
#include "app/options/cost_option.h"
#include "core/cost/profile/profile_shelf.h"

#include <filesystem>
#include <system_error>

namespace loadline::app {
namespace {

Result<std::shared_ptr<const Profile>> openProfile(const std::string& name) {
    const Result<TimesChoice> times = resolveTimes(name);
    if (!times) {
        return times.error();
    }
    if (times->profile == nullptr) {
        return Error{"a roofline has no points to compare", name, "a profile file, or rtx4090-published"};
    }
    return times->profile;
}

/// Bundled and saved ones; read once, as studies are computed anew when their sources are others.
std::shared_ptr<const ProfileShelf> profileShelf() {
    static const auto shelf = [] {
        auto made = std::make_shared<ProfileShelf>(ProfileShelf{bundledProfiles(), openProfile});
        std::error_code failed;
        for (const auto& file : std::filesystem::directory_iterator(profileFolder(), failed)) {
            if (file.path().extension() == ".json") {
                made->names.push_back(file.path().string());
            }
        }
        return made;
    }();
    return shelf;
}

} // namespace

bool readsSessions(const ask::Study& study) {
    return study.needs == ask::Needs::Sessions;
}

ask::Sources sourcesOf(const ask::Study& study, const Scoped& scoped) {
    ask::Sources sources;
    if (readsSessions(study) && scoped) {
        sources.put(scoped->corpus);
        sources.put(std::shared_ptr<const Selection>(scoped, &scoped->selection));
    }
    if (study.needs == ask::Needs::Profile) {
        sources.put(profileShelf());
    }
    return sources;
}

} // namespace loadline::app
