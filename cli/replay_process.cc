#include "cli/replay_process.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

#include <unistd.h>

#include "cli/exit_codes.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photonsim::cli {
namespace {

// On the pipe to the process.
struct Request {
  std::uint64_t run = 0;
  std::uint64_t watches = 0;  // 1: the events that are named
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
using RequestBytes = std::array<char, sizeof(Request)>;

// False if there is no more of them.
bool read_request(int from, Request& request) {
  RequestBytes bytes{};
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t more = ::read(from, bytes.data() + got, bytes.size() - got);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    got += static_cast<std::size_t>(more);
  }
  request = std::bit_cast<Request>(bytes);
  return true;
}

// And back: the length of the rest in eight bytes, then the rest.
std::string message_of(const SeenRun& seen) {
  photon::Bytes bytes;
  photon::Encoder encode(bytes);
  encode(seen);
  const auto size =
      std::bit_cast<std::array<char, sizeof(std::uint64_t)>>(std::uint64_t{bytes.size()});
  std::string message(size.data(), size.size());
  message.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return message;
}

// Nothing as long as it is not whole.
std::optional<SeenRun> seen_in(const std::string& message) {
  std::uint64_t size = 0;
  if (message.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, message.data(), sizeof size);
  if (message.size() - sizeof size < size) return std::nullopt;
  SeenRun seen;
  photon::Decoder decode(std::as_bytes(std::span(message).subspan(sizeof size)));
  decode(seen);
  if (!decode.ok()) seen.failed_check = "the process that replays says what cannot be read";
  return seen;
}

}  // namespace

void scatter_allocations() {
  constexpr std::size_t kGreatest = 1024;
  constexpr std::size_t kStep = 16;
  constexpr std::size_t kBlocks = 512;  // of each size: some sixteen megabytes in all
  constexpr std::size_t kShift = 1'234'567;
  // What is never given back is meant: it keeps the holes between it apart.
  static std::vector<void*> kept;
  kept.push_back(std::malloc(kShift));
  for (std::size_t size = kStep; size <= kGreatest; size += kStep) {
    std::vector<void*> holes;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      (i % 2 == 0 ? holes : kept).push_back(std::malloc(size - kStep / 2));
    }
    // In an order of their own, always the same.
    for (std::size_t i = holes.size(); i > 1; --i) {
      std::swap(holes[i - 1], holes[photon::mix(size * kBlocks + i) % i]);
    }
    for (void* const hole : holes) std::free(hole);
  }
}

ReplayProcess::~ReplayProcess() {
  if (requests_ >= 0) end();
}

bool ReplayProcess::start() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return false;
  const bool started = process_.start([&](int to) {
    ::close(ends[1]);  // so that it hears when nothing more is wanted
    return live(ends[0], to);
  });
  ::close(ends[0]);
  if (!started) {
    ::close(ends[1]);
    return false;
  }
  requests_ = ends[1];
  return true;
}

int ReplayProcess::live(int requests, int to) const {
  scatter_allocations();
  for (Request request; read_request(requests, request);) {
    Watched watched;
    if (request.watches != 0) watched = scenarios::WatchedRange{request.first, request.count};
    SeenRun seen;
    try {
      seen = run_(request.run, watched);
    } catch (const std::exception& error) {
      seen.failed_check = std::string("internal error: ") + error.what();
    }
    if (!write_all(to, message_of(seen))) return kEnvironment;
  }
  return kOk;
}

std::string ReplayProcess::end() {
  ::close(requests_);
  requests_ = -1;
  return process_.reap();
}

SeenRun ReplayProcess::replay(std::uint64_t run, const Watched& watched) {
  SeenRun none;
  if (requests_ < 0 && !start()) {
    none.failed_check = "there is no process to be had that replays it";
    return none;
  }
  const Request request{run, watched ? 1U : 0U, watched ? watched->first : 0,
                        watched ? watched->count : 0};
  const auto bytes = std::bit_cast<RequestBytes>(request);
  std::string text;
  bool goes_on = write_all(requests_, std::string_view(bytes.data(), bytes.size()));
  while (goes_on) {
    goes_on = process_.read_some(text);
    if (auto seen = seen_in(text)) return *std::move(seen);
  }
  const std::string how = end();
  none.failed_check = "its process " + (how.empty() ? "said nothing" : how);
  return none;
}

}  // namespace photonsim::cli
