#include "analysis/trace_files/draft_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/trace_files/file_handle.h"

namespace photon::analysis {

namespace {

constexpr int kMaxLinks = 40;  // as the kernel: more are a circle

// The usual permissions of a new file of this user.
mode_t usual_permissions() {
  const mode_t hidden = ::umask(0);
  ::umask(hidden);
  return 0666 & ~hidden;
}

// A rename is durable only once the folder is on the disk, too. Not every file system
// supports that.
void sync_folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const int opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (opened < 0) return;
  ::fsync(opened);
  ::close(opened);
}

// Renames, but not onto another file: EEXIST. Not every file system supports that: then links are
// tried, and without links a check followed by a rename.
bool rename_onto_nothing(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str()) == 0;
  if (errno == EEXIST) return false;
  struct stat info {};
  if (::lstat(to.c_str(), &info) == 0) {
    errno = EEXIST;
    return false;
  }
  return std::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

std::string target_of(const std::string& name) {
  namespace fs = std::filesystem;
  fs::path path = name;
  std::error_code error;
  for (int links = 0; links < kMaxLinks && fs::is_symlink(path, error); ++links) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;  // an absolute `next` replaces the whole
  }
  return path.string();
}

void make_folders_of(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
}

FileError cannot_write(const std::string& name) {
  const char* remedy = errno == ENOSPC ? "free space on that disk or choose another file"
                                       : "choose a file that can be written";
  return {name, std::string("it cannot be written (") + std::strerror(errno) + ")", remedy};
}

struct DraftFile::State {
  std::string name;
  std::string path;
  std::string target;
  File file;
  bool special = false;

  bool open_draft(mode_t permissions) {
    path = target + ".part-XXXXXX";
    const int descriptor = ::mkstemp(path.data());
    if (descriptor < 0) {
      path.clear();
      return false;
    }
    ::fchmod(descriptor, permissions);
    file.reset(::fdopen(descriptor, "wb"));
    return file != nullptr;
  }

  // Sets errno and returns false on a failure.
  bool open() {
    struct stat info {};
    if (::stat(target.c_str(), &info) != 0) return open_draft(usual_permissions());
    errno = EISDIR;
    if (S_ISDIR(info.st_mode)) return false;
    special = !S_ISREG(info.st_mode);
    if (special) {
      path = target;
      file.reset(std::fopen(path.c_str(), "wb"));
      return file != nullptr;
    }
    // Renaming needs only the folder's permission; check that the existing file may be replaced.
    return ::access(target.c_str(), W_OK) == 0 && open_draft(info.st_mode & 0777);
  }

  bool close() {
    errno = EIO;  // of an earlier failed write; the writer knows the cause
    const bool flushed = std::ferror(file.get()) == 0 && std::fflush(file.get()) == 0;
    const bool synced = flushed && (special || ::fsync(::fileno(file.get())) == 0);
    const int reason = errno;
    const bool closed = std::fclose(file.release()) == 0;
    if (!synced) errno = reason;
    return synced && closed;
  }

  void published() {
    path.clear();
    sync_folder_of(target);
  }

  void discard() {
    const int reason = errno;
    file.reset();
    if (!special && !path.empty()) ::unlink(path.c_str());
    path.clear();
    errno = reason;
  }
};

DraftFile::DraftFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
DraftFile::DraftFile(DraftFile&&) noexcept = default;
DraftFile& DraftFile::operator=(DraftFile&& other) noexcept {
  if (state_) state_->discard();
  state_ = std::move(other.state_);
  return *this;
}

DraftFile::~DraftFile() {
  if (state_) state_->discard();
}

Result<DraftFile, FileError> DraftFile::create(const std::string& name) {
  auto state = std::make_unique<State>();
  state->name = name;
  state->target = target_of(name);
  make_folders_of(state->target);
  if (state->open()) return DraftFile(std::move(state));
  FileError error = cannot_write(name);
  state->discard();
  return error;
}

const std::string& DraftFile::name() const { return state_->name; }
const std::string& DraftFile::path() const { return state_->path; }
const std::string& DraftFile::target() const { return state_->target; }
std::FILE* DraftFile::stream() const { return state_->file.get(); }

Result<void, FileError> DraftFile::replace() {
  State& state = *state_;
  const bool done = state.close() &&
                    (state.special || std::rename(state.path.c_str(), state.target.c_str()) == 0);
  if (done) {
    if (!state.special) state.published();
    return boost::outcome_v2::success();
  }
  FileError error = cannot_write(state.name);
  state.discard();
  return error;
}

Result<bool, FileError> DraftFile::take_free_name() {
  State& state = *state_;
  if (state.close() && rename_onto_nothing(state.path, state.target)) {
    state.published();
    return true;
  }
  const bool taken = errno == EEXIST;
  FileError error = cannot_write(state.name);
  state.discard();
  if (taken) return false;
  return error;
}

Result<void, FileError> write_file(const std::string& name, std::string_view text) {
  auto draft = DraftFile::create(name);
  if (!draft) return draft.assume_error();
  DraftFile& file = draft.assume_value();
  if (std::fwrite(text.data(), 1, text.size(), file.stream()) != text.size()) {
    return cannot_write(name);
  }
  return file.replace();
}

}  // namespace photon::analysis
