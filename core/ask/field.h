// One thing that a user can set, described once: forms, options, help, settings, undo and documents follow.
#pragma once

#include "core/ask/cell.h"
#include "core/ask/question.h"
#include "core/base/result.h"
#include "core/text/parse_number.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace loadline::ask {

/// One value of a few, in the order of its enum.
struct Choice {
    std::string_view key{}; ///< in options, settings and JSON
    std::string_view label{};
    std::string_view tip{};
    std::string_view said{}; ///< in comparisons; "": the key
};

/// How a field's value lies in the struct of its question. `question` points to that struct.
struct Access {
    enum class Type : std::uint8_t {
        Flag,
        Whole, ///< 64 bits, signed
        Seed,  ///< 64 bits, unsigned
        Real,
        Text,
        Chosen, ///< one of `choices`: its number
        Words   ///< text of a form of its own (FieldText), "poisson:2.5"
    };
    Type type = Type::Text;
    bool mayBeNone = false; ///< a number or text that can be left open
    Value (*get)(const void* question) = nullptr;
    /// Precondition: a value of the type, in range; monostate where it may be none.
    void (*set)(void* question, const Value& value) = nullptr;
    std::span<const Choice> choices{};
    const std::type_info* of = nullptr; ///< the struct
};

/// Which part of a form.
enum class FormPart : std::uint8_t { None, Sources, Asks, Holds, Costs, View, More };

/// How a form shows it.
struct FormPlace {
    FormPart part = FormPart::None;
    int rank = 0;
    std::string_view label{}; ///< "": FieldWords::name, with a capital
    std::string_view tip{};   ///< "": none where it has a label, else FieldWords::help
    bool (*isShown)(const void* question, const Sources& sources) = nullptr; ///< null: always
    /// Why it cannot be changed; empty where it can. Null: it always can.
    std::string (*whyNot)(const void* question, const Sources& sources) = nullptr;
    /// Name of a widget of ui's that edits it: "list", "file" (a list that ends in files), or the app's own.
    /// "": by its type.
    std::string_view editor{};
    bool showsTip = false; ///< the tip of its choice stands below it
};

enum class SliderScale : std::uint8_t {
    Linear,
    Log,   ///< every whole number that the slider can reach
    Binary ///< logarithmic, eight round numbers an octave
};

/// A number on a slider; the field beside it takes the whole range.
struct Slider {
    double least = 0, most = 0; ///< both 0: a button for each number of a short range, else all of it
    SliderScale scale = SliderScale::Log;
    std::string_view unit{};
    std::string_view off{};        ///< what "none" is called
    std::optional<double> usual{}; ///< marked; nothing: the default
    std::string_view each{};       ///< of buttons: the tip of a number, "Weights of {} bits"
    /// The number that `off` comes to, shown beside the name; nothing: not known, or it is not off.
    std::optional<double> (*standIn)(const void* question, const Sources& sources) = nullptr;
};

/// The field's name on a served engine's command line.
struct EngineWord {
    std::string_view name{};  ///< "max_num_batched_tokens"; "": the engine has none
    std::string_view means{}; ///< "token budget {}", for who pastes it
    bool atDefault = true;    ///< a command says it even where it is as by default
    bool zeroIsNone = false;  ///< the engine writes 0 for none
};

struct FieldWords {
    std::string_view name{};   ///< "max sequences": in comparisons and tables
    std::string_view help{};   ///< of the option
    std::string_view noun{};   ///< in sentences: "the most sequences"; "": "the " and the name
    std::string_view change{}; ///< what undo says is changed; "": the noun
    std::string_view group{};  ///< heading of its option in the help: "Who asks"
};

/// The text of a value whose text is a form of its own.
struct FieldText {
    std::string_view form{};     ///< "closed|poisson:RATE|trace"
    std::string_view number{};   ///< "RATE"
    NumberRange<double> range{}; ///< of that number
    std::string (*text)(const void* question) = nullptr;
    bool (*read)(void* question, std::string_view text) = nullptr;
    std::string_view limits{}; ///< what it may be, where the form does not say so
    /// The texts of an option that is given once for each, "mma=0.5"; `read` adds one.
    std::vector<std::string> (*several)(const void* question) = nullptr;
};

