#include "analysis/trace_files/trace_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "analysis/trace_files/draft_file.h"
#include "analysis/trace_files/file_handle.h"
#include "analysis/trace_files/trace_check.h"
#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

namespace {

constexpr std::array<char, 8> kMagic{'p', 'h', 'o', 't', 'o', 'n', 't', 'r'};
constexpr std::array<char, 8> kTrailerMagic{'p', 'h', 'o', 't', 'o', 'n', 'e', 'n'};
constexpr std::size_t kBatch = 4096;            // records per write and per digest step
constexpr std::uint32_t kMaxHead = 64U << 20U;  // of the end, too

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
  std::uint32_t end_size = 0;
  std::uint32_t unused = 0;
  std::uint64_t end_digest = 0;
};

std::string reason() { return std::strerror(errno); }

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

template <class Fields>
Bytes encoded(const Fields& fields) {
  Bytes bytes;
  Encoder encode(bytes);
  Fields::each_field(fields, encode);
  return bytes;
}

}  // namespace

struct TraceWriter::State {
  DraftFile draft;
  std::vector<trace::Record> batch{};
  Trailer trailer{};
  std::optional<FileError> error{};
  bool finished = false;

  void write(const void* data, std::size_t size) {
    if (error) return;
    errno = 0;
    if (!write_all(draft.stream(), data, size)) error = cannot_write(draft.name());
  }

  void flush() {
    if (error || batch.empty()) return;
    trailer.digest = digest_step(trailer.digest, batch);
    write(batch.data(), batch.size() * sizeof(trace::Record));
    batch.clear();
  }
};

TraceWriter::TraceWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceWriter::~TraceWriter() = default;

Result<std::unique_ptr<TraceWriter>, FileError> TraceWriter::create(const std::string& file,
                                                                    const TraceHead& head) {
  auto draft = DraftFile::create(file);
  if (!draft) return draft.assume_error();
  auto state = std::make_unique<State>(State{std::move(draft).assume_value()});
  const Bytes description = encoded(head);
  FixedHead fixed;
  fixed.head_size = static_cast<std::uint32_t>(description.size());
  fixed.head_digest = hash_bytes(description);
  state->batch.reserve(kBatch);
  state->write(&fixed, sizeof fixed);
  state->write(description.data(), description.size());
  // A full disk is noticed before the run.
  if (!state->error && std::fflush(state->draft.stream()) != 0) state->error = cannot_write(file);
  if (state->error) return *state->error;
  return std::unique_ptr<TraceWriter>(new TraceWriter(std::move(state)));
}

void TraceWriter::record(const trace::Record& record) {
  ++state_->trailer.records;
  state_->batch.push_back(record);
  if (state_->batch.size() >= kBatch) state_->flush();
}

std::uint64_t TraceWriter::records() const { return state_->trailer.records; }

Result<void, FileError> TraceWriter::finish(const TraceEnd& end) {
  State& state = *state_;
  PHOTON_CHECK(!state.finished, "a trace is finished once");
  state.finished = true;
  state.flush();
  const Bytes last = encoded(end);
  state.trailer.end_size = static_cast<std::uint32_t>(last.size());
  state.trailer.end_digest = hash_bytes(last);
  state.write(last.data(), last.size());
  state.write(&state.trailer, sizeof state.trailer);
  if (state.error) return *state.error;
  return state.draft.replace();
}

struct TraceReader::State {
  std::string name;
  File file;
  TraceHead head;
  TraceEnd end;
  Trailer trailer{};
  long first_record = 0;
};

TraceReader::TraceReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceReader::TraceReader(TraceReader&&) noexcept = default;
TraceReader& TraceReader::operator=(TraceReader&&) noexcept = default;
TraceReader::~TraceReader() = default;

