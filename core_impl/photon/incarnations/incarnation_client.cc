#include "core_impl/photon/incarnations/incarnation_client.h"

#include "core_impl/base/mark.h"

namespace photon {

void IncarnationClient::start(Context& context) {
  PHOTON_CHECK(!granted_.has_value(), "a life asks for its incarnation once");
  ask(context);
}

void IncarnationClient::on_timer(Context& context) {
  if (!granted_.has_value()) {
    PHOTON_MARK("incarnations.client.asks_again");
    ask(context);
  }
}

bool IncarnationClient::on_grant(Context& context, const IncarnationGrant& grant) {
  const bool mine =
      grant.address == context.self().value() && grant.request == context.incarnation().value();
  if (!mine || granted_.has_value()) {
    PHOTON_MARK("incarnations.client.grant_again");
    return false;
  }
  PHOTON_CHECK(grant.incarnation > 0, "granted incarnations count from one");
  granted_ = grant.incarnation;
  context.cancel_timer(options_.timer);
  return true;
}

void IncarnationClient::ask(Context& context) {
  context.send(options_.registry, Body::make(IncarnationRequest{context.self().value(),
                                                                context.incarnation().value()}));
  context.set_timer(options_.timer, context.now() + options_.retry_after);
}

}  // namespace photon
