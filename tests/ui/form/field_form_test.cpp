// A form of a made-up question: a widget for each kind of field, parts, refusals, editors of its own.
#include "ui/form/field_form.h"

#include "ui/form/value_slider.h"
#include "ui/panel/part/segments.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <array>

using namespace loadline;
using namespace loadline::ui;

namespace {

enum class MadeOrder : std::uint8_t { First, Largest };

struct MadeQuestion {
    std::int64_t users = 8;
    std::int64_t bits = 4;
    std::optional<double> seconds = {};
    bool cache = true;
    MadeOrder order = MadeOrder::First;
    MadeOrder way = MadeOrder::First;
    std::string workload = "none";
    std::string model = "small";
    std::string rule = "auto";
    double low = 0, high = 1;
    std::string tiers = "a";
    bool operator==(const MadeQuestion&) const = default;
};

struct MadeModels {
    std::vector<std::string> names;
};

constexpr std::array<ask::Choice, 2> madeOrders = {
    {{"first", "first", "First come, first served"}, {"largest", "largest", "The largest before others"}}};

std::string madeSpanText(const MadeQuestion& q) {
    return std::to_string(static_cast<int>(q.low)) + ":" + std::to_string(static_cast<int>(q.high));
}

bool readMadeSpan(MadeQuestion& q, std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto low = parseNumber<double>(text.substr(0, colon));
    const auto high = parseNumber<double>(text.substr(std::min(colon + 1, text.size())));
    q.low = low && high ? *low : q.low;
    q.high = low && high ? *high : q.high;
    return low && high;
}

std::vector<std::string> modelsIn(const ask::Sources& sources) {
    const auto* models = sources.get<MadeModels>();
    return models == nullptr ? std::vector<std::string>() : models->names;
}

std::optional<double> fiveSeconds(const void* /*question*/, const ask::Sources& /*sources*/) {
    return 5;
}

std::string whyNoUsers(const void* question, const ask::Sources& /*sources*/) {
    return static_cast<const MadeQuestion*>(question)->cache ? "" : "Users need the cache";
}

bool isCached(const void* question, const ask::Sources& /*sources*/) {
    return static_cast<const MadeQuestion*>(question)->cache;
}

ask::Fields madeFields() {
    using Q = MadeQuestion;
    using enum ask::FormPart;
    static const std::array rows = {
        ask::Field{.key = "users",
                   .access = ask::bound<&Q::users>(),
                   .words = {"users", "How many ask (8)"},
                   .range = {1, 4096},
                   .form = {.part = Asks, .rank = 2, .whyNot = whyNoUsers},
                   .slider = {1, 256}},
        ask::Field{.key = "bits",
                   .access = ask::bound<&Q::bits>(),
                   .words = {"bits"},
                   .range = {2, 5},
                   .form = {.part = Costs},
                   .slider = {.each = "Weights of {} bits"}},
        ask::Field{.key = "seconds",
                   .access = ask::bound<&Q::seconds>(),
                   .words = {"time to live"},
                   .range = {0, 600},
                   .form = {.part = Holds, .label = "Time", .tip = "How long"},
                   .slider = {.unit = "s", .off = "auto", .standIn = fiveSeconds}},
        ask::Field{
            .key = "cache", .access = ask::bound<&Q::cache>(), .words = {"cache"}, .form = {.part = More}},
        ask::Field{.key = "order",
                   .access = ask::bound<&Q::order>(madeOrders),
                   .words = {"order"},
                   .form = {.part = Asks, .rank = 1, .showsTip = true}},
        ask::Field{.key = "way",
                   .access = ask::bound<&Q::way>(madeOrders),
                   .words = {"way"},
                   .form = {.part = View, .isShown = isCached, .editor = "list"}},
        ask::Field{.key = "workload",
                   .access = ask::bound<&Q::workload>(),
                   .words = {"workload"},
                   .form = {.part = Sources, .editor = "file"}},
        ask::Field{.key = "model",
                   .access = ask::bound<&Q::model>(),
                   .words = {"model"},
                   .form = {.part = Costs},
                   .traits = {.choicesOf = modelsIn}},
        ask::Field{.key = "rule", .access = ask::bound<&Q::rule>(), .words = {"rule"}},
        ask::Field{.key = "span",
                   .access = ask::inWords<Q>(),
                   .words = {"span"},
                   .form = {.part = View},
                   .traits = {.text = {.form = "A:B",
                                       .text = ask::textBy<madeSpanText, Q>,
                                       .read = ask::readBy<readMadeSpan, Q>}}},
        ask::Field{.key = "tiers",
                   .access = ask::bound<&Q::tiers>(),
                   .words = {"tiers"},
                   .form = {.part = Holds, .editor = "tiers"}},
    };
    return rows;
}

/// A button that adds a letter.
FieldRow tiersRow(const ask::Field& field, const FormHand& hand) {
    auto* button = new QPushButton;
    QObject::connect(button, &QPushButton::clicked, button, [hand, button, &field] {
        hand.change(field, true, [&](void* question) {
            return ask::readText(field, button->text().toStdString() + "a", question);
        });
    });
    return {&field, button, button,
            [button, &field](const FormState& state) {
                button->setText(QString::fromStdString(ask::textOf(field, state.question.data())));
            },
            [](const QString& /*why*/) {}};
}

class MadeForm : public FieldForm {
public:
    MadeForm()
        : FieldForm(madeFields(), ask::Question::of(MadeQuestion()),
                    {{{ask::FormPart::Holds, "What the cache holds"}}, "a cache"}, {{"tiers", tiersRow}}) {}

