// From what is open to the sources of a study.
#include "app/study/study_sources.h"

namespace loadline::app {

bool readsSessions(const ask::Study& study) {
    return study.needs == ask::Needs::Sessions;
}

ask::Sources sourcesOf(const ask::Study& study, const Scoped& scoped) {
    ask::Sources sources;
    if (readsSessions(study) && scoped) {
        sources.put(scoped->corpus);
        sources.put(std::shared_ptr<const Selection>(scoped, &scoped->selection));
    }
    return sources;
}

} // namespace loadline::app
