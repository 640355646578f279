// A joiner that sheds load: it passes requests on to photonsim's joiner and refuses every one beyond a number in each
// second. The dispatcher comes back with what was refused.
#pragma once

#include <photonsim/photonsim.h>

class SheddingJoiner final : public photon::Node {
 public:
  SheddingJoiner(const photon::JoinerOptions& options, const photon::Adapter& adapter, int per_second,
                 photon::JoinOutcome refusal)
      : joiner_(options, adapter), per_second_(per_second), refusal_(refusal) {}

  void on_message(photon::Context& context, photon::NodeId from, const photon::Body& body) override {
    if (body.type() != photon::JoinRequest::kType || passes(context.now())) {
      return joiner_.on_message(context, from, body);
    }
    const auto& request = body.as<photon::JoinRequest>();
    context.send(from, photon::Body::make(photon::JoinReply{request.request, request.click, refusal_}));
  }
  void on_start(photon::Context& context) override { joiner_.on_start(context); }
  void on_timer(photon::Context& context, photon::TimerKind kind) override { joiner_.on_timer(context, kind); }
  void on_io(photon::Context& context, photon::Ticket ticket, photon::IoResult& result) override {
    joiner_.on_io(context, ticket, result);
  }
  void on_stop(photon::Context& context) override { joiner_.on_stop(context); }
  bool may_end() const override { return joiner_.may_end(); }
  void report_use(photon::UseSink& sink) const override { joiner_.report_use(sink); }

 private:
  bool passes(photon::MonotonicTime now) {
    if (now >= second_ + std::chrono::seconds(1)) {
      second_ = now;
      in_second_ = 0;
    }
    return ++in_second_ <= per_second_;
  }

  photon::Joiner joiner_;
  int per_second_;
  photon::JoinOutcome refusal_;
  photon::MonotonicTime second_{};
  int in_second_ = 0;
};
