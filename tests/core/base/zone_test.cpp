// The clock that people read times by.
#include "core/base/zone.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace loadline {
namespace {

/// A time zone of the machine, until it dies.
class LocalZone {
public:
    explicit LocalZone(const char* zone) {
        if (const char* before = std::getenv("TZ")) {
            before_ = before;
        }
        setenv("TZ", zone, 1);
        setShownZone(Zone::Local);
    }

    ~LocalZone() {
        setShownZone(Zone::Utc);
        if (before_) {
            setenv("TZ", before_->c_str(), 1);
        } else {
            unsetenv("TZ");
        }
    }

    LocalZone(const LocalZone&) = delete;

private:
    std::optional<std::string> before_;
};

constexpr const char* berlin = "CET-1CEST,M3.5.0,M10.5.0/3"; // spelled out: needs no database

TimeMs utc(const char* text) {
    return parseIso8601(text).value_or(unknownTime);
}

TEST(Zone, IsUtcUnlessChosen) {
    const TimeMs time = utc("2026-01-20T23:30:00Z");
    EXPECT_EQ(asShown(time), time);
    EXPECT_EQ(fromShown(time), time);
    EXPECT_EQ(zoneAt(time), "UTC");
    EXPECT_EQ(zoneWords(), "UTC");
}

TEST(Zone, LocalTimesFollowSummerAndWinter) {
    const LocalZone zone(berlin);
    EXPECT_EQ(utcDay(asShown(utc("2026-01-20T23:30:00Z"))), "2026-01-21");
    EXPECT_EQ(zoneAt(utc("2026-01-20T23:30:00Z")), "UTC+1");
    EXPECT_EQ(formatIso8601(asShown(utc("2026-07-20T10:00:00Z"))), "2026-07-20T12:00:00.000Z");
    EXPECT_EQ(zoneAt(utc("2026-07-20T10:00:00Z")), "UTC+2");
    EXPECT_EQ(asShown(unknownTime), unknownTime);
    EXPECT_EQ(zoneWords(), "local time");
}

TEST(Zone, HalfHoursAndWestAreNamed) {
    const LocalZone zone("NST3:30");
    EXPECT_EQ(zoneAt(utc("2026-01-20T00:00:00Z")), "UTC-3:30");
}

TEST(Zone, ADayWithoutMidnightBeginsAtTheChange) {
    const LocalZone santiago("CLT4CLST,M9.1.0/0,M4.1.0/0"); // 2026-09-06: 23:59 is followed by 1:00
    EXPECT_EQ(fromShown(utc("2026-09-06T00:00:00Z")), utc("2026-09-06T04:00:00Z"));
    EXPECT_EQ(utcDay(asShown(fromShown(utc("2026-09-06T00:00:00Z")))), "2026-09-06");
    EXPECT_EQ(fromShown(utc("2026-09-05T23:00:00Z")), utc("2026-09-06T03:00:00Z"));
    EXPECT_EQ(fromShown(utc("2026-04-04T23:30:00Z")), utc("2026-04-05T02:30:00Z")); // read twice: the earlier
}

TEST(Zone, MidnightsAreFoundAroundEveryChange) {
    const LocalZone zone(berlin);
    for (TimeMs hour = utc("2026-03-27T00:00:00Z"); hour < utc("2026-03-31T00:00:00Z");
         hour.ms += 3'600'000) {
        EXPECT_EQ(asShown(fromShown(asShown(hour))), asShown(hour)) << formatIso8601(hour);
    }
    for (const char* day : {"2026-03-28", "2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26"}) {
        const TimeMs midnight = utc((std::string(day) + "T00:00:00Z").c_str());
        EXPECT_EQ(asShown(fromShown(midnight)), midnight) << day;
    }
}

} // namespace
} // namespace loadline
