// Divides a log by the tags of its lines, and at start-ups that tell another model or other settings.
#include "core/serverlog/log_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace loadline {
namespace {

/// Facts on which rates depend. Those that lines tell of each request or batch, such as SGLang's cuda graph,
/// are no settings of a start-up.
constexpr std::array settingNames = {
    std::string_view("model"),           std::string_view("bits_per_weight"),
    std::string_view("tensor_parallel"), std::string_view("max_batch_size"),
    std::string_view("parallel"),        std::string_view("max_batched_tokens"),
    std::string_view("eager"),           std::string_view("on_cpu"),
    std::string_view("device"),          std::string_view("version")};

bool isSetting(const LogFact& fact) {
    return std::ranges::find(settingNames, fact.name) != settingNames.end();
}

/// Values of each setting in start-up lines: several names of a model.
using Values = std::map<std::string_view, std::vector<std::string>>;

bool isLike(const Values& a, const Values& b) {
    return std::ranges::all_of(a, [&b](const auto& setting) {
        const auto other = b.find(setting.first);
        return other == b.end() ||
               std::ranges::find_first_of(setting.second, other->second) != setting.second.end();
    });
}

/// A part of the log, from `begin` on, in which one server had the same settings.
struct Life {
    LogLine begin;
    Values values;
    std::vector<LogFact> facts; ///< those before that hold on, and its own
    std::size_t part = 0;
};

/// Places of the records of decoding, by source, in order.
std::vector<std::vector<LogLine>> recordsBySource(const ServerLog& log) {
    std::vector<std::vector<LogLine>> places(log.sources.size());
    const auto take = [&places](const auto& records) {
        for (const auto& record : records) {
            places[record.source].push_back(record.where);
        }
    };
    take(log.intervals);
    take(log.steps);
    for (const LogRequest& request : log.requests) {
        if (request.generates) {
            places[request.source].push_back(request.first);
        }
    }
    for (std::vector<LogLine>& ofSource : places) {
        std::ranges::sort(ofSource);
    }
    return places;
}

/// Facts that no record lies between: those of one start-up.
std::vector<std::span<const LogFact>> startUpsOf(std::span<const LogFact> facts,
                                                 const std::vector<LogLine>& records) {
    std::vector<std::span<const LogFact>> groups;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= facts.size(); ++i) {
        const bool ends = i == facts.size() || std::ranges::upper_bound(records, facts[i - 1].where) !=
                                                   std::ranges::lower_bound(records, facts[i].where);
        if (ends) {
            groups.push_back(facts.subspan(begin, i - begin));
            begin = i;
        }
    }
    return groups;
}

void addValues(Values& values, std::span<const LogFact> facts) {
    for (const LogFact& fact : facts) {
        if (isSetting(fact)) {
            values[fact.name].push_back(fact.value);
        }
    }
}

std::vector<Life> livesOf(std::span<const LogFact> facts, const std::vector<LogLine>& records) {
    std::vector<Life> lives(1);
    for (const std::span<const LogFact> startUp : startUpsOf(facts, records)) {
        Values ownValues;
        addValues(ownValues, startUp);
        if (!isLike(ownValues, lives.back().values)) {
            Life next;
            next.begin = std::ranges::find_if(startUp, isSetting)->where;
            // A setting told again with the same value is no new fact; those that no line changes hold on.
            std::ranges::copy_if(
                lives.back().facts, std::back_inserter(next.facts), [&startUp](const LogFact& fact) {
                    return std::ranges::find(startUp, fact.name, &LogFact::name) == startUp.end();
                });
            addValues(next.values, next.facts);
            lives.push_back(std::move(next));
        }
        addValues(lives.back().values, startUp);
        lives.back().facts.insert(lives.back().facts.end(), startUp.begin(), startUp.end());
    }
    return lives;
}

struct Divided {
    std::vector<std::vector<Life>> lives; ///< by source
    std::vector<Life> parts;              ///< the last life of each
    std::vector<std::uint32_t> sourceOf;  ///< of each part

