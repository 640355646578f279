#include "analysis/trace_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <sys/stat.h>

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

namespace {

constexpr std::array<char, 8> kMagic{'p', 'h', 'o', 't', 'o', 'n', 't', 'r'};
constexpr std::array<char, 8> kTrailerMagic{'p', 'h', 'o', 't', 'o', 'n', 'e', 'n'};
constexpr std::size_t kBatch = 4096;  // records per write and per digest step
constexpr std::uint32_t kMaxHead = 64U << 20U;

struct FixedHead {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kTraceFormatVersion;
  std::uint32_t record_size = sizeof(trace::Record);
  std::uint32_t head_size = 0;
  std::uint32_t unused = 0;
  std::uint64_t head_digest = 0;
};

struct Trailer {
  std::array<char, 8> magic = kTrailerMagic;
  std::uint64_t records = 0;
  std::uint64_t digest = 0;
};

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

std::string reason() { return std::strerror(errno); }

FileError cannot_write(const std::string& file) {
  const char* remedy = errno == ENOSPC ? "free space on that disk or choose another file"
                                       : "choose a file that can be written";
  return {file, "the trace cannot be written (" + reason() + ")", remedy};
}

FileError not_whole(const std::string& file, std::string cause) {
  return {file, std::move(cause), "write the trace again with `photonsim run ... --trace FILE`"};
}

// Batches are digested one after the other, so that reader and writer agree on any length.
std::uint64_t digest_step(std::uint64_t digest, std::span<const trace::Record> records) {
  return hash_bytes(std::as_bytes(records), digest);
}

bool write_all(std::FILE* file, const void* data, std::size_t size) {
  return size == 0 || std::fwrite(data, 1, size, file) == size;
}

bool read_all(std::FILE* file, void* data, std::size_t size) {
  return size == 0 || std::fread(data, 1, size, file) == size;
}

// Only a plain file is removed again: never a device such as /dev/full.
void remove_plain_file(const std::string& name) {
  struct stat info {};
  if (::lstat(name.c_str(), &info) == 0 && S_ISREG(info.st_mode)) std::remove(name.c_str());
}

}  // namespace

struct TraceWriter::State {
  std::string name;
  File file;
  std::vector<trace::Record> batch;
  Trailer trailer{};
  std::optional<FileError> error;
  bool finished = false;

  void flush() {
    if (error || batch.empty()) return;
    trailer.digest = digest_step(trailer.digest, batch);
    errno = 0;
    if (!write_all(file.get(), batch.data(), batch.size() * sizeof(trace::Record))) {
      error = cannot_write(name);
    }
    batch.clear();
  }
};

TraceWriter::TraceWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}

TraceWriter::~TraceWriter() {
  if (state_->finished) return;
  state_->file.reset();
  remove_plain_file(state_->name);
}

Result<std::unique_ptr<TraceWriter>, FileError> TraceWriter::create(const std::string& file,
                                                                    const TraceHead& head) {
  auto state = std::make_unique<State>();
  state->name = file;
  errno = 0;
  state->file.reset(std::fopen(file.c_str(), "wb"));
  if (state->file == nullptr) return cannot_write(file);
  Bytes encoded;
  Encoder encode(encoded);
  TraceHead::each_field(head, encode);
  FixedHead fixed;
  fixed.head_size = static_cast<std::uint32_t>(encoded.size());
  fixed.head_digest = hash_bytes(encoded);
  state->batch.reserve(kBatch);
  const bool written = write_all(state->file.get(), &fixed, sizeof fixed) &&
                       write_all(state->file.get(), encoded.data(), encoded.size()) &&
                       std::fflush(state->file.get()) == 0;
  if (!written) {
    FileError error = cannot_write(file);
    state->file.reset();
    remove_plain_file(file);
    return error;
  }
  return std::unique_ptr<TraceWriter>(new TraceWriter(std::move(state)));
}

void TraceWriter::record(const trace::Record& record) {
  ++state_->trailer.records;
  state_->batch.push_back(record);
  if (state_->batch.size() >= kBatch) state_->flush();
}

std::uint64_t TraceWriter::records() const { return state_->trailer.records; }

Result<void, FileError> TraceWriter::finish() {
  State& state = *state_;
  if (!state.finished && !state.error) {
    state.flush();
    errno = 0;
    const bool written = !state.error &&
                         write_all(state.file.get(), &state.trailer, sizeof state.trailer) &&
                         std::fflush(state.file.get()) == 0;
    if (!written && !state.error) state.error = cannot_write(state.name);
  }
  if (state.file != nullptr) {
    errno = 0;
    if (std::fclose(state.file.release()) != 0 && !state.error) {
      state.error = cannot_write(state.name);
    }
  }
  if (state.error) {
    if (!state.finished) remove_plain_file(state.name);
    state.finished = true;
    return *state.error;
  }
  state.finished = true;
  return boost::outcome_v2::success();
}

