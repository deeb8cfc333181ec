// Sentences, code and command output about tides, made from templates.
#include "tests/tools/generate/transcript/text_pool.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::generate {
namespace {

constexpr std::array<std::string_view, 14> harbours = {
    "Nordhaven", "Port Elsin", "Kelp Bay", "Saltmere",    "Ostrand",  "Grey Quay",   "Marrow Sound",
    "Lindholm",  "Tern Point", "Fairlead", "Hollowmouth", "Vesterby", "Cobble Ness", "Dunwater"};
constexpr std::array<std::string_view, 16> nouns = {
    "tide table", "harmonic constants", "station list",  "cache",        "chart datum", "gauge feed",
    "time zone",  "sunrise overlay",    "printed page",  "search index", "unit switch", "offline bundle",
    "low water",  "spring tide",        "import script", "settings page"};
constexpr std::array<std::string_view, 12> verbs = {"reads",  "writes",   "rounds",  "sorts",
                                                    "caches", "drops",    "shifts",  "validates",
                                                    "merges", "predicts", "formats", "skips"};
constexpr std::array<std::string_view, 12> areas = {"predict", "stations", "render", "import",
                                                    "units",   "cache",    "search", "print",
                                                    "gauges",  "zones",    "alerts", "ui"};
constexpr std::array<std::string_view, 10> names = {"heights", "extremes", "table",  "loader", "parser",
                                                    "client",  "model",    "format", "index",  "helpers"};
constexpr std::array<std::string_view, 3> endings = {"ts", "py", "ts"};

std::string sentence(Random& random) {
    const auto noun = [&random] { return random.oneOf(nouns); };
    switch (random.below(9)) {
    case 0:
        return fmt::format("The {} {} the {} before the {} is loaded.", noun(), random.oneOf(verbs), noun(),
                           noun());
    case 1:
        return fmt::format("I'll check how {} {} the {} first.", random.oneOf(areas), random.oneOf(verbs),
                           noun());
    case 2:
        return fmt::format("For {} the height is off by {} cm, so the {} must be wrong.",
                           random.oneOf(harbours), random.between(2, 90), noun());
    case 3:
        return fmt::format("`src/{}/{}.{}` {} it twice; once is enough.", random.oneOf(areas),
                           random.oneOf(names), random.oneOf(endings), random.oneOf(verbs));
    case 4:
        return fmt::format("That leaves {} failing tests, all about the {}.", random.between(1, 14), noun());
    case 5:
        return fmt::format("**{}**: the {} now {} whole minutes \u2192 no drift.", random.oneOf(harbours),
                           noun(), random.oneOf(verbs));
    case 6:
        return fmt::format("Next: compare \"{}\" with the {} of {}.", noun(), noun(),
                           random.between(1990, 2026));
    case 7:
        return fmt::format("The offset is {} min, not {} min, because summer time was applied to UTC.",
                           random.between(30, 120), random.between(0, 29));
    default:
        return fmt::format("- {} {} the {}", random.oneOf(areas), random.oneOf(verbs), noun());
    }
}

std::string codeLine(Random& random, std::uint64_t number) {
    const auto area = [&random] { return random.oneOf(areas); };
    const auto name = [&random] { return random.oneOf(names); };
    switch (random.below(10)) {
    case 0:
        return fmt::format("{:>6}\u2192", number);
    case 1:
        return fmt::format("{:>6}\u2192export function {}{}(station: Station, from: Date): {}[] {{", number,
                           area(), name(), "Height");
    case 2:
        return fmt::format("{:>6}\u2192  const {} = await {}.{}(station.id, {{ days: {} }});", number, name(),
                           area(), name(), random.between(1, 31));
    case 3:
        return fmt::format("{:>6}\u2192  if ({}.length === 0) return [];", number, name());
    case 4:
        return fmt::format("{:>6}\u2192  // {}", number, sentence(random));
    case 5:
        return fmt::format("{:>6}\u2192  throw new Error(\"no {} for \" + station.name);", number,
                           random.oneOf(nouns));
    case 6:
        return fmt::format("{:>6}\u2192}}", number);
    case 7:
        return fmt::format("{:>6}\u2192import {{ {} }} from \"../{}/{}\";", number, name(), area(), name());
    case 8:
        return fmt::format("{:>6}\u2192  {}: [{}.{}, {}.{}, {}.{}],", number, name(), random.between(0, 9),
                           random.between(100, 999), random.between(0, 9), random.between(100, 999),
                           random.between(0, 9), random.between(100, 999));
    default:
        return fmt::format("{:>6}\u2192    return {}.map((h) => round(h.{}, {}));", number, name(), name(),
                           random.between(0, 3));
    }
}

std::string outputLine(Random& random) {
    switch (random.below(8)) {
    case 0:
        return fmt::format("ok {} - {} {} {}", random.between(1, 900), random.oneOf(areas),
                           random.oneOf(verbs), random.oneOf(nouns));
    case 1:
        return fmt::format("src/{}/{}.{}:{}:{} - error TS{}: Property '{}' does not exist",
                           random.oneOf(areas), random.oneOf(names), random.oneOf(endings),
                           random.between(1, 400), random.between(1, 90), random.between(2000, 2999),
                           random.oneOf(names));
    case 2:
        return fmt::format("-rw-r--r-- 1 user user {:>7} Mar {:>2} {:02}:{:02} {}.{}",
                           random.between(100, 900'000), random.between(1, 31), random.between(0, 23),
                           random.between(0, 59), random.oneOf(names), random.oneOf(endings));
    case 3:
        return fmt::format("\u2713 {} ({} ms)", sentence(random), random.between(1, 400));
    case 4:
        return fmt::format("{:08x} Fix {} of {}", random.below(1ULL << 32), random.oneOf(nouns),
                           random.oneOf(harbours));
    case 5:
        return fmt::format("src/{}/{}.{}: {}", random.oneOf(areas), random.oneOf(names),
                           random.oneOf(endings), sentence(random));
    case 6:
        return fmt::format("{};2026-{:02}-{:02}T{:02}:{:02};{}.{} m", random.oneOf(harbours),
                           random.between(1, 12), random.between(1, 28), random.between(0, 23),
                           random.between(0, 59), random.between(0, 7), random.between(10, 99));
    default:
        return fmt::format("Done in {}.{} s", random.between(0, 59), random.between(0, 9));
    }
}

} // namespace

void appendEscaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
}

