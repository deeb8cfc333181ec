// The form of a simulation: what is shown, what a hand changes, what cannot be changed and why.
#include "core/simulate/request/simulation_fields.h"
#include "ui/form/field_form.h"
#include "ui/form/value_slider.h"
#include "ui/panel/part/segments.h"
#include "ui/theme/format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace loadline;
using namespace loadline::ui;

namespace {

FieldLists someLists() {
    return {{"workload",
             {{"reference", "published reference", "397 sessions", {}},
              {"open", "sessions in scope", "", "No sessions are open"}}},
            {"profile", {{"rtx4090-published", "RTX 4090, published", "", {}}}},
            {"shapes", {{"study", "Study", "", {}}, {"llama", "Llama", "", {}}}},
            {"rule", {{"code", "As in the code", "", {}}}}};
}

class SimulationForm : public FieldForm {
public:
    SimulationForm() : FieldForm(simulationFields(), ask::Question::of(SimulationRequest())) {}

    void setRequest(const SimulationRequest& request) { setQuestion(ask::Question::of(request)); }

    [[nodiscard]] const SimulationRequest& request() const { return question().as<SimulationRequest>(); }
};

} // namespace

class SimulationFormTest : public QObject {
    Q_OBJECT

private:
    static ValueSlider* sliderOf(const FieldForm& panel, std::string_view parameter) {
        return qobject_cast<ValueSlider*>(panel.control(parameter));
    }

    static ask::Sources sourcesOf(const SourceFacts& facts) {
        ask::Sources sources;
        sources.put(std::make_shared<const SourceFacts>(facts));
        return sources;
    }

private slots:

    void positionsAndValuesMatch() {
        ValueRange range;
        range.least = 1;
        range.most = 256;
        range.fieldMost = 4096;
        for (int users = 1; users <= 256; ++users) {
            const double back = valueAt(positionOf(users, range, 400), range, 400);
            QVERIFY2(std::abs(back - users) <= 0.012 * users + 0.5, qPrintable(QString::number(users)));
        }
        QCOMPARE(valueAt(0, range, 400), 1.0);
        QCOMPARE(valueAt(400, range, 400), 256.0);
        double last = 0;
        for (int position = 0; position <= 400; ++position) {
            const double value = valueAt(position, range, 400);
            QVERIFY(value >= last);
            last = value;
        }
        QCOMPARE(positionOf(4096, range, 400), 400); // the field may go beyond the slider
    }

    void fieldsReadWhatPeopleWrite() {
        ValueRange range;
        range.fieldLeast = 1;
        range.fieldMost = 100'000;
        range.off = "off";
        using Read = std::optional<std::optional<double>>;
        QVERIFY(fieldValue("8,192", range) == Read(std::optional<double>(8192.0)));
        QVERIFY(fieldValue(" 8k ", range) == Read(std::optional<double>(8000.0)));
        QVERIFY(fieldValue("OFF", range) == Read(std::in_place));
        for (const char* bad : {"", "0", "-3", "1.5", "200000", "nan", "inf", "1e99", "eight", "1e400"}) {
            QVERIFY2(!fieldValue(bad, range), bad);
        }
        range.off.clear();
        QVERIFY(!fieldValue("off", range));
    }

    void showsARequestWithoutAnswering() {
        SimulationForm panel;
        panel.setSources({}, someLists());
        const QSignalSpy changed(&panel, &FieldForm::changed);
        SimulationRequest request;
        request.arrivals.users = 3000;
        request.policy.chunkTokens = 384;
        request.weights = Storage::K2;
        request.shapes = "/somewhere/mine.json";
        panel.setRequest(request);
        QCOMPARE(changed.count(), 0);
        QVERIFY(panel.request() == request);
        QCOMPARE(sliderOf(panel, "users")->field()->text(), exactText(3000));
        QCOMPARE(sliderOf(panel, "chunk")->field()->text(), QString("384"));
        QCOMPARE(qobject_cast<Segments*>(panel.control("k"))->current(), 0);
        QCOMPARE(qobject_cast<QComboBox*>(panel.control("shapes"))->currentText(), QString("mine.json"));
    }

