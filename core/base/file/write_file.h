// Files that appear whole or not at all.
#pragma once

#include "core/base/file/unfinished_file.h"
#include "core/base/result.h"

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

/// All of `text`, to an open descriptor that errors call `name`. A reader that went away (`| head`) is no
/// failure; a full disk is.
Status writeTo(int descriptor, std::string_view text, const std::string& name);

/// A file in the making: written beside its name, synced and renamed by commit(), so that under the name is
/// always the old file or the new one, whole. Without commit() nothing is left, also where a signal ends the
/// program by removeUnfinishedFiles(). Devices and pipes are written directly. After the first failure
/// nothing more is written, and commit() says which it was.
class NewFile {
public:
    /// `path`: links lead to the file that is replaced. Where it cannot be begun, commit() says so.
    explicit NewFile(std::string path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void append(std::string_view text);
    Status commit();

private:
    void begin();
    void note(bool good);

    std::string path_;
    std::string target_;
    std::string temporary_;                    ///< "": written directly
    std::optional<UnfinishedFile> unfinished_; ///< while the temporary file is there
    int descriptor_ = -1;
    mode_t mode_ = 0; ///< of the file that is replaced; 0: none
    int error_ = 0;   ///< errno of the first failure
};

/// The whole of `text` as a NewFile.
Status writeFile(const std::string& path, std::string_view text);
/// Returns an Error if writeFile could not begin: the folder is missing, or it or the file may not be written
/// to. Leaves nothing behind.
Status canWrite(const std::string& path);
/// Returns canWrite() for files in a folder that may have to be made, with all above it.
Status canWriteInto(const std::string& folder);
/// An Error when one of `outputs` is one of the files read, or a file of one of the folders, by whatever
/// name: results never overwrite what was read. New names beside it are free.
Status refuseToOverwrite(std::span<const std::string> outputs, std::span<const std::string> read);

/// Returns the Error for an errno of writing: the failure, and a remedy.
Error writeError(int number, const std::string& path);

} // namespace loadline