namespace {

template <class Fields>
bool decoded(const Bytes& bytes, std::uint64_t digest, Fields& fields) {
  if (hash_bytes(bytes) != digest) return false;
  Decoder decode(bytes);
  Fields::each_field(fields, decode);
  return decode.ok() && decode.remaining() == 0;
}

// Reads and checks the two heads.
std::optional<FileError> read_head(const std::string& name, std::FILE* file, TraceHead& head) {
  FixedHead fixed;
  if (!read_all(file, &fixed, sizeof fixed) || fixed.magic != kMagic) {
    return not_whole(name, "it is not a photonsim trace");
  }
  if (fixed.version != kTraceFormatVersion || fixed.record_size != sizeof(trace::Record)) {
    return not_whole(name, "it was written by another version of photonsim: format " +
                               std::to_string(fixed.version) + ", this program reads " +
                               std::to_string(kTraceFormatVersion) + " (records of " +
                               std::to_string(fixed.record_size) + " bytes)");
  }
  if (fixed.head_size > kMaxHead) return not_whole(name, "its head is damaged");
  Bytes bytes(fixed.head_size);
  if (!read_all(file, bytes.data(), bytes.size())) return not_whole(name, "it is truncated");
  if (!decoded(bytes, fixed.head_digest, head)) return not_whole(name, "its head is damaged");
  return std::nullopt;
}

// The trailer must be at the place given by the count of records and the length of the end.
std::optional<FileError> read_trailer(const std::string& name, std::FILE* file, Trailer& trailer,
                                      TraceEnd& end) {
  const long first = std::ftell(file);
  const bool found = std::fseek(file, 0, SEEK_END) == 0;
  const long size = found ? std::ftell(file) : -1;
  const auto tail = static_cast<long>(sizeof(Trailer));
  if (size < first + tail || std::fseek(file, size - tail, SEEK_SET) != 0 ||
      !read_all(file, &trailer, sizeof trailer) || trailer.magic != kTrailerMagic) {
    return not_whole(name, "it is truncated: the run that wrote it did not end");
  }
  const auto body = static_cast<std::uint64_t>(size - tail - first);
  const std::uint64_t records = body - std::min<std::uint64_t>(body, trailer.end_size);
  if (trailer.end_size > std::min<std::uint64_t>(body, kMaxHead) ||
      records / sizeof(trace::Record) != trailer.records || records % sizeof(trace::Record) != 0) {
    return not_whole(name, "it is damaged: its length and its count of records disagree");
  }
  Bytes bytes(trailer.end_size);
  if (std::fseek(file, size - tail - static_cast<long>(bytes.size()), SEEK_SET) != 0 ||
      !read_all(file, bytes.data(), bytes.size()) || !decoded(bytes, trailer.end_digest, end)) {
    return not_whole(name, "its end is damaged");
  }
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
  if (auto fault = fault_of(state->head.judge)) return not_whole(file, "it is damaged: " + *fault);
  if (auto error = read_trailer(file, state->file.get(), state->trailer, state->end)) {
    return *error;
  }
  return TraceReader(std::move(state));
}

const TraceHead& TraceReader::head() const { return state_->head; }
const TraceEnd& TraceReader::end() const { return state_->end; }
std::uint64_t TraceReader::records() const { return state_->trailer.records; }

// Passes all records to `take`, some at a time, and checks their digest.
template <class Take>
Result<void, FileError> TraceReader::each_batch(Take&& take) {
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
    take(records);
    left -= count;
  }
  if (digest != state.trailer.digest) {
    return not_whole(state.name, "it is damaged: the digest of its records is wrong");
  }
  return boost::outcome_v2::success();
}

// The first record that no program version could have written, with its place.
std::optional<FileError> TraceReader::first_fault(TraceCheck& check, std::uint64_t before,
                                                  std::span<const trace::Record> records) const {
  for (std::uint64_t i = 0; i < records.size(); ++i) {
    const auto fault = check.next(records[i]);
    if (!fault) continue;
    const std::uint64_t number = before + i;
    const auto first = static_cast<std::uint64_t>(state_->first_record);
    return not_whole(state_->name,
                     "it is damaged: record " + std::to_string(number + 1) + ", at byte " +
                         std::to_string(first + number * sizeof(trace::Record)) + ": " + *fault);
  }
  return std::nullopt;
}

Result<void, FileError> TraceReader::replay(trace::Sink& sink) {
  TraceCheck check(state_->head.judge);
  std::optional<FileError> fault;
  std::uint64_t checked = 0;
  auto whole = each_batch([&](std::span<const trace::Record> records) {
    if (!fault) fault = first_fault(check, checked, records);
    checked += records.size();
  });
  if (!whole) return whole;
  if (fault) return *std::move(fault);
  return each_batch([&](std::span<const trace::Record> records) {
    for (const trace::Record& record : records) sink.record(record);
  });
}

}  // namespace photon::analysis