    void kIsAskedOfKBitWeightsOnly() {
        SimulationForm panel;
        panel.setSources({}, someLists());
        auto* k = qobject_cast<Segments*>(panel.control("k"));
        auto* weights = qobject_cast<QComboBox*>(panel.control("weights"));
        QVERIFY(k->isEnabled());
        QCOMPARE(weights->currentText(), QString("k = 4"));
        SimulationRequest request;
        request.weights = Storage::Fp8;
        panel.setRequest(request);
        QVERIFY(!k->isEnabled());
        QCOMPARE(k->current(), -1);
        QCOMPARE(weights->currentText(), QString("fp8"));
        request.weights = Storage::K3;
        panel.setRequest(request);
        QVERIFY(k->isEnabled());
        QCOMPARE(k->current(), 1);
    }

    void outputsAreAskedOfSessionsOnly() {
        SimulationForm panel;
        panel.setSources({}, someLists());
        auto* outputs = qobject_cast<Segments*>(panel.control("outputs"));
        QVERIFY(outputs);
        QVERIFY(!outputs->isVisibleTo(&panel));
        SimulationRequest request;
        request.workload = openWorkload;
        request.outputs = OutputCounts::Visible;
        panel.setRequest(request);
        QVERIFY(outputs->isVisibleTo(&panel));
        QCOMPARE(outputs->current(), 2);
        QSignalSpy changed(&panel, &FieldForm::changed);
        emit outputs->chosen(1);
        QCOMPARE(changed.count(), 1);
        QVERIFY(panel.request().outputs == OutputCounts::Recorded);
        QCOMPARE(changed[0][2].value<ask::Field>().key, std::string_view("outputs"));
        request.workload = "/somewhere/sessions";
        panel.setRequest(request);
        QVERIFY(!outputs->isVisibleTo(&panel));
        panel.setSources(sourcesOf({.knowsOutputs = true}), someLists()); // once they are read
        QVERIFY(outputs->isVisibleTo(&panel));
    }

    void aDragIsUnfinishedUntilTheHandLetsGo() {
        SimulationForm panel;
        panel.resize(280, 900);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QSignalSpy changed(&panel, &FieldForm::changed);
        QSlider* slider = sliderOf(panel, "users")->slider();
        slider->setSliderDown(true);
        slider->setSliderPosition(300);
        slider->setSliderPosition(310);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(changed[1][1].toBool(), false);
        slider->setSliderDown(false);
        QCOMPARE(changed.count(), 3);
        QCOMPARE(changed[2][1].toBool(), true);
        QVERIFY(panel.request().arrivals.users > 8);
    }

