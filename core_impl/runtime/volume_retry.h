// A volume request that is repeated until the volume answers it: one at a time.
//
// `unavailable` and `full` are no answers (volume.h): the request is sent again after a delay,
// without limit. So it must be one that may take effect twice: a read, a file that is replaced
// whole, an append that names the length it expects.
//
// The owner of a VolumeRetry makes each request anew; RetriedRequest keeps the request.
#pragma once

#include <optional>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/runtime/context.h"

namespace photon {

class VolumeRetry {
 public:
  // Without a timer the owner calls take_due at due() or later. With one, of this object alone, it
  // is armed here, and its owner calls take_due when it fires.
  explicit VolumeRetry(Duration delay = {}, std::optional<TimerKind> timer = {})
      : delay_(delay), timer_(timer) {}

  static bool is_refusal(IoStatus status) {
    return status == IoStatus::unavailable || status == IoStatus::full;
  }

  // Requires that no request is under way. Discards a waiting one.
  void submit(Context& context, VolumeRequest request) {
    PHOTON_CHECK(!ticket_, "one request at a time");
    due_ = MonotonicTime::max();
    ticket_ = context.submit(std::move(request));
  }
  bool owns(Ticket ticket) const { return ticket_ && *ticket_ == ticket; }
  bool waits() const { return due_ != MonotonicTime::max(); }
  bool busy() const { return ticket_ || waits(); }

  // The request that it owns has come back: true if it is over; false if it waits to be submitted
  // again.
  bool answered(Context& context, IoStatus status) {
    complete();
    if (!is_refusal(status)) return true;
    wait(context);
    return false;
  }
  // The same in two steps, for owners that treat further results as no answer.
  void complete() {
    PHOTON_CHECK(ticket_.has_value(), "a completion without a request");
    ticket_.reset();
  }
  void wait(Context& context) {
    PHOTON_CHECK(!busy(), "what waits has come back");
    due_ = context.now() + delay_;
    if (timer_) context.set_timer(*timer_, due_);
  }
  // Neither the request under way nor the one that waits counts any more.
  void give_up() {
    ticket_.reset();
    due_ = MonotonicTime::max();
  }

  MonotonicTime due() const { return due_; }  // max(): nothing waits
  // True once, when it is time to submit again.
  bool take_due(const Context& context) {
    if (!waits() || (!timer_ && context.now() < due_)) return false;
    due_ = MonotonicTime::max();
    return true;
  }

 private:
  Duration delay_;
  std::optional<TimerKind> timer_;
  std::optional<Ticket> ticket_{};  // under way
  MonotonicTime due_ = MonotonicTime::max();
};

class RetriedRequest {
 public:
  explicit RetriedRequest(Duration delay) : retry_(delay) {}

  bool owns(Ticket ticket) const { return retry_.owns(ticket); }
  // Requires that nothing is under way.
  void submit(Context& context, VolumeRequest request) {
    PHOTON_CHECK(!retry_.busy(), "one request at a time");
    request_ = std::move(request);
    retry_.submit(context, request_);
  }
  // True if the request is over; false if it will be asked again.
  bool answered(Context& context, const IoResult& result) {
    if (!retry_.answered(context, result.status)) {
      PHOTON_MARK("runtime.request.refused");
      return false;
    }
    request_ = {};
    return true;
  }
  MonotonicTime retry_due() const { return retry_.due(); }  // max(): nothing waits
  void on_timer(Context& context) {
    if (retry_.take_due(context)) retry_.submit(context, request_);
  }

 private:
  VolumeRetry retry_;
  VolumeRequest request_{};
};

}  // namespace photon