/// How a command line gives it.
struct CommandPlace {
    bool byPosition = false; ///< its words stand without a name and are called by its form: RUN_DIR
    bool isRequired = false;
    int words = 1; ///< of a field of several texts, behind one name; 0: any number
};

/// Rare traits.
struct FieldTraits {
    bool takesList = false; ///< in a sweep its option takes a list
    bool isOption = true;   ///< has an option of its own
    bool isSetting = true;  ///< kept in settings
    bool onlyView = false;  ///< nothing is computed anew when it changes
    FieldText text{};
    std::string_view none = "none"; ///< the word for "none"
    int digits = 2;                 ///< steps of a key or a grip have so many
    Form form = Form::Plain;        ///< for people
    std::span<const std::string_view>
        was{}; ///< older options ("--cache-model") and settings ("cache/model"): read, never written
    /// Values to choose from that depend on the sources.
    std::vector<std::string> (*choicesOf)(const Sources& sources) = nullptr;
    /// A field of several numbers, each with a grip: tiers' capacities.
    std::vector<double> (*parts)(const void* question) = nullptr;
    void (*setPart)(void* question, std::size_t part, double value) = nullptr;
    CommandPlace command{};
};

/// "ttl-s": its option is --ttl-s, its setting "cache/ttl-s", its input in JSON "ttl_s".
struct Field {
    std::string_view key{};
    Access access{};
    FieldWords words{};
    NumberRange<double> range{}; ///< of numbers; of seeds: all
    FormPlace form{};
    Slider slider{};
    FieldTraits traits{};
    EngineWord engine{};
};

using Fields = std::span<const Field>;

/// A number of a form's first part whose name is its key.
inline Field numberField(std::string_view key, Access access, std::string_view help,
                         NumberRange<double> range, FormPart part = FormPart::Asks) {
    return {.key = key,
            .access = access,
            .words = {.name = key, .help = help},
            .range = range,
            .form = {.part = part}};
}

/// Null: there is none of this key.
const Field* findField(Fields fields, std::string_view key);
/// Precondition: there is one of this key.
const Field& fieldOf(Fields fields, std::string_view key);

/// "--max-seqs"; "--no-chunked-prefill": a flag that is on by default has an option that takes it away.
/// `defaults`: the question as nobody has set anything.
std::string optionOf(const Field& field, const void* defaults);
/// "ttl_s": its key in documents.
std::string inputKeyOf(const Field& field);
/// "N", "X|none", "closed|poisson:RATE|trace": what stands behind an option in its help; "" of a flag.
std::string formOf(const Field& field);
/// "1..4096 or none": which values; "" where the form says it.
std::string takesOf(const Field& field);

/// The value as an option and a setting write it: "8192", "none", "poisson:2.5", "true".
std::string textOf(const Field& field, const void* question);
/// Reads that; false, and the question as it was, for anything else and what is out of range.
bool readText(const Field& field, std::string_view text, void* question);
/// The value for people: "8 192", "none", "on".
std::string wordOf(const Field& field, const void* question);
/// The value as a cell of a document.
Cell inputOf(const Field& field, const void* question);
/// Nothing: it is none, or not a number.
std::optional<double> numberOf(const Field& field, const void* question);
/// Rounded where it must be whole; nothing makes it none where it can be, else changes nothing.
void setNumber(const Field& field, std::optional<double> number, void* question);
/// True if it is a whole number; nothing of what is no number.
std::optional<bool> isWhole(const Field& field);
/// The number of the choice; 0 where it is none of a few.
int chosenOf(const Field& field, const void* question);
void choose(const Field& field, int choice, void* question);

/// A number out of its range, in a sentence's worth of Error.
std::optional<Error> problemOf(const Field& field, const void* question);
bool isShown(const Field& field, const void* question, const Sources& sources);
/// The number that "none" comes to; nothing: it is set, it has no such number, or nobody knows.
std::optional<double> standInOf(const Field& field, const void* question, const Sources& sources);
/// Why it cannot be changed; empty where it can.
std::string whyNot(const Field& field, const void* question, const Sources& sources);
/// "Change the users"
std::string nameOfChange(const Field& field);
/// "the most sequences"
std::string nounOf(const Field& field);

