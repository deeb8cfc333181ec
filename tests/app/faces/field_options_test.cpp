// Options of made-up fields: what they take, what they refuse, older names, and words that are read back.
#include "app/faces/field_options.h"

#include "app/options/literal_words.h"
#include "core/ask/field_row.h"

#include <CLI/CLI.hpp>
#include <QTest>

#include <algorithm>
#include <array>

using namespace loadline;
using namespace loadline::app;

namespace {

struct OptionQuestion {
    std::int64_t users = 8;
    std::optional<double> seconds = {};
    bool cache = true;
    bool async = false;
    std::string name = "all";
    std::vector<std::string> tags = {};
    std::string place = {};
    std::vector<std::string> paths = {}, pair = {}, all = {};
    bool operator==(const OptionQuestion&) const = default;
};

bool readTag(OptionQuestion& question, std::string_view text) {
    const bool known = text.find('=') != std::string_view::npos;
    if (known) {
        question.tags.emplace_back(text);
    }
    return known;
}

ask::Fields optionFields() {
    using Q = OptionQuestion;
    static constexpr std::array<std::string_view, 2> older = {"--people", "made/people"};
    static constexpr std::array<std::string_view, 1> olderFlag = {"--asynchronous"};
    static const std::array rows = {
        ask::Field{.key = "users",
                   .access = ask::bound<&Q::users>(),
                   .words = {.name = "users", .help = "How many (8)", .group = "Who"},
                   .range = {1, 4096},
                   .traits = {.takesList = true, .was = older}},
        ask::Field{.key = "seconds",
                   .access = ask::bound<&Q::seconds>(),
                   .words = {.name = "seconds", .help = "How long (none)"},
                   .range = {0, 10}},
        ask::Field{.key = "cache", .access = ask::bound<&Q::cache>(), .words = {"cache", "Without a cache"}},
        ask::Field{.key = "async",
                   .access = ask::bound<&Q::async>(),
                   .words = {"async", "At once"},
                   .traits = {.was = olderFlag}},
        ask::Field{.key = "name",
                   .access = ask::bound<&Q::name>(),
                   .words = {"name", "Whose"},
                   .traits = {.text = {.form = "NAME"}}},
        ask::Field{.key = "tag",
                   .access = ask::inWords<Q>(),
                   .words = {"tags", "Of what"},
                   .traits =
                       {
                           .text = {.form = "KEY=VALUE",
                                    .read = ask::readBy<readTag, Q>,
                                    .limits = "KEY=VALUE",
                                    .several =
                                        [](const void* question) {
                                            return static_cast<const Q*>(question)->tags;
                                        }}}},
        ask::Field{.key = "silent", .access = ask::bound<&Q::name>(), .words = {"added by hand"}},
    };
    return rows;
}

std::vector<std::string> knownPlaces(const ask::Sources& /*sources*/) {
    return {"near", "far"};
}

ask::Fields placedFields() {
    using Q = OptionQuestion;
    using ask::row;
    using ask::textsOf;
    static const std::array rows = {
        row("place", ask::bound<&Q::place>(), {"place", "Where"}, {}, {}, {},
            {.text = {.form = "PLACE"},
             .choicesOf = knownPlaces,
             .command = {.byPosition = true, .isRequired = true}}),
        row("paths", ask::inWords<Q>(), {"paths", "Of what"}, {}, {}, {},
            {.text = textsOf<&Q::paths>("PATH"), .command = {.byPosition = true, .words = 0}}),
        row("pair", ask::inWords<Q>(), {"pair", "Two"}, {}, {}, {},
            {.text = textsOf<&Q::pair>("A B"), .command = {.words = 2}}),
        row("all", ask::inWords<Q>(), {"all", "Any number"}, {}, {}, {},
            {.text = textsOf<&Q::all>("W"), .command = {.words = 0}})};
    return rows;
}

/// The question that words make, or why they are refused.
std::pair<OptionQuestion, std::string> placed(const std::vector<std::string>& words) {
    CLI::App app;
    OptionQuestion question;
    addFields(app, placedFields(), &question);
    try {
        parseLiterally(app, words);
    } catch (const CLI::ParseError& error) {
        return {question, error.what()};
    }
    return {question, ""};
}

/// The question that words make, or why they are refused.
std::pair<OptionQuestion, std::string> parsed(const std::vector<std::string>& words) {
    CLI::App app;
    ask::Question question = ask::Question::of(OptionQuestion());
    addFields(app, optionFields(), question.data());
    try {
        parseLiterally(app, words);
    } catch (const CLI::ParseError& error) {
        return {question.as<OptionQuestion>(), error.what()};
    }
    return {question.as<OptionQuestion>(), ""};
}

std::vector<std::string> wordsFor(const OptionQuestion& question) {
    const OptionQuestion usual;
    std::vector<std::string> words;
    for (const ask::Field& field : optionFields()) {
        if (!field.words.help.empty()) {
            for (const std::string& word : optionWords(field, &question, &usual)) {
                words.push_back(word);
            }
        }
    }
    return words;
}

} // namespace

