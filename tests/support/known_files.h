// Files of primary records as logs that know their events (core_impl/runtime/record_log.h): turns
// the bytes of a read into a range where a runtime could, so that a test runs with either form.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/primary_view.h"
#include "core_impl/runtime/record_log.h"
#include "core_impl/runtime/volume.h"

namespace photon::testing {

class KnownFile final : public RecordLog, public PayloadSource {
 public:
  // `bytes` outlives this object. It may grow.
  KnownFile(std::uint64_t number, const Bytes& bytes) : PayloadSource(number), bytes_(bytes) {}

  // Do [begin, end) hold sound records of primary events alone, from the beginning of one? The last
  // may be cut off by the end, not by that of the file.
  bool knows(std::uint64_t begin, std::uint64_t end) {
    while (!begins_.empty() && begins_.back() >= bytes_.size()) begins_.pop_back();
    std::uint64_t at = begins_.empty() ? 0 : begins_.back();
    for (auto event = primary_at(at); event && at < end; event = primary_at(at)) {
      if (begins_.empty() || begins_.back() < at) begins_.push_back(at);
      at = event->end;
    }
    const bool starts = std::ranges::binary_search(begins_, begin);
    for (at = begin; starts && at < end;) {  // once more: bytes may have changed
      const auto event = primary_at(at);
      if (!event) return false;
      at = event->end;
    }
    return starts;
  }

  void event_at(std::uint64_t offset, StoredEvent& event) override {
    const auto known = primary_at(*std::prev(std::ranges::upper_bound(begins_, offset)));
    PHOTON_CHECK(known.has_value(), "a range holds known events");
    event = *known;
  }
  void read(std::uint64_t offset, std::uint64_t length, Bytes& out) override {
    append_bytes(std::span(bytes_).subspan(offset, length), out);
  }
  // The word of a payload is its place.
  void write(std::uint64_t word, std::span<std::byte> out) const override {
    std::ranges::copy(std::span(bytes_).subspan(word, out.size()), out.begin());
  }

 private:
  std::optional<StoredEvent> primary_at(std::uint64_t at) const {
    if (at >= bytes_.size()) return std::nullopt;
    const RecordView view = view_record(std::span(bytes_).subspan(at));
    if (view.status != RecordStatus::complete) return std::nullopt;
    const auto primary = logs::view_primary(view.body);
    if (!primary) return std::nullopt;
    StoredEvent event;
    event.begin = at;
    event.end = at + view.size;
    event.id = primary->id;
    event.payload =
        PayloadView(*this, event.end - primary->payload.size(), primary->payload.size());
    return event;
  }

  const Bytes& bytes_;
  std::vector<std::uint64_t> begins_;  // of the records seen so far
};

class KnownFiles {
 public:
  // A read of `file`, if its reader allows that and the file knows what was read. The file outlives
  // this object.
  void convert(const VolumeRequest& request, const Bytes& file, IoResult& result) {
    const bool fits = request.operation == VolumeOperation::read &&
                      request.form == ReadForm::records && !result.data.empty();
    if (!fits) return;
    const std::string name(request.file.data(), request.file.size());
    auto& known = files_[name];
    if (!known) known = std::make_unique<KnownFile>(files_.size(), file);
    const std::uint64_t end = request.offset + result.data.size();
    if (!known->knows(request.offset, end)) return;
    result.range = {known.get(), request.offset, end};
    result.data.clear();
    ++converted_;
  }
  std::uint64_t converted() const { return converted_; }

 private:
  std::map<std::string, std::unique_ptr<KnownFile>> files_;
  std::uint64_t converted_ = 0;
};

}  // namespace photon::testing
