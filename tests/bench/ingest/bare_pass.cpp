// simdjson's On-Demand front end used as its documentation advises: one parser per thread, fields in passing.
#include "tests/bench/ingest/bare_pass.h"

#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace loadline::bench {
namespace {

namespace od = simdjson::ondemand;

std::uint64_t codePoints(std::string_view text) {
    std::uint64_t n = 0;
    for (const char c : text) {
        n += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    }
    return n;
}

class Pass {
public:
    void file(const std::string& path);

    [[nodiscard]] const BareTotals& totals() const { return totals_; }

private:
    void line(std::size_t begin, std::size_t end);
    void record(od::object object);
    void message(od::object object);
    void usage(od::object object);
    void block(od::object object);
    void content(od::value value);
    void raw(od::value& value);

    void name(simdjson::simdjson_result<od::value> value) {
        std::string_view text;
        if (value.get_string().get(text) == simdjson::SUCCESS) {
            totals_.identifiers += text.size();
        }
    }

    void characters(simdjson::simdjson_result<od::value> value) {
        std::string_view text;
        if (value.get_string().get(text) == simdjson::SUCCESS) {
            totals_.characters += codePoints(text);
        }
    }

    std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 20);
    od::parser parser_;
    BareTotals totals_;
};

void Pass::file(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return;
    }
    std::size_t filled = 0;
    for (;;) {
        if (filled + simdjson::SIMDJSON_PADDING + 65'536 > buffer_.size()) {
            buffer_.resize(buffer_.size() * 2);
        }
        const ssize_t got =
            ::read(descriptor, buffer_.data() + filled, buffer_.size() - filled - simdjson::SIMDJSON_PADDING);
        if (got <= 0) {
            break;
        }
        filled += static_cast<std::size_t>(got);
        std::size_t begin = 0;
        while (const void* newline = std::memchr(buffer_.data() + begin, '\n', filled - begin)) {
            const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data());
            line(begin, end);
            begin = end + 1;
        }
        std::memmove(buffer_.data(), buffer_.data() + begin, filled - begin);
        filled -= begin;
    }
    line(0, filled);
    ::close(descriptor);
}

void Pass::line(std::size_t begin, std::size_t end) {
    if (end == begin) {
        return;
    }
    od::document document;
    od::object object;
    if (parser_.iterate(buffer_.data() + begin, end - begin, buffer_.size() - begin).get(document) !=
            simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS) {
        ++totals_.badLines;
        return;
    }
    ++totals_.records;
    record(object);
}

void Pass::record(od::object object) {
    for (auto field : object) {
        std::string_view key;
        if (field.unescaped_key().get(key) != simdjson::SUCCESS) {
            ++totals_.badLines;
            return;
        }
        if (key == "message") {
            od::object inner;
            if (field.value().get_object().get(inner) == simdjson::SUCCESS) {
                message(inner);
            }
        } else if (key == "type" || key == "uuid" || key == "timestamp" || key == "requestId" ||
                   key == "version" || key == "sessionId" || key == "cwd" || key == "gitBranch" ||
                   key == "agentId" || key == "subtype") {
            name(field.value());
        } else if (key == "isSidechain" || key == "isMeta" || key == "isCompactSummary") {
            bool flag = false;
            if (field.value().get_bool().get(flag) == simdjson::SUCCESS) {
                totals_.identifiers += flag ? 1 : 0;
            }
        } else if (key == "data") { // progress: a nested message
            od::object data;
            if (field.value().get_object().get(data) == simdjson::SUCCESS) {
                od::object nested;
                if (data["message"].get_object().get(nested) == simdjson::SUCCESS) {
                    record(nested);
                }
            }
        }
    }
}

void Pass::message(od::object object) {
    for (auto field : object) {
        std::string_view key;
        if (field.unescaped_key().get(key) != simdjson::SUCCESS) {
            return;
        }
        if (key == "usage") {
            od::object inner;
            if (field.value().get_object().get(inner) == simdjson::SUCCESS) {
                usage(inner);
            }
        } else if (key == "content") {
            od::value value;
            if (field.value().get(value) == simdjson::SUCCESS) {
                content(value);
            }
        } else if (key == "id" || key == "model" || key == "stop_reason") {
            name(field.value());
        }
    }
}

void Pass::usage(od::object object) {
    ++totals_.calls;
    for (auto field : object) {
        std::string_view key;
        if (field.unescaped_key().get(key) != simdjson::SUCCESS) {
            return;
        }
        if (key == "cache_creation") {
            od::object split;
            if (field.value().get_object().get(split) == simdjson::SUCCESS) {
                for (auto part : split) {
                    std::uint64_t n = 0;
                    if (part.value().get_uint64().get(n) == simdjson::SUCCESS) {
                        totals_.tokens += n;
                    }
                }
            }
        } else if (key.ends_with("_tokens")) {
            std::uint64_t n = 0;
            if (field.value().get_uint64().get(n) == simdjson::SUCCESS) {
                totals_.tokens += n;
            }
        }
    }
}

void Pass::content(od::value value) {
    od::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) {
        return;
    }
    if (type == od::json_type::string) {
        characters(std::move(value)); // NOLINT(performance-move-const-arg): a conversion of rvalues
    } else if (type == od::json_type::array) {
        for (auto item : value.get_array()) {
            od::object inner;
            if (item.get_object().get(inner) == simdjson::SUCCESS) {
                block(inner);
            }
        }
    }
}

void Pass::block(od::object object) {
    for (auto field : object) {
        std::string_view key;
        if (field.unescaped_key().get(key) != simdjson::SUCCESS) {
            return;
        }
        if (key == "type" || key == "id" || key == "tool_use_id" || key == "name") {
            name(field.value());
        } else if (key == "text" || key == "thinking") {
            characters(field.value());
        } else if (key == "content") {
            od::value value;
            if (field.value().get(value) == simdjson::SUCCESS) {
                content(value);
            }
        } else if (key == "input") {
            od::value value;
            if (field.value().get(value) == simdjson::SUCCESS) {
                raw(value);
            }
        }
    }
}

void Pass::raw(od::value& value) {
    std::string_view json;
    if (simdjson::to_json_string(value).get(json) == simdjson::SUCCESS) {
        totals_.characters += codePoints(json);
    }
}

} // namespace

BareTotals& BareTotals::operator+=(const BareTotals& other) {
    records += other.records;
    badLines += other.badLines;
    calls += other.calls;
    tokens += other.tokens;
    characters += other.characters;
    identifiers += other.identifiers;
    return *this;
}

BareTotals barePass(const std::vector<std::string>& paths, unsigned threads) {
    std::atomic<std::size_t> next = 0;
    std::vector<Pass> passes(threads);
    {
        std::vector<std::jthread> workers;
        workers.reserve(passes.size());
        for (Pass& pass : passes) {
            workers.emplace_back([&pass, &next, &paths] {
                for (std::size_t i = next++; i < paths.size(); i = next++) {
                    pass.file(paths[i]);
                }
            });
        }
    }
    BareTotals totals;
    for (const Pass& pass : passes) {
        totals += pass.totals();
    }
    return totals;
}

} // namespace loadline::bench