    [[nodiscard]] const MadeQuestion& asked() const { return question().as<MadeQuestion>(); }

    template <typename Widget>
    [[nodiscard]] Widget* at(std::string_view key) const {
        return qobject_cast<Widget*>(control(key));
    }

    [[nodiscard]] QStringList words() const {
        QStringList words;
        for (const auto* label : findChildren<QLabel*>()) {
            words << label->text();
        }
        return words;
    }
};

} // namespace

class FieldFormTest : public QObject {
    Q_OBJECT

private slots:

    void eachKindHasItsWidget() {
        const MadeForm form;
        QVERIFY(form.at<ValueSlider>("users") && form.at<ValueSlider>("seconds"));
        QVERIFY(form.at<Segments>("bits") && form.at<Segments>("order"));
        QVERIFY(form.at<QCheckBox>("cache"));
        QVERIFY(form.at<QComboBox>("way") && form.at<QComboBox>("workload") && form.at<QComboBox>("model"));
        QVERIFY(form.at<QLineEdit>("span"));
        QVERIFY(form.at<QPushButton>("tiers"));
        QVERIFY(form.control("rule") == nullptr); // no part of the form
        for (const ask::Field& field : madeFields()) {
            if (const QWidget* control = form.control(field.key); control && field.key != "tiers") {
                const QString said =
                    control->accessibleName() + control->toolTip() +
                    (qobject_cast<const QCheckBox*>(control) ? form.at<QCheckBox>(field.key)->text()
                                                             : QString());
                QVERIFY2(!said.isEmpty(), std::string(field.key).c_str());
            }
        }
    }

    void partsHaveHeadingsAndLabels() {
        const MadeForm form;
        const QStringList words = form.words();
        QVERIFY(words.contains("Who asks"));
        QVERIFY(words.contains("What the cache holds")); // the question's own
        QVERIFY(words.contains("Users"));                // a name with a capital
        QVERIFY(words.contains("Time: 5"));              // what "auto" comes to
        QVERIFY(words.contains("First come, first served"));
        QVERIFY(form.at<ValueSlider>("users")->toolTip().startsWith("How many ask (8)\nDefault: 8"));
        QVERIFY(form.at<ValueSlider>("seconds")->toolTip().startsWith("How long\nDefault: auto s"));
    }