class FieldOptionsTest : public QObject {
    Q_OBJECT

private slots:

    void wordsAreReadBack() {
        for (const OptionQuestion& question :
             {OptionQuestion{}, OptionQuestion{9, 2.5, false, true, "[a,b]", {"a=1", "b=2"}},
              OptionQuestion{1, 0, true, true, "--users", {}}}) {
            const auto [read, refusal] = parsed(wordsFor(question));
            QCOMPARE(refusal, std::string());
            QVERIFY(read == question);
        }
    }

    void flagsTakeTheDefaultAway() {
        QVERIFY(!parsed({"--no-cache"}).first.cache);
        QVERIFY(parsed({"--no-cache=false"}).first.cache);
        QVERIFY(!parsed({"--cache=false"}).first.cache);
        QVERIFY(parsed({"--async"}).first.async);
        QVERIFY(!parsed({"--async=false"}).first.async);
    }

    void olderNamesAreUnderstoodAndNotListed() {
        QCOMPARE(parsed({"--people", "14"}).first.users, std::int64_t{14});
        QVERIFY(parsed({"--asynchronous"}).first.async);
        QVERIFY(!parsed({"--made/people", "14"}).second.empty()); // a setting's
        CLI::App app;
        ask::Question question = ask::Question::of(OptionQuestion());
        addFields(app, optionFields(), question.data());
        const std::string help = app.help();
        QVERIFY(help.find("--users N") != std::string::npos);
        QVERIFY(help.find("How many (8) [1..4096]") != std::string::npos);
        QVERIFY(help.find("Who:") != std::string::npos);
        QVERIFY(help.find("--people") == std::string::npos && help.find("--cache ") == std::string::npos);
        QVERIFY(app.get_option_no_throw("--silent") == nullptr);
    }

    void refusalsNameWhatIsTaken() {
        QCOMPARE(parsed({"--users", "0"}).second, std::string("--users takes 1..4096, not '0'"));
        QCOMPARE(parsed({"--people", "x"}).second, std::string("--people takes 1..4096, not 'x'"));
        QCOMPARE(parsed({"--seconds", "11"}).second, std::string("--seconds takes 0..10 or none, not '11'"));
        QCOMPARE(parsed({"--tag", "a"}).second, std::string("--tag takes KEY=VALUE, not 'a'"));
        QVERIFY(parsed({"--users", "0"}).first == OptionQuestion());
    }

    void listsTakeRangesAndNone() {
        CLI::App app;
        FieldList list;
        addFieldList(app, optionFields().front(), list, "N,A:B,none", "How many");
        parseLiterally(app, {"--users", "1:3,none"});
        QVERIFY((list.values == std::vector<std::int64_t>{0, 1, 2, 3}));
        QCOMPARE(list.word, std::string("1:3,none"));
        try {
            parseLiterally(app, {"--users", "0:3"});
            QFAIL("0 is out of range");
        } catch (const CLI::ParseError& error) {
            QCOMPARE(std::string(error.what()),
                     std::string("--users takes N,A:B,none of 1..4096, 4096 numbers at most, not '0:3'"));
        }
    }

    void wordsByPositionAreTakenAsTheyAre() {
        const std::vector<std::string> odd = {"{}", "%%"};
        const OptionQuestion read = placed({"here", "{}", "%%"}).first;
        QCOMPARE(read.place, std::string("here"));
        QVERIFY(read.paths == odd);
        QVERIFY(placed({"here", "[a,b]"}).first.paths == std::vector<std::string>{"[a,b]"});
        QVERIFY(!placed({}).second.empty()); // a place is required, paths are not
        QVERIFY(placed({"here"}).second.empty());
    }

    void anOptionHasAsManyWordsAsItsFieldSays() {
        QVERIFY(placed({"x", "--pair", "a", "b"}).first.pair == (std::vector<std::string>{"a", "b"}));
        QVERIFY(!placed({"x", "--pair", "a"}).second.empty());
        QVERIFY(placed({"x", "--all", "a", "b", "c"}).first.all.size() == 3);
    }

    void placesStandInTheHelp() {
        CLI::App app;
        OptionQuestion question;
        addFields(app, placedFields(), &question);
        const std::string help = app.help();
        QVERIFY2(help.find("PLACE [PATH...]") != std::string::npos, help.c_str());
        QVERIFY2(help.find("  PATH ... ") != std::string::npos, help.c_str());
        QVERIFY2(help.find("--pair A B") != std::string::npos, help.c_str());
        QCOMPARE(app.get_option("PLACE")->get_type_name(), std::string("{near,far}")); // for completions
    }

    void onlyWhatIsWantedIsAdded() {
        CLI::App app;
        ask::Question question = ask::Question::of(OptionQuestion());
        addFields(app, optionFields(), question.data(),
                  [](const ask::Field& field) { return !field.traits.takesList; });
        QVERIFY(app.get_option_no_throw("--users") == nullptr);
        QVERIFY(app.get_option_no_throw("--seconds") != nullptr);
    }
};

QTEST_MAIN(FieldOptionsTest)

#include "field_options_test.moc"
