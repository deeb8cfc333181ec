// A library that may or may not be on this machine.
#pragma once

#include <string>
#include <vector>

namespace loadline::gpu {

class SharedLibrary {
public:
    SharedLibrary() = default;
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    /// Opens the first of `names` (sonames or paths) that can be opened; once open it stays so until the
    /// process ends: CUDA's libraries do not survive being closed.
    bool open(const std::vector<std::string>& names);
    [[nodiscard]] bool isOpen() const { return handle_ != nullptr; }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// Sets `function` to the symbol, or to nullptr.
    template <class Function>
    bool find(Function*& function, const char* symbol) const {
        function = reinterpret_cast<Function*>(symbolOf(symbol));
        return function != nullptr;
    }

private:
    void* symbolOf(const char* symbol) const;

    void* handle_ = nullptr;
    std::string name_;
};

} // namespace loadline::gpu