    void wheelsDoNotChangeWhatHasNoFocus() {
        SimulationForm panel;
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QSignalSpy changed(&panel, &FieldForm::changed);
        QSlider* slider = sliderOf(panel, "budget")->slider();
        slider->clearFocus();
        QWheelEvent wheel(QPointF(5, 5), slider->mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(slider, &wheel);
        QCOMPARE(changed.count(), 0);
    }

    void theFieldTakesGoodNumbersOnly() {
        SimulationForm panel;
        QSignalSpy changed(&panel, &FieldForm::changed);
        ValueSlider* users = sliderOf(panel, "users");
        users->field()->setText("4096");
        emit users->field()->editingFinished();
        QCOMPARE(panel.request().arrivals.users, std::int64_t{4096});
        QCOMPARE(changed.count(), 1);
        users->field()->setText("5000");
        emit users->field()->editingFinished();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(users->field()->text(), exactText(4096));
    }

    void afterEnterTheKeysAreTheWindows() {
        SimulationForm panel;
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        ValueSlider* users = sliderOf(panel, "users");
        users->field()->setFocus();
        users->field()->selectAll();
        QTest::keyClicks(users->field(), "12");
        QTest::keyClick(users->field(), Qt::Key_Return);
        QCOMPARE(panel.request().arrivals.users, std::int64_t{12});
        QVERIFY(!users->field()->hasFocus());
        users->field()->setFocus();
        users->field()->selectAll();
        QTest::keyClicks(users->field(), "5000");
        QTest::keyClick(users->field(), Qt::Key_Return);
        QCOMPARE(panel.request().arrivals.users, std::int64_t{12});
        QCOMPARE(QToolTip::text(), QStringLiteral("A whole number from 1 to %1").arg(exactText(4096)));
    }

    void aDoubleClickOnTheNameGoesBackToTheDefault() {
        SimulationForm panel;
        SimulationRequest request;
        request.policy.chunkTokens = 100;
        panel.setRequest(request);
        ValueSlider* chunk = sliderOf(panel, "chunk");
        auto* label = chunk->findChild<QLabel*>();
        QTest::mouseDClick(label, Qt::LeftButton);
        QVERIFY(!panel.request().policy.chunkTokens);
        QCOMPARE(chunk->field()->text(), QString("off"));
    }

    void whatCannotBeChangedSaysWhy() {
        SimulationForm panel;
        panel.setSources({}, someLists());
        SimulationRequest request;
        request.policy.policy = Policy::Mlx;
        panel.setRequest(request);
        ValueSlider* budget = sliderOf(panel, "budget");
        QVERIFY(!budget->isEnabled());
        QVERIFY(budget->toolTip().contains("MLX"));
        QWidget* blocks = panel.control("kv-blocks");
        QVERIFY(!blocks->isEnabled());
        QVERIFY(blocks->toolTip().contains("vLLM"));
        request.policy.policy = Policy::VllmV1;
        panel.setRequest(request);
        QVERIFY(budget->isEnabled());
        QVERIFY(!budget->toolTip().isEmpty());
        auto* cache = panel.control("prefix-cache");
        QVERIFY(!cache->isEnabled());
        QVERIFY(cache->toolTip().contains("replay"));
    }

    void everyParameterHasAControlAndAName() {
        const SimulationForm panel;
        for (const ask::Field& field : simulationFields()) {
            QCOMPARE(panel.control(field.key) != nullptr, field.form.part != ask::FormPart::None);
            QVERIFY2(panel.control(field.key) == nullptr || nameOfChange(field).size() > 7,
                     std::string(field.key).c_str());
        }
    }

    void arrivalsDecideWhatIsShown() {
        SimulationForm panel;
        SimulationRequest request;
        request.scope = StepScope::GemmOnly;
        panel.setRequest(request);
        QVERIFY(!panel.control("users")->isHidden());
        QVERIFY(panel.control("rate")->isHidden());
        QVERIFY(panel.control("host-us")->isHidden());
        request.arrivals.kind = ArrivalKind::Poisson;
        request.scope = StepScope::WholeStep;
        panel.setRequest(request);
        QVERIFY(panel.control("users")->isHidden());
        QVERIFY(!panel.control("rate")->isHidden());
        QVERIFY(!panel.control("host-us")->isHidden());
    }

    void namingAFileIsAskedFor() {
        SimulationForm panel;
        panel.setSources({}, someLists());
        QSignalSpy file(&panel, &FieldForm::fileRequested);
        QSignalSpy changed(&panel, &FieldForm::changed);
        auto* box = qobject_cast<QComboBox*>(panel.control("profile"));
        emit box->activated(box->count() - 1);
        QCOMPARE(file.count(), 1);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(box->currentIndex(), 0);
    }

    void itFitsItsColumn() {
        SimulationForm panel;
        panel.setSources({}, someLists());
        const int before = panel.minimumSizeHint().width();
        panel.setMoreShown(true);
        panel.layout()->activate();
        QCOMPARE(panel.minimumSizeHint().width(), before); // room is there before it is needed
        QVERIFY2(panel.minimumSizeHint().width() <= 300,
                 qPrintable(QString::number(panel.minimumSizeHint().width())));
    }
};

QTEST_MAIN(SimulationFormTest)

#include "simulation_form_test.moc"
