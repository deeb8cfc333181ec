// Questions and their sources with erased types: faces hold them and compare them.
#pragma once

#include <any>
#include <cassert>
#include <map>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <utility>

namespace loadline::ask {

/// A study's own struct of settings, comparable. Copies are independent.
class Question {
public:
    Question() = default;

    template <typename Q>
    static Question of(Q value) {
        Question question;
        question.held_ = std::move(value);
        question.ops_ = &opsOf<Q>;
        return question;
    }

    /// Precondition: it is of this type.
    template <typename Q>
    [[nodiscard]] const Q& as() const {
        const Q* value = std::any_cast<Q>(&held_);
        assert(value != nullptr);
        return *value;
    }

    template <typename Q>
    [[nodiscard]] Q& as() {
        Q* value = std::any_cast<Q>(&held_);
        assert(value != nullptr);
        return *value;
    }

    [[nodiscard]] bool isEmpty() const { return ops_ == nullptr; }

    /// The struct's type; Precondition: not empty.
    [[nodiscard]] const std::type_info& type() const { return held_.type(); }

    /// The struct itself, for the functions of a Field; null when empty.
    [[nodiscard]] const void* data() const { return ops_ == nullptr ? nullptr : ops_->get(held_); }

    [[nodiscard]] void* data() { return ops_ == nullptr ? nullptr : const_cast<void*>(ops_->get(held_)); }

    bool operator==(const Question& other) const {
        return ops_ == other.ops_ && (ops_ == nullptr || ops_->equal(held_, other.held_));
    }

private:
    struct Ops {
        bool (*equal)(const std::any&, const std::any&);
        const void* (*get)(const std::any&);
    };

    template <typename Q>
    static constexpr Ops opsOf{
        [](const std::any& a, const std::any& b) { return *std::any_cast<Q>(&a) == *std::any_cast<Q>(&b); },
        [](const std::any& a) { return static_cast<const void*>(std::any_cast<Q>(&a)); }};

    std::any held_;
    const Ops* ops_ = nullptr;
};

/// The inputs of a study, at most one value a type: a corpus in its scope, a trace, a log, a profile.
/// Equal: the same objects.
class Sources {
public:
    template <typename T>
    void put(std::shared_ptr<const T> value) {
        if (value) {
            held_[std::type_index(typeid(T))] = std::move(value);
        } else {
            held_.erase(std::type_index(typeid(T)));
        }
    }

    /// Null where there is none.
    template <typename T>
    [[nodiscard]] const T* get() const {
        const auto found = held_.find(std::type_index(typeid(T)));
        return found == held_.end() ? nullptr : static_cast<const T*>(found->second.get());
    }

    template <typename T>
    [[nodiscard]] std::shared_ptr<const T> shared() const {
        const auto found = held_.find(std::type_index(typeid(T)));
        return found == held_.end() ? nullptr : std::static_pointer_cast<const T>(found->second);
    }

    bool operator==(const Sources&) const = default;

private:
    std::map<std::type_index, std::shared_ptr<const void>> held_;
};

} // namespace loadline::ask