void TextPool::addLine(std::string_view line) {
    const auto characters = std::count_if(
        line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
    if (counts_.empty()) {
        counts_.push_back(0);
        starts_.push_back(0);
    }
    appendEscaped(text_, line);
    text_ += "\\n";
    starts_.push_back(static_cast<std::uint32_t>(text_.size()));
    counts_.push_back(counts_.back() + static_cast<std::uint32_t>(characters) + 1);
}

void TextPool::append(std::string& out, std::int64_t characters, Random& random) const {
    while (characters > 0) {
        const std::size_t first = random.below(starts_.size() - 1);
        const std::int64_t wanted = counts_[first] + characters;
        const auto end =
            std::upper_bound(counts_.begin() + static_cast<std::ptrdiff_t>(first), counts_.end(),
                             static_cast<std::uint32_t>(std::min<std::int64_t>(wanted, counts_.back())));
        const std::size_t last =
            static_cast<std::size_t>(end - counts_.begin()) - 1; // whole lines: [first, last)
        out.append(text_, starts_[first], starts_[last] - starts_[first]);
        characters -= counts_[last] - counts_[first];
        // The rest of the wanted characters from the next line, escapes and UTF-8 sequences kept whole. At
        // the end of the pool: go on elsewhere.
        for (std::size_t at = starts_[last]; at < text_.size() && characters > 0; --characters) {
            std::size_t length = text_[at] == '\\' ? 2 : 1;
            while ((static_cast<unsigned char>(text_[at + length]) & 0xc0U) == 0x80U) {
                ++length;
            }
            out.append(text_, at, length);
            at += length;
        }
    }
}

Texts::Texts(std::uint64_t seed) {
    Random random(mixed(seed, 0x7e7));
    for (int i = 0; i < 2500; ++i) {
        std::string line = sentence(random);
        for (std::uint64_t more = random.below(4); more > 0 && line.front() != '-'; --more) {
            line += ' ' + sentence(random);
        }
        prose.addLine(line);
    }
    for (std::uint64_t i = 0; i < 8000; ++i) {
        code.addLine(codeLine(random, i % 1200 + 1));
        output.addLine(outputLine(random));
    }
    static constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 16'384; ++i) {
        base64 += letters[random.below(64)];
    }
}