struct TraceReader::State {
  std::string name;
  File file;
  TraceHead head;
  Trailer trailer{};
  long first_record = 0;
};

TraceReader::TraceReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceReader::TraceReader(TraceReader&&) noexcept = default;
TraceReader& TraceReader::operator=(TraceReader&&) noexcept = default;
TraceReader::~TraceReader() = default;

namespace {

// Reads and checks the two heads.
std::optional<FileError> read_head(const std::string& name, std::FILE* file, TraceHead& head) {
  FixedHead fixed;
  if (!read_all(file, &fixed, sizeof fixed) || fixed.magic != kMagic) {
    return not_whole(name, "it is not a photonsim trace");
  }
  if (fixed.version != kTraceFormatVersion || fixed.record_size != sizeof(trace::Record)) {
    return not_whole(name, "it was written by another version of photonsim (format " +
                               std::to_string(fixed.version) + ", records of " +
                               std::to_string(fixed.record_size) + " bytes)");
  }
  if (fixed.head_size > kMaxHead) return not_whole(name, "its head is damaged");
  Bytes encoded(fixed.head_size);
  if (!read_all(file, encoded.data(), encoded.size())) return not_whole(name, "it is truncated");
  Decoder decode(encoded);
  const bool sound = hash_bytes(encoded) == fixed.head_digest;
  if (sound) TraceHead::each_field(head, decode);
  if (!sound || !decode.ok()) return not_whole(name, "its head is damaged");
  return std::nullopt;
}

// The trailer must be where the count of records says that the file ends.
std::optional<FileError> read_trailer(const std::string& name, std::FILE* file, Trailer& trailer) {
  const long first = std::ftell(file);
  const bool found = std::fseek(file, 0, SEEK_END) == 0;
  const long size = found ? std::ftell(file) : -1;
  const auto tail = static_cast<long>(sizeof(Trailer));
  if (size < first + tail || std::fseek(file, size - tail, SEEK_SET) != 0 ||
      !read_all(file, &trailer, sizeof trailer) || trailer.magic != kTrailerMagic) {
    return not_whole(name, "it is truncated: the run that wrote it did not end");
  }
  const auto body = static_cast<std::uint64_t>(size - tail - first);
  if (body / sizeof(trace::Record) != trailer.records || body % sizeof(trace::Record) != 0) {
    return not_whole(name, "it is damaged: its length and its count of records disagree");
  }
  std::fseek(file, first, SEEK_SET);
  return std::nullopt;
}

}  // namespace

Result<TraceReader, FileError> TraceReader::open(const std::string& file) {
  auto state = std::make_unique<State>();
  state->name = file;
  errno = 0;
  struct stat info {};
  if (::stat(file.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return FileError{file, "it is a directory", "name a trace file"};
  }
  state->file.reset(std::fopen(file.c_str(), "rb"));
  if (state->file == nullptr) {
    return FileError{file, "the trace cannot be read (" + reason() + ")",
                     "name a file that `photonsim run ... --trace FILE` wrote"};
  }
  if (auto error = read_head(file, state->file.get(), state->head)) return *error;
  state->first_record = std::ftell(state->file.get());
  if (auto error = read_trailer(file, state->file.get(), state->trailer)) return *error;
  return TraceReader(std::move(state));
}

const TraceHead& TraceReader::head() const { return state_->head; }
std::uint64_t TraceReader::records() const { return state_->trailer.records; }

Result<void, FileError> TraceReader::replay(trace::Sink& sink) {
  State& state = *state_;
  std::fseek(state.file.get(), state.first_record, SEEK_SET);
  std::vector<trace::Record> batch(kBatch);
  std::uint64_t left = state.trailer.records;
  std::uint64_t digest = 0;
  while (left > 0) {
    const std::size_t count = left < kBatch ? static_cast<std::size_t>(left) : kBatch;
    const std::span<trace::Record> records(batch.data(), count);
    if (!read_all(state.file.get(), records.data(), records.size_bytes())) {
      return not_whole(state.name, "it cannot be read to its end");
    }
    digest = digest_step(digest, records);
    for (const trace::Record& record : records) sink.record(record);
    left -= count;
  }
  if (digest != state.trailer.digest) {
    return not_whole(state.name, "it is damaged: the digest of its records is wrong");
  }
  return boost::outcome_v2::success();
}

}  // namespace photon::analysis
