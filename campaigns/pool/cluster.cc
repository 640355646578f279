#include "campaigns/pool/cluster.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "campaigns/pool/frames.h"
#include "campaigns/pool/run_pool.h"
#include "core_impl/base/codec.h"

namespace photonsim::campaigns {

class Cluster::Rank {
 public:
  explicit Rank(Connection connection) : connection_(std::move(connection)) {}
  ~Rank() { leave(); }

  int channel() const { return connection_.channel; }  // -1: it is gone
  std::string name() const {
    return fmt::format("rank {} on {}", connection_.rank, connection_.host);
  }
  FrameReader& frames() { return frames_; }
  void leave() {
    if (connection_.channel >= 0) ::close(connection_.channel);
    connection_.channel = -1;
  }

 private:
  Connection connection_;
  FrameReader frames_{};
};

class Cluster::RemoteSlot final : public RunSlot {
 public:
  RemoteSlot(Rank& rank, const PoolLimits& limits) : rank_(rank), limits_(limits) {}

  bool is_idle() const override { return !number_; }
  std::uint64_t number() const override { return *number_; }
  int channel() const override { return is_idle() ? -1 : rank_.channel(); }
  std::string name() const override { return rank_.name(); }

  bool begin(const RunOrder& order) override {
    using std::chrono::duration_cast, std::chrono::milliseconds;
    constexpr int kSignals = 6;  // in the time after which it is lost
    const auto count = [](WallClock::duration time) {
      const auto most = duration_cast<milliseconds>(time).count();
      return static_cast<std::uint64_t>(std::max<std::int64_t>(most, 1));
    };
    RemoteOrder remote{.number = order.number,
                       .rerun = order.rerun,
                       .memory = limits_.memory,
                       .signal_milliseconds = count(limits_.rank_silence / kSignals),
                       .text = order.text};
    if (limits_.run_time) remote.run_milliseconds = count(*limits_.run_time);
    photon::Bytes bytes;
    photon::Encoder encode(bytes);
    encode(remote);
    if (!send_frame(rank_.channel(), bytes)) {
      rank_.leave();
      return false;
    }
    number_ = order.number;
    rerun_ = order.rerun;
    began_ = heard_ = checked_ = WallClock::now();
    return true;
  }

  Heard listen() override {
    const bool open = rank_.frames().read_some(rank_.channel());
    heard_ = WallClock::now();
    photon::Bytes bytes;
    Arrival arrival = rank_.frames().take(bytes);
    while (arrival == Arrival::frame && bytes.empty()) arrival = rank_.frames().take(bytes);
    if (arrival == Arrival::frame) {
      if (auto result = decode_result(bytes)) {
        number_.reset();
        return {.result = std::move(result)};
      }
    }
    return open && arrival == Arrival::none ? Heard{} : lose();
  }

  // The rank itself holds the run to its limit; this one is for a rank that hangs.
  bool is_late(WallClock::time_point now) override {
    if (is_idle()) return false;
    // This process was stopped or busy: what the ranks have sent meanwhile is not read yet.
    constexpr int kTurns = 4;
    if (now - checked_ > limits_.rank_silence / kTurns) heard_ = now;
    checked_ = now;
    if (now - heard_ > limits_.rank_silence) return true;
    if (!limits_.run_time) return false;
    constexpr int kMostReruns = 3;  // of DeterminismCheck
    const int runs = rerun_ ? 1 + kMostReruns : 1;
    return now - began_ > runs * *limits_.run_time + limits_.rank_silence;
  }
  Heard give_up() override { return lose(); }
  RunResult cut_off() override {
    rank_.leave();
    number_.reset();
    RunResult result;
    result.cut_off = true;
    return result;
  }

 private:
  Heard lose() {
    rank_.leave();
    number_.reset();
    return {.lost = true};
  }

  Rank& rank_;
  const PoolLimits& limits_;
  std::optional<std::uint64_t> number_{};
  bool rerun_ = false;
  WallClock::time_point began_{};
  WallClock::time_point heard_{};    // when something came from the rank
  WallClock::time_point checked_{};  // when is_late() was called
};

Cluster::Cluster(std::vector<Connection> connections) {
  for (Connection& each : connections) ranks_.push_back(std::make_unique<Rank>(std::move(each)));
}

Cluster::~Cluster() = default;

std::size_t Cluster::ranks() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(ranks_, [](const auto& rank) { return rank->channel() >= 0; }));
}

std::vector<std::unique_ptr<RunSlot>> Cluster::slots(const PoolLimits& limits) {
  std::vector<std::unique_ptr<RunSlot>> slots;
  for (const auto& rank : ranks_) {
    if (rank->channel() >= 0) slots.push_back(std::make_unique<RemoteSlot>(*rank, limits));
  }
  return slots;
}

}  // namespace photonsim::campaigns