std::string Texts::word(Random& random) {
    return std::string(random.oneOf(names));
}

std::string Texts::title(Random& random) {
    return fmt::format("{} for {}: {}", random.chance(500) ? "Fix" : "Rework", random.oneOf(harbours),
                       random.oneOf(nouns));
}

std::string Texts::filePath(Random& random) {
    return fmt::format("{}/{}/{}.{}", random.chance(800) ? "src" : "tests", random.oneOf(areas),
                       random.oneOf(names), random.oneOf(endings));
}

std::string Texts::command(Random& random) {
    switch (random.below(7)) {
    case 0:
        return "npm test -- " + std::string(random.oneOf(areas));
    case 1:
        return fmt::format("git diff --stat HEAD~{}", random.between(1, 5));
    case 2:
        return fmt::format("python3 tools/predict.py --station \"{}\" --days {} | head -{}",
                           random.oneOf(harbours), random.between(1, 60), random.between(5, 80));
    case 3:
        return fmt::format("grep -rn \"{}\" src/{} | wc -l", random.oneOf(names), random.oneOf(areas));
    case 4:
        return "ls -la src/" + std::string(random.oneOf(areas));
    case 5:
        return "npx tsc --noEmit && npm run lint";
    default:
        return fmt::format("sed -n {},{}p src/{}/{}.ts", random.between(1, 100), random.between(101, 300),
                           random.oneOf(areas), random.oneOf(names));
    }
}

std::string Texts::prompt(Random& random, bool opening) {
    const auto harbour = random.oneOf(harbours);
    const auto noun = random.oneOf(nouns);
    switch (random.below(opening ? 8 : 12)) {
    case 0:
        return fmt::format(
            "The {} for {} is off by {} minutes since the clocks changed. Find out why and fix it, "
            "with a test.",
            noun, harbour, random.between(3, 90));
    case 1:
        return fmt::format("Add {} to the {}. Same layout as the others.", harbour, noun);
    case 2:
        return fmt::format("why does src/{} touch the {} at all?", random.oneOf(areas), noun);
    case 3:
        return fmt::format(
            "Please make the {} faster: {} stations take {} s on my old phone. Measure before and "
            "after, and tell me what you changed.",
            noun, random.between(20, 900), random.between(2, 40));
    case 4:
        return fmt::format(
            "When I open {} on {} without a network, the {} is empty. It should show the last one we "
            "had, with its date.",
            harbour, random.chance(500) ? "the train" : "the boat", noun);
    case 5:
        return fmt::format("Look through src/{} and explain how the {} works, short please.",
                           random.oneOf(areas), noun);
    case 6:
        return fmt::format(
            "Here is what a skipper wrote us:\n\n\"High water at {} was {} cm lower than your table said. "
            "We touched ground.\"\n\nCan that be? Check against the {}.",
            harbour, random.between(10, 80), noun);
    case 7:
        return fmt::format("Write a test for the {} around new year, for {} and {}.", noun, harbour,
                           random.oneOf(harbours));
    case 8:
        return "yes, go on";
    case 9:
        return "run the tests again";
    case 10:
        return fmt::format("Commit this as \"{} the {}\" and show me what is left to do.",
                           random.chance(500) ? "Correct" : "Simplify", noun);
    default:
        return fmt::format("no, not like this. Keep the {} as it was and only change the {}.", noun,
                           random.oneOf(nouns));
    }
}

} // namespace loadline::generate