    [[nodiscard]] std::size_t partAt(std::uint32_t source, const LogLine& where) const {
        const std::vector<Life>& ofSource = lives[source];
        const auto after = std::ranges::upper_bound(ofSource, where, {}, &Life::begin);
        return (after == ofSource.begin() ? ofSource.front() : *std::prev(after)).part;
    }
};

Divided dividedOf(const ServerLog& log) {
    Divided all;
    const std::vector<std::vector<LogLine>> records = recordsBySource(log);
    std::vector<std::vector<LogFact>> facts(log.sources.size());
    for (const LogFact& fact : log.facts) {
        facts[fact.source].push_back(fact);
    }
    all.lives.reserve(facts.size());
    for (std::uint32_t source = 0; source < facts.size(); ++source) {
        const std::size_t first = all.parts.size();
        all.lives.push_back(livesOf(facts[source], records[source]));
        for (Life& life : all.lives.back()) {
            const auto like =
                std::find_if(all.parts.begin() + static_cast<std::ptrdiff_t>(first), all.parts.end(),
                             [&life](const Life& part) { return isLike(life.values, part.values); });
            life.part = static_cast<std::size_t>(like - all.parts.begin());
            if (like == all.parts.end()) {
                all.parts.push_back(life);
                all.sourceOf.push_back(source);
            } else {
                *like = life;
            }
        }
    }
    return all;
}

/// "Llama-3.3-70B-Instruct" of "meta-llama/Llama-3.3-70B-Instruct".
std::string modelOf(const Life& part) {
    const auto model = std::find_if(part.facts.rbegin(), part.facts.rend(),
                                    [](const LogFact& fact) { return fact.name == "model"; });
    if (model == part.facts.rend()) {
        return "";
    }
    constexpr std::string_view file = ".gguf";
    std::string name = model->value.substr(model->value.find_last_of('/') + 1);
    name.resize(name.size() - (name.ends_with(file) ? file.size() : 0));
    return name;
}

/// ", max_batch_size=4": the first setting that tells the part from another of its source.
std::string settingWords(const Divided& all, std::size_t part) {
    for (std::size_t i = 0; i < all.parts.size(); ++i) {
        if (i == part || all.sourceOf[i] != all.sourceOf[part] ||
            modelOf(all.parts[i]) != modelOf(all.parts[part])) {
            continue;
        }
        for (const std::string_view name : settingNames) {
            const auto own = all.parts[part].values.find(name);
            const auto other = all.parts[i].values.find(name);
            if (name != "model" && own != all.parts[part].values.end() &&
                other != all.parts[i].values.end() &&
                std::ranges::find_first_of(own->second, other->second) == own->second.end()) {
                return std::string(name) + "=" + std::string(own->second.back());
            }
        }
    }
    return "";
}

std::string nameOf(const Divided& all, std::size_t part, const ServerLog& log) {
    std::string name = modelOf(all.parts[part]);
    if (const std::string setting = settingWords(all, part); !setting.empty()) {
        name += (name.empty() ? "" : ", ") + setting;
    }
    const std::string& tag = log.sources[all.sourceOf[part]];
    return tag.empty() ? name : name + (name.empty() ? "" : " ") + "[" + tag + "]";
}

/// The part that each part's records go to: those of one that decodes nothing go to the next one that does.
std::vector<std::size_t> targetsOf(const ServerLog& log, const Divided& all) {
    std::vector<bool> decodes(all.parts.size(), false);
    const auto take = [&](const auto& records) {
        for (const auto& record : records) {
            decodes[all.partAt(record.source, record.where)] = true;
        }
    };
    take(log.intervals);
    take(log.steps);
    for (const LogRequest& request : log.requests) {
        const std::size_t part = all.partAt(request.source, request.first);
        decodes[part] = decodes[part] || request.generates;
    }
    std::vector<std::size_t> targets(all.parts.size(), 0);
    std::size_t next = all.parts.size();
    for (std::size_t part = all.parts.size(); part-- > 0;) {
        next = decodes[part] ? part : next;
        targets[part] = next;
    }
    const auto last = std::ranges::find(decodes.rbegin(), decodes.rend(), true);
    for (std::size_t& target : targets) {
        target = target < all.parts.size() ? target : static_cast<std::size_t>(decodes.rend() - last) - 1;
    }
    return targets;
}

