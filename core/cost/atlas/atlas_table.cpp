// Looks up columns and compares tables.
#include "core/cost/atlas/atlas_table.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

bool isSameTime(double one, double other) {
    return one == other || (std::isnan(one) && std::isnan(other));
}

bool areSameTimes(const AtlasTimes& one, const AtlasTimes& other) {
    return one.name == other.name && std::ranges::equal(one.us, other.us, isSameTime);
}

} // namespace

const AtlasKeys* AtlasTable::keysNamed(std::string_view name) const {
    const auto found = std::ranges::find(keys, name, &AtlasKeys::name);
    return found == keys.end() ? nullptr : &*found;
}

const AtlasTimes* AtlasTable::timesNamed(std::string_view name) const {
    const auto found = std::ranges::find(times, name, &AtlasTimes::name);
    return found == times.end() ? nullptr : &*found;
}

bool isSameAtlasTable(const AtlasTable& one, const AtlasTable& other) {
    return one.kind == other.kind && one.source == other.source && one.rows == other.rows &&
           one.keys == other.keys && std::ranges::equal(one.times, other.times, areSameTimes);
}

} // namespace loadline
