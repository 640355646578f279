// One volume request at a time, asked again until the volume answers it.
//
// `unavailable` and `full` are no answers: the same request goes out again after a delay, for ever.
// Only for requests that may take effect twice: reads, and files that are replaced whole.
#pragma once

#include <optional>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/runtime/context.h"

namespace photon::paxos {

class RetriedRequest {
 public:
  explicit RetriedRequest(Duration delay) : delay_(delay) {}

  bool busy() const { return ticket_ || retry_due_ != MonotonicTime::max(); }
  bool owns(Ticket ticket) const { return ticket_ && *ticket_ == ticket; }
  // Requires that nothing is under way.
  void submit(Context& context, VolumeRequest request) {
    PHOTON_CHECK(!busy(), "one request at a time");
    request_ = std::move(request);
    ticket_ = context.submit(request_);
  }
  // True if the request is over; false if it will be asked again.
  bool answered(const Context& context, const IoResult& result) {
    ticket_.reset();
    if (result.status == IoStatus::unavailable || result.status == IoStatus::full) {
      PHOTON_MARK("paxos.request.refused");
      retry_due_ = context.now() + delay_;
      return false;
    }
    request_ = {};
    return true;
  }
  MonotonicTime retry_due() const { return retry_due_; }  // max(): nothing waits
  void on_timer(Context& context) {
    if (context.now() < retry_due_) return;
    retry_due_ = MonotonicTime::max();
    ticket_ = context.submit(request_);
  }

 private:
  Duration delay_;
  VolumeRequest request_{};
  std::optional<Ticket> ticket_{};
  MonotonicTime retry_due_ = MonotonicTime::max();
};

}  // namespace photon::paxos
