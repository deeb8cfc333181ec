// A table of names without locks or allocation, as signal handlers need it.
#include "core/base/file/unfinished_file.h"

#include <linux/limits.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace loadline {
namespace {

enum class PlaceState : int { Free, Taken, Named, Removed };

struct Place {
    std::atomic<PlaceState> state = PlaceState::Free;
    std::array<char, PATH_MAX> path{};
};

static_assert(std::atomic<PlaceState>::is_always_lock_free);

std::array<Place, 16> places; // signal handlers reach nothing but globals

bool moves(Place& place, PlaceState from, PlaceState to) {
    return place.state.compare_exchange_strong(from, to);
}

} // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
    for (std::size_t i = 0; i < places.size() && path.size() < PATH_MAX; ++i) {
        if (moves(places[i], PlaceState::Free, PlaceState::Taken)) {
            places[i].path[path.copy(places[i].path.data(), path.size())] = '\0';
            places[i].state = PlaceState::Named;
            place_ = static_cast<int>(i);
            return;
        }
    }
}

UnfinishedFile::~UnfinishedFile() {
    if (place_ >= 0) { // a name that is being removed stays as it is
        moves(places[static_cast<std::size_t>(place_)], PlaceState::Named, PlaceState::Free);
    }
}

void removeUnfinishedFiles() noexcept {
    for (Place& place : places) {
        if (moves(place, PlaceState::Named, PlaceState::Removed)) {
            ::unlink(place.path.data());
        }
    }
}

} // namespace loadline
