// From what is open to the sources of a study.
#include "app/study/study_sources.h"

#include "app/files/bundled_atlas.h"
#include "app/files/profile_library.h"
#include "app/options/cost_option.h"
#include "core/cost/profile/profile_shelf.h"
#include "core/cost/step/atlas_library.h"

#include <mutex>
#include <utility>

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

struct Shelf {
    std::mutex mutex; ///< charts are exported on workers
    std::shared_ptr<const ProfileShelf> profiles;
};

Shelf& shelf() {
    static Shelf one;
    return one;
}

/// Bundled and saved ones. The same until it is renewed: studies are computed anew with other sources.
std::shared_ptr<const ProfileShelf> profileShelf() {
    const std::scoped_lock lock(shelf().mutex);
    if (!shelf().profiles) {
        ProfileShelf made{bundledProfiles(), openProfile};
        for (std::string& path : savedProfilePaths()) {
            made.names.push_back(std::move(path));
        }
        shelf().profiles = std::make_shared<const ProfileShelf>(std::move(made));
    }
    return shelf().profiles;
}

} // namespace

std::vector<std::string> filesNamedIn(const ask::Study& study, const ask::Question& question) {
    std::vector<std::string> files;
    for (const ask::Field& field : study.fields()) {
        if (field.form.editor == "file") {
            files.push_back(ask::textOf(field, question.data()));
        }
    }
    return files;
}

void renewProfiles() {
    const std::scoped_lock lock(shelf().mutex);
    shelf().profiles.reset();
}

bool readsSessions(const ask::Study& study) {
    return study.needs == ask::Needs::Sessions;
}

ask::Sources sourcesOf(const ask::Study& study, const Scoped& scoped) {
    static const auto atlas = std::make_shared<const AtlasLibrary>(AtlasLibrary{bundledAtlas});
    ask::Sources sources;
    sources.put(atlas);
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
