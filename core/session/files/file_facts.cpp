// Facts from JSON by events, so that what is cut still tells; from databases by their definitions.
#include "core/session/files/file_facts.h"

#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace loadline {
namespace {

constexpr std::size_t mostFacts = 256; ///< of the record, and as many within it
constexpr std::size_t mostDepth = 4;
constexpr std::size_t mostValue = 64; ///< characters, also of a member's name

/// Writes down members as the parser comes by.
class FactWriter final : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit FactWriter(FileFacts& facts) : facts_(facts) {}

    bool null() override { return value({}); }

    bool boolean(bool /*unused*/) override { return value({}); }

    bool number_integer(number_integer_t /*unused*/) override { return value({}); }

    bool number_unsigned(number_unsigned_t /*unused*/) override { return value({}); }

    bool number_float(number_float_t /*unused*/, const string_t& /*unused*/) override { return value({}); }

    bool string(string_t& text) override { return value(text); }

    bool binary(binary_t& /*unused*/) override { return value({}); }

    bool start_object(std::size_t /*unused*/) override { return open(); }

    bool key(string_t& name) override {
        key_ = name.substr(0, mostValue);
        return true;
    }

    bool end_object() override { return close(); }

    bool start_array(std::size_t /*unused*/) override {
        open();
        key_ = "[]";
        return true;
    }

    bool end_array() override { return close(); }

    bool parse_error(std::size_t /*unused*/, const std::string& /*unused*/,
                     const nlohmann::detail::exception& /*unused*/) override {
        return false;
    }

private:
    [[nodiscard]] std::string pathOf(std::string_view key) const {
        const bool joined = path_.empty() || path_.ends_with("[]") || key == "[]";
        return path_ + (joined ? "" : ".") + std::string(key);
    }

    bool value(std::string_view text) {
        if (depth_ > 0 && depth_ <= mostDepth) {
            facts_.add(pathOf(key_), text);
        }
        return true;
    }

    bool open() {
        value({});
        if (depth_ < lengths_.size()) {
            lengths_[depth_] = path_.size();
            keys_[depth_] = key_;
            path_ = depth_ > 0 ? pathOf(key_) : path_;
        }
        ++depth_;
        key_.clear();
        return true;
    }

    bool close() {
        --depth_;
        if (depth_ < lengths_.size()) {
            path_.resize(lengths_[depth_]);
            key_ = keys_[depth_];
        }
        return true;
    }

    FileFacts& facts_;
    std::string path_, key_;
    std::array<std::size_t, mostDepth + 1> lengths_{};
    std::array<std::string, mostDepth + 1> keys_;
    std::size_t depth_ = 0;
};

bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

void FileFacts::add(std::string_view path, std::string_view value) {
    const bool inner = path.find_first_of(".[", 1) != std::string_view::npos;
    if ((inner ? inner_ : facts_.size() - inner_) >= mostFacts) {
        return;
    }
    Fact fact{std::string(path), std::string(value.size() <= mostValue ? value : std::string_view())};
    if (std::ranges::find(facts_, fact) == facts_.end()) {
        inner_ += inner ? 1 : 0;
        facts_.push_back(std::move(fact));
    }
}

bool FileFacts::holds(std::string_view term) const {
    const std::size_t equals = term.find('=');
    const std::string_view path = term.substr(0, equals);
    std::string_view wanted = equals == std::string_view::npos ? "*" : term.substr(equals + 1);
    const bool beginning = wanted.ends_with('*');
    wanted.remove_suffix(beginning ? 1 : 0);
    return std::ranges::any_of(facts_, [&](const Fact& fact) {
        return fact.path == path && (beginning ? fact.value.starts_with(wanted) : fact.value == wanted);
    });
}

FileFacts factsOfJson(std::string_view text) {
    FileFacts facts;
    FactWriter writer(facts);
    constexpr bool onlyThat = false; // what follows the value does not matter
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &writer, nlohmann::json::input_format_t::json,
                                  onlyThat)) {
        facts.setComplete();
    }
    return facts;
}

bool isDatabase(std::string_view head) {
    return head.starts_with(std::string_view("SQLite format 3\0", 16));
}

FileFacts factsOfDatabase(std::string_view head, std::string_view name) {
    FileFacts facts;
    facts.add("database");
    facts.add("name", name);
    for (const std::string_view words :
         {std::string_view("CREATE TABLE "), std::string_view("VIRTUAL TABLE ")}) {
        for (std::size_t at = head.find(words); at != std::string_view::npos; at = head.find(words, at)) {
            at += words.size();
            while (at < head.size() && !isWord(head[at])) { // quotes of any kind
                ++at;
            }
            const auto end =
                std::find_if_not(head.begin() + static_cast<std::ptrdiff_t>(at), head.end(), isWord);
            facts.add("table." + std::string(head.begin() + static_cast<std::ptrdiff_t>(at), end));
        }
    }
    return facts;
}

FileFacts factsOfTable(std::string_view text) {
    FileFacts facts;
    if (const std::optional<TraceLine> header = TraceLines(text).next()) {
        const CsvHeader columns(header->text);
        for (const std::string& name : columns.names()) {
            facts.add("column." + name);
        }
    }
    return facts;
}

FileFacts factsOfHeading(std::string_view text) {
    text = text.substr(0, std::min(text.find('\n'), mostValue));
    text.remove_prefix(std::min(text.find_first_not_of("# "), text.size()));
    std::string words(text);
    std::ranges::replace(words, ' ', '_');
    FileFacts facts;
    facts.add("heading", words);
    return facts;
}

} // namespace loadline