/// A log without records, of which all else is the whole log's.
ServerLog emptyOf(const ServerLog& log) {
    ServerLog empty;
    empty.files = log.files;
    empty.sources = log.sources;
    empty.server = log.server;
    empty.lines = log.lines;
    empty.knownLines = log.knownLines;
    empty.bytes = log.bytes;
    empty.clock = log.clock;
    empty.begin = log.begin;
    empty.zoneTold = log.zoneTold;
    empty.matched = log.matched;
    empty.requestsFrom = log.requestsFrom;
    empty.diagnostics = log.diagnostics;
    return empty;
}

void takeTime(ServerLog& part, double timeS) {
    part.lengthS = isTold(timeS) ? std::max(part.lengthS, timeS) : part.lengthS;
}

/// Takes the place and the time of a record of decoding.
void take(LogPart& part, const LogLine& first, const LogLine& last, double timeS) {
    part.first = part.first.line == 0 ? first : std::min(part.first, first);
    part.last = std::max(part.last, last);
    takeTime(part.log, timeS);
}

} // namespace

std::vector<LogPart> partsOf(const ServerLog& log) {
    const bool severalFacts = std::ranges::count_if(log.facts, isSetting) > 1;
    if (!severalFacts && log.sources.size() < 2) {
        return {};
    }
    const Divided all = dividedOf(log);
    if (all.parts.size() < 2) {
        return {};
    }
    const std::vector<std::size_t> targets = targetsOf(log, all);
    std::vector<LogPart> parts(all.parts.size());
    for (LogPart& part : parts) {
        part.log = emptyOf(log);
    }
    const auto partOf = [&](std::uint32_t source, const LogLine& where) -> LogPart& {
        return parts[targets[all.partAt(source, where)]];
    };
    for (const LogInterval& line : log.intervals) {
        LogPart& part = partOf(line.source, line.where);
        take(part, line.where, line.where, line.timeS);
        part.log.intervals.push_back(line);
    }
    for (const LogStep& step : log.steps) {
        LogPart& part = partOf(step.source, step.where);
        take(part, step.where, step.where, step.timeS);
        part.log.steps.push_back(step);
    }
    std::vector<std::pair<LogPart*, std::size_t>> places;
    for (const LogRequest& request : log.requests) {
        LogPart& part = partOf(request.source, request.first);
        take(part, request.first, request.last, std::fmax(request.arrivalS, request.endS));
        places.emplace_back(&part, part.log.requests.size());
        part.log.requests.push_back(request);
    }
    for (LogProgress progress : log.progress) {
        LogPart& part = progress.request < places.size() ? *places[progress.request].first
                                                         : partOf(progress.source, progress.where);
        progress.request =
            progress.request < places.size() ? places[progress.request].second : LogProgress::npos;
        takeTime(part.log, progress.timeS);
        part.log.progress.push_back(progress);
    }
    for (const LogEvent& event : log.events) {
        ServerLog& part = partOf(event.source, event.where).log;
        takeTime(part, event.timeS);
        part.events.push_back(event);
    }
    std::vector<LogPart> kept;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (targets[i] == i) {
            parts[i].name = nameOf(all, i, log);
            parts[i].source = all.sourceOf[i];
            parts[i].log.facts = all.parts[i].facts;
            kept.push_back(std::move(parts[i]));
        }
    }
    const auto lastOf = [](const LogPart& part) { return part.last; };
    if (!kept.empty()) { // the one that wrote last may have been silent since
        std::ranges::max_element(kept, {}, lastOf)->log.lengthS = log.lengthS;
    }
    std::ranges::stable_sort(kept, {}, &LogPart::first);
    return kept.size() < 2 ? std::vector<LogPart>() : std::move(kept);
}

} // namespace loadline