    void aChangeSaysWhatWasChanged() {
        MadeForm form;
        QSignalSpy changed(&form, &FieldForm::changed);
        emit form.at<Segments>("bits")->chosen(1);
        emit form.at<Segments>("order")->chosen(1);
        QCOMPARE(form.asked().bits, std::int64_t{3});
        QVERIFY(form.words().contains("The largest before others"));
        form.at<QPushButton>("tiers")->click();
        QCOMPARE(form.asked().tiers, std::string("aa"));
        QCOMPARE(changed.count(), 3);
        QVERIFY(changed[2][0].value<ask::Question>() == form.question());
        QCOMPARE(changed[2][1].toBool(), true);
        QCOMPARE(changed[1][2].value<ask::Field>().key, std::string_view("order"));
    }

    void whatIsSetElsewhereIsShown() {
        MadeForm form;
        const QSignalSpy changed(&form, &FieldForm::changed);
        form.setQuestion(ask::Question::of(MadeQuestion{.users = 3000,
                                                        .cache = false,
                                                        .way = MadeOrder::Largest,
                                                        .workload = "/a/mine.json",
                                                        .high = 9}));
        QCOMPARE(form.at<ValueSlider>("users")->field()->text(), QString("3\u202f000"));
        QVERIFY(!form.at<ValueSlider>("users")->isEnabled());
        QCOMPARE(form.at<ValueSlider>("users")->toolTip(), QString("Users need the cache"));
        QVERIFY(form.at<QComboBox>("way")->parentWidget()->isHidden());
        QCOMPARE(form.at<QComboBox>("way")->currentText(), QString("largest"));
        QCOMPARE(form.at<QComboBox>("workload")->currentText(), QString("mine.json"));
        QCOMPARE(form.at<QLineEdit>("span")->text(), QString("0:9"));
        QCOMPARE(changed.count(), 0);
    }

    void linesTakeWhatTheFieldReads() {
        MadeForm form;
        QSignalSpy changed(&form, &FieldForm::changed);
        auto* span = form.at<QLineEdit>("span");
        const auto type = [&](const QString& text) {
            span->setText(text);
            span->setModified(true);
            emit span->editingFinished();
        };
        type("2:5");
        QCOMPARE(form.asked().high, 5.0);
        QCOMPARE(changed.count(), 1);
        type("2");
        QCOMPARE(changed.count(), 1);
        QCOMPARE(span->text(), QString("2:5"));
    }

    void listsComeFromSourcesOrTheApplication() {
        MadeForm form;
        ask::Sources sources;
        sources.put(std::make_shared<const MadeModels>(MadeModels{{"small", "large"}}));
        form.setSources(sources,
                        {{"workload", {{"none", "nothing", {}, {}}, {"open", "here", {}, "Closed"}}}});
        QCOMPARE(form.at<QComboBox>("model")->count(), 2);
        emit form.at<QComboBox>("model")->activated(1);
        QCOMPARE(form.asked().model, std::string("large"));
        auto* workload = form.at<QComboBox>("workload");
        QCOMPARE(workload->count(), 3); // and a file
        QVERIFY(!(workload->model()->flags(workload->model()->index(1, 0)) & Qt::ItemIsEnabled));
        QSignalSpy file(&form, &FieldForm::fileRequested);
        const QSignalSpy changed(&form, &FieldForm::changed);
        emit workload->activated(2);
        QCOMPARE(file.count(), 1);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(workload->currentIndex(), 0);
    }

    void moreIsFolded() {
        MadeForm form;
        QSignalSpy shown(&form, &FieldForm::moreShown);
        QVERIFY(!form.at<QCheckBox>("cache")->isVisibleTo(&form));
        form.findChild<QToolButton*>()->click();
        QVERIFY(form.at<QCheckBox>("cache")->isVisibleTo(&form));
        QCOMPARE(shown.count(), 1);
        form.at<QCheckBox>("cache")->click();
        QVERIFY(!form.asked().cache);
    }
};

QTEST_MAIN(FieldFormTest)

#include "field_form_test.moc"
