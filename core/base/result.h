// A failed operation as a value: what went wrong, where, and what to try.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace loadline {

/// The reason why an operation failed, as one readable sentence in three parts. Being stopped is not an
/// error.
struct Error {
    std::string what;   ///< what went wrong ("cannot read the folder: permission denied")
    std::string where;  ///< path, line or option it happened at; may be empty
    std::string remedy; ///< what the user can try; may be empty

    /// "what: where; try: remedy", parts left out when empty.
    [[nodiscard]] std::string sentence() const;
    bool operator==(const Error&) const = default;
};

/// A value or the Error that kept it from being made.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {} // NOLINT(google-explicit-constructor): a value is a result

    Result(Error error) : state_(std::move(error)) {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool hasValue() const { return state_.index() == 0; }

    explicit operator bool() const { return hasValue(); }

    /// Precondition: hasValue().
    [[nodiscard]] T& value() { return std::get<0>(state_); }

    [[nodiscard]] const T& value() const { return std::get<0>(state_); }

    T& operator*() { return value(); }

    const T& operator*() const { return value(); }

    T* operator->() { return &value(); }

    const T* operator->() const { return &value(); }

    /// Precondition: !hasValue().
    [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

/// The result of an operation that yields nothing but may fail.
struct Done {};

using Status = Result<Done>;

} // namespace loadline