namespace detail {

template <typename T>
struct Held {
    using Type = T;
    static constexpr bool mayBeNone = false;
};

template <typename T>
struct Held<std::optional<T>> {
    using Type = T;
    static constexpr bool mayBeNone = true;
};

template <typename M>
struct MemberOf;

template <typename Struct, typename Member>
struct MemberOf<Member Struct::*> {
    using Of = Struct;
};

template <typename T>
constexpr Access::Type typeOf() {
    if constexpr (std::is_same_v<T, bool>) {
        return Access::Type::Flag;
    } else if constexpr (std::is_enum_v<T>) {
        return Access::Type::Chosen;
    } else if constexpr (std::is_floating_point_v<T>) {
        return Access::Type::Real;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        return Access::Type::Seed;
    } else if constexpr (std::is_integral_v<T>) {
        return Access::Type::Whole;
    } else {
        static_assert(std::is_same_v<T, std::string>, "other types have a text of their own");
        return Access::Type::Text;
    }
}

template <auto first, auto... below>
struct Place {
    using Of = typename MemberOf<decltype(first)>::Of;

    static const auto& in(const void* question) {
        return ((*static_cast<const Of*>(question).*first).*....*below);
    }

    static auto& in(void* question) { return ((*static_cast<Of*>(question).*first).*....*below); }

    using Member = std::remove_cvref_t<decltype(in(static_cast<void*>(nullptr)))>;
    using Type = typename Held<Member>::Type;
    static constexpr bool mayBeNone = Held<Member>::mayBeNone;
    static constexpr bool isOneOfValue = std::is_same_v<Type, std::string> || std::is_same_v<Type, bool> ||
                                         std::is_same_v<Type, std::uint64_t>;

    static Value get(const void* question) {
        const auto valueOf = [](const Type& held) {
            if constexpr (isOneOfValue) {
                return Value(held);
            } else if constexpr (std::is_floating_point_v<Type>) {
                return Value(static_cast<double>(held));
            } else {
                return Value(static_cast<std::int64_t>(held));
            }
        };
        if constexpr (mayBeNone) {
            const auto& held = in(question);
            return held ? valueOf(*held) : Value();
        } else {
            return valueOf(in(question));
        }
    }

    static void set(void* question, const Value& value) {
        auto& held = in(question);
        if (std::holds_alternative<std::monostate>(value)) {
            if constexpr (mayBeNone) {
                held.reset();
            }
        } else {
            using Number = std::conditional_t<std::is_floating_point_v<Type>, double, std::int64_t>;
            held = static_cast<Type>(std::get<std::conditional_t<isOneOfValue, Type, Number>>(value));
        }
    }
};

} // namespace detail

/// The place of a member, and of a member below it: bound<&Request::policy, &Policy::maxSeqs>. One row may be
/// bound to several structs. Of an enum its choices, in its order.
template <auto first, auto... below>
constexpr Access bound(std::span<const Choice> choices = {}) {
    using Place = detail::Place<first, below...>;
    return {detail::typeOf<typename Place::Type>(),
            Place::mayBeNone,
            &Place::get,
            &Place::set,
            choices,
            &typeid(typename Place::Of)};
}

/// The place of a value that has a text of its own (FieldTraits::text).
template <typename Struct>
constexpr Access inWords() {
    return {Access::Type::Words, false, nullptr, nullptr, {}, &typeid(Struct)};
}

/// Functions of a row that know the struct: `use`(const Struct&).
template <auto use, typename Struct>
std::string textBy(const void* question) {
    return use(*static_cast<const Struct*>(question));
}

/// `use`(Struct&, std::string_view).
template <auto use, typename Struct>
bool readBy(void* question, std::string_view text) {
    return use(*static_cast<Struct*>(question), text);
}

} // namespace loadline::ask
