#include "campaigns/pool/worker.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "campaigns/runs/exit_codes.h"
#include "core_impl/base/hash.h"

namespace photonsim::campaigns {
namespace {

// On the channel to the process, followed by the text. An answer is its length in eight bytes, then
// its bytes.
struct RawRequest {
  std::uint64_t number = 0;
  std::uint64_t kind = 0;
  std::uint64_t watches = 0;  // 1: the named events
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t text = 0;  // its length
};
using RequestBytes = std::array<char, sizeof(RawRequest)>;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // of an answer

// Returns false if the channel ends before.
bool read_all(int channel, char* to, std::size_t size) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t more = ::read(channel, to + got, size - got);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    got += static_cast<std::size_t>(more);
  }
  return true;
}

// Returns false at the end of the requests.
bool read_request(int channel, WorkerRequest& request) {
  RequestBytes bytes{};
  if (!read_all(channel, bytes.data(), bytes.size())) return false;
  const auto raw = std::bit_cast<RawRequest>(bytes);
  request = {raw.number, static_cast<WorkerRequest::Kind>(raw.kind), {}, {}};
  if (raw.watches != 0) request.watched = scenarios::WatchedRange{raw.first, raw.count};
  request.text.resize(raw.text);
  return read_all(channel, request.text.data(), request.text.size());
}

// Ends the process when an allocation fails, also inside noexcept functions.
void end_without_memory() { ::_exit(kEnvironment); }

}  // namespace

void scatter_allocations() {
  constexpr std::size_t kGreatest = 1024;
  constexpr std::size_t kStep = 16;
  constexpr std::size_t kBlocks = 512;  // of each size: some sixteen megabytes in total
  constexpr std::size_t kShift = 1'234'567;
  // Leaked on purpose: keeps the holes between its blocks apart.
  static std::vector<void*> kept;
  kept.push_back(std::malloc(kShift));
  for (std::size_t size = kStep; size <= kGreatest; size += kStep) {
    std::vector<void*> holes;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      (i % 2 == 0 ? holes : kept).push_back(std::malloc(size - kStep / 2));
    }
    // In a fixed pseudo-random order.
    for (std::size_t i = holes.size(); i > 1; --i) {
      std::swap(holes[i - 1], holes[photon::mix(size * kBlocks + i) % i]);
    }
    for (void* const hole : holes) std::free(hole);
  }
}

int Worker::live(int channel) const {
  if (memory_ != 0) {
    limit_memory(memory_);
    std::set_new_handler(end_without_memory);
  }
  if (layout_ == Layout::scattered) scatter_allocations();
  for (WorkerRequest request; read_request(channel, request);) {
    const photon::Bytes bytes = answer_(request);
    const auto size =
        std::bit_cast<std::array<char, sizeof(std::uint64_t)>>(std::uint64_t{bytes.size()});
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!write_all(channel, {size.data(), size.size()}) || !write_all(channel, text)) break;
  }
  return kOk;
}

bool Worker::ask(const WorkerRequest& request) {
  text_.clear();
  death_.clear();
  out_of_memory_ = false;
  RawRequest raw{request.number,     static_cast<std::uint64_t>(request.kind), 0, 0, 0,
                 request.text.size()};
  if (request.watched) {
    raw.watches = 1;
    raw.first = request.watched->first;
    raw.count = request.watched->count;
  }
  const auto bytes = std::bit_cast<RequestBytes>(raw);
  const std::string text = std::string(bytes.data(), bytes.size()) + request.text;
  if (process_.is_running() && process_.send(text)) return true;
  process_.kill();  // it died after its last answer
  return process_.start([this](int channel) { return live(channel); }) && process_.send(text);
}

Worker::Reply Worker::listen(photon::Bytes& bytes) {
  if (!process_.read_some(text_)) {
    const std::string how = process_.reap();
    out_of_memory_ = memory_ != 0 && how == fmt::format("ended with code {}", int{kEnvironment});
    death_ = "its process " + (how.empty() ? std::string("ended without an answer") : how);
    return Reply::died;
  }
  std::uint64_t size = 0;
  if (text_.size() < sizeof size) return Reply::none_yet;
  std::memcpy(&size, text_.data(), sizeof size);
  if (size > kMostBytes) {
    process_.kill();
    death_ = "its process sent what cannot be read";
    return Reply::died;
  }
  if (text_.size() - sizeof size < size) return Reply::none_yet;
  bytes.resize(size);
  std::memcpy(bytes.data(), text_.data() + sizeof size, size);
  text_.clear();
  return Reply::whole;
}

std::optional<photon::Bytes> Worker::ask_and_wait(const WorkerRequest& request) {
  if (!ask(request)) {
    death_ = "there is no process to be had";
    return std::nullopt;
  }
  photon::Bytes bytes;
  Reply reply = Reply::none_yet;
  while (reply == Reply::none_yet) reply = listen(bytes);
  return reply == Reply::whole ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace photonsim::campaigns
