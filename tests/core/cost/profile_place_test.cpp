// Profiles of this machine and of others: told apart by what measuring leaves in them.
#include "core/cost/profile/profile_place.h"

#include "core/cost/profile/bench_event.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

const MachineIdentity here{"0badcafe", "A CPU"};

Profile profileOn(const std::string& device, const Facts& facts, const std::string& source = "") {
    Profile profile;
    profile.device = device;
    profile.deviceFacts = facts;
    profile.source = source;
    profile.date = "2026-11-21T08:00:00Z";
    ProfilePoint measured;
    measured.timeUs = 3;
    ProfilePoint modelled = measured;
    modelled.rowsM = 2;
    modelled.origin = PointOrigin::Modelled;
    profile.points = {measured, modelled};
    return profile;
}

struct PlaceCase {
    const char* name = nullptr;
    Profile profile;
    bool isHere = false;
};

TEST(ProfilePlace, IsToldByTheMachinesMark) {
    const std::string mine = machineFactOf(here);
    const std::string cpu = "instruction_set";
    const PlaceCase cases[] = {
        {"this CPU", profileOn("A CPU", {{machineFact, mine}, {cpu, "\"AVX2\""}}), true},
        {"a GPU of this machine", profileOn("A GPU", {{machineFact, mine}}), true},
        {"the same GPU elsewhere", profileOn("A GPU", {{machineFact, "\"12345678\""}}), false},
        {"the same CPU elsewhere", profileOn("A CPU", {{machineFact, "\"12345678\""}, {cpu, "\"AVX2\""}}),
         false},
        {"the disk moved to another CPU", profileOn("B CPU", {{machineFact, mine}, {cpu, "\"AVX2\""}}),
         false},
        {"unmarked, this CPU", profileOn("A CPU", {}), true},
        {"unmarked, another device", profileOn("A GPU", {}), false},
        {"unmarked, no device", profileOn("", {}), false},
        {"published", profileOn("A CPU", {{machineFact, mine}}, "somebody"), false},
    };
    for (const PlaceCase& one : cases) {
        EXPECT_EQ(isMeasuredHere(one.profile, here), one.isHere) << one.name;
        const Profile seen = seenFrom(one.profile, here);
        EXPECT_EQ(seen == one.profile, one.isHere || !one.profile.source.empty()) << one.name;
    }
    EXPECT_FALSE(isMeasuredHere(profileOn("A GPU", {{machineFact, "\"\""}}), {"", "A CPU"}));
    EXPECT_FALSE(isMeasuredHere(profileOn("", {}), {"", ""}));
}

TEST(ProfilePlace, AProfileFromElsewhereSaysSoAndIsNotMeasuredHere) {
    const Profile theirs = profileOn("A GPU", {{machineFact, "\"12345678\""}});
    const Profile seen = seenFrom(theirs, here);
    EXPECT_EQ(seen.source, "measured with Loadline on another machine, 2026-11-21");
    EXPECT_EQ(seen.points[0].origin, PointOrigin::Published);
    EXPECT_EQ(seen.points[1].origin, PointOrigin::Modelled);
    EXPECT_EQ(originWords(seen, seen.points[0]), "measured elsewhere");
    EXPECT_EQ(originWords(seen, seen.points[1]), "modelled");
    EXPECT_EQ(originWords(theirs, theirs.points[0]), "measured");
    const std::vector<std::string> lines = provenanceLines(seen);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].starts_with("measured elsewhere: 1 points, 1 of them with an assumed error"))
        << lines[0];
    EXPECT_EQ(seenFrom(seen, here), seen);
}

} // namespace
} // namespace loadline
