#include "campaigns/pool/rank_service.h"

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "campaigns/pool/frames.h"
#include "campaigns/pool/local_slot.h"
#include "campaigns/pool/run_pool.h"
#include "core_impl/base/codec.h"

namespace photonsim::campaigns {
namespace {

class RankService {
 public:
  explicit RankService(int channel) : channel_(channel) {}

  void run() {
    for (bool open = true; open;) {
      const int busy = slot_ ? slot_->channel() : -1;
      for (const std::size_t i : readable({channel_, busy})) {
        open = open && (i == 0 ? take_orders() : take_result());
      }
      const auto now = WallClock::now();
      if (!open || !slot_ || slot_->is_idle()) continue;
      if (slot_->is_late(now)) {
        open = send(*slot_->give_up().result);
      } else if (now - signalled_ >= signal_interval_) {
        signalled_ = now;
        open = send_frame(channel_, {});
      }
    }
  }

 private:
  // False: rank 0 is gone, or sends what is no order.
  bool take_orders() {
    if (!frames_.read_some(channel_)) return false;
    photon::Bytes bytes;
    Arrival arrival = frames_.take(bytes);
    for (; arrival == Arrival::frame; arrival = frames_.take(bytes)) {
      RemoteOrder order;
      photon::Decoder decode(std::span<const std::byte>(bytes.data(), bytes.size()));
      decode(order);
      if (!decode.ok() || decode.remaining() > 0 || !begin(order)) return false;
    }
    return arrival == Arrival::none;
  }

  bool begin(const RemoteOrder& order) {
    const auto run_time = std::chrono::milliseconds(order.run_milliseconds);
    if (!slot_ || limits_.memory != order.memory) {
      slot_.reset();
      limits_.memory = order.memory;
      slot_ = make_local_slot(work_, limits_);
    }
    limits_.run_time =
        order.run_milliseconds == 0 ? std::nullopt : std::optional<WallClock::duration>(run_time);
    signal_interval_ = std::chrono::milliseconds(order.signal_milliseconds);
    signalled_ = WallClock::now();
    return slot_->is_idle() && slot_->begin({order.number, order.rerun, order.text});
  }

  bool take_result() {
    RunSlot::Heard heard = slot_->listen();
    return !heard.result || send(*heard.result);
  }

  bool send(const RunResult& result) { return send_frame(channel_, encode_result(result)); }

  int channel_;
  FrameReader frames_{};
  PoolWork work_{};  // orders bring their scenarios
  PoolLimits limits_{};
  std::unique_ptr<RunSlot> slot_{};
  WallClock::duration signal_interval_{};
  WallClock::time_point signalled_{};  // the last sign of life, or the order
};

}  // namespace

void serve_runs(int channel) { RankService(channel).run(); }

}  // namespace photonsim::campaigns
