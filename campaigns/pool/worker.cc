#include "campaigns/pool/worker.h"

#include <cstdlib>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "campaigns/runs/exit_codes.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photonsim::campaigns {
namespace {

// On the channel to the process.
struct RequestFrame {
  std::uint64_t number = 0;
  std::uint64_t kind = 0;
  bool watches = false;  // the named events
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::string text{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.kind, self.watches, self.first, self.count, self.text);
  }
};

photon::Bytes encode_request(const WorkerRequest& request) {
  const auto watched = request.watched.value_or(scenarios::WatchedRange{});
  photon::Bytes bytes;
  photon::Encoder encode(bytes);
  encode(RequestFrame{request.number, static_cast<std::uint64_t>(request.kind),
                      request.watched.has_value(), watched.first, watched.count, request.text});
  return bytes;
}

// Returns false at the end of the requests.
bool read_request(int channel, FrameReader& frames, WorkerRequest& request) {
  photon::Bytes bytes;
  Arrival arrival = frames.take(bytes);
  while (arrival == Arrival::none && frames.read_some(channel)) arrival = frames.take(bytes);
  if (arrival != Arrival::frame) return false;
  RequestFrame frame;
  photon::Decoder decode(std::span<const std::byte>(bytes.data(), bytes.size()));
  decode(frame);
  if (!decode.ok() || decode.remaining() > 0) return false;
  request = {frame.number, static_cast<WorkerRequest::Kind>(frame.kind), {}, std::move(frame.text)};
  if (frame.watches) request.watched = scenarios::WatchedRange{frame.first, frame.count};
  return true;
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
  FrameReader frames;
  for (WorkerRequest request; read_request(channel, frames, request);) {
    if (!send_frame(channel, answer_(request))) break;
  }
  return kOk;
}

bool Worker::ask(const WorkerRequest& request) {
  frames_ = FrameReader();
  death_.clear();
  out_of_memory_ = false;
  const photon::Bytes bytes = encode_request(request);
  if (process_.is_running() && send_frame(process_.channel(), bytes)) return true;
  process_.kill();  // it died after its last answer
  return process_.start([this](int channel) { return live(channel); }) &&
         send_frame(process_.channel(), bytes);
}

Worker::Reply Worker::listen(photon::Bytes& bytes) {
  if (!frames_.read_some(process_.channel())) {
    const std::string how = process_.reap();
    out_of_memory_ = memory_ != 0 && how == fmt::format("ended with code {}", int{kEnvironment});
    death_ = "its process " + (how.empty() ? std::string("ended without an answer") : how);
    return Reply::died;
  }
  switch (frames_.take(bytes)) {
    case Arrival::none:
      return Reply::none_yet;
    case Arrival::frame:
      return Reply::whole;
    case Arrival::broken:
      break;
  }
  process_.kill();
  death_ = "its process sent what cannot be read";
  return Reply::died;
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
