// The profiles of kernel times that a study can name.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadline {

/// A source of studies (ask::Needs::Profile): profiles by name.
struct ProfileShelf {
    std::vector<std::string> names; ///< those that lists offer
    /// Reads the profile of a name, or of a file's path. May be called on any thread.
    std::function<Result<std::shared_ptr<const Profile>>(const std::string& name)> open;
};

} // namespace loadline
