#include "core_impl/base/record_codec.h"

#include <cstring>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/narrow.h"

namespace photon {
namespace {

std::uint64_t checksum_of(std::span<const std::byte> body) { return hash_bytes(body, body.size()); }

}  // namespace

void append_record(std::span<const std::byte> body, Bytes& out) {
  const std::size_t start = out.size();
  out.resize(start + kRecordOverhead);
  append_bytes(body, out);
  seal_record(out, start);
}

void seal_record(Bytes& out, std::size_t start) {
  PHOTON_CHECK(out.size() >= start, "the record lies inside the buffer");
  seal_record(std::span<std::byte>(out).subspan(start));
}

void seal_record(std::span<std::byte> record) {
  PHOTON_CHECK(record.size() >= kRecordOverhead, "space for the frame was reserved");
  const auto body = record.subspan(kRecordOverhead);
  PHOTON_CHECK(body.size() <= kMaxRecordBody, "a record body is below the limit");
  const auto length = narrow<std::uint32_t>(body.size());
  const std::uint64_t checksum = checksum_of(body);
  std::memcpy(record.data(), &length, sizeof length);
  std::memcpy(record.data() + sizeof length, &checksum, sizeof checksum);
}

RecordView view_record(std::span<const std::byte> bytes) {
  if (bytes.size() < kRecordOverhead) return {};
  std::uint32_t length = 0;
  std::uint64_t checksum = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  std::memcpy(&checksum, bytes.data() + sizeof length, sizeof checksum);
  if (length > kMaxRecordBody) return {RecordStatus::corrupt, {}, 0};
  if (bytes.size() - kRecordOverhead < length) return {};
  const auto body = bytes.subspan(kRecordOverhead, length);
  const auto status =
      checksum_of(body) == checksum ? RecordStatus::complete : RecordStatus::corrupt;
  return {status, body, kRecordOverhead + length};
}

}  // namespace photon
