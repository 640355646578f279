// The explorer's judge of linearizability on histories made by hand (shard_verdict.h).
#include "tests/photon/registry_explorer/shard_verdict.h"

#include "tests/photon/registry_explorer/scripts.h"
#include "tests/support/catch.h"

namespace photon::testing {
namespace {

SentReply reply_of(const ScriptedRequest& request, RegistryCode code) {
  SentReply reply;
  for (const RegistryItem& item : request.items) {
    RegistryResult result;
    result.id = item.id;
    result.token = item.token;
    result.operation = item.operation;
    result.code = code;
    reply.results.push_back(result);
  }
  return reply;
}

// Requests one after the other, each answered before the next is asked; no code: no answer.
bool explains(const std::vector<ScriptedRequest>& script,
              const std::vector<std::optional<RegistryCode>>& codes) {
  ShardBounds bounds;
  bounds.script = script;
  std::vector<SentReply> replies;
  for (std::size_t i = 0; i < script.size(); ++i) {
    replies.push_back(reply_of(script[i], codes[i].value_or(RegistryCode::not_master)));
  }
  std::vector<Asked> asked;
  for (std::size_t i = 0; i < script.size(); ++i) {
    asked.push_back({true, (1U << i) - 1, codes[i] ? &replies[i] : nullptr});
  }
  return is_linearizable(bounds, asked);
}

}  // namespace

TEST_CASE("J-S4 explorer: replies in the order of their operations are explained") {
  const std::vector<ScriptedRequest> script{lookup_request(), insert_request(kFirstToken),
                                            lookup_request(), insert_request(kSecondToken),
                                            insert_request(kFirstToken)};
  CHECK(explains(script, {RegistryCode::not_found, RegistryCode::inserted, RegistryCode::exists,
                          RegistryCode::already_exists, RegistryCode::inserted}));
  // A look-up after the insert's reply does not miss; a retry of the winner is no rival.
  CHECK(!explains(script, {RegistryCode::not_found, RegistryCode::inserted, RegistryCode::not_found,
                           RegistryCode::already_exists, RegistryCode::inserted}));
  CHECK(!explains(script, {RegistryCode::not_found, RegistryCode::inserted, RegistryCode::exists,
                           RegistryCode::already_exists, RegistryCode::already_exists}));
  CHECK(!explains(script, {RegistryCode::not_found, RegistryCode::inserted, RegistryCode::exists,
                           RegistryCode::inserted, RegistryCode::inserted}));
}

TEST_CASE("J-S4 explorer: an insert without a definitive reply takes effect later or never") {
  const std::vector<ScriptedRequest> script{insert_request(kFirstToken), lookup_request(),
                                            insert_request(kSecondToken)};
  const std::optional<RegistryCode> none;
  CHECK(explains(script, {none, RegistryCode::not_found, RegistryCode::inserted}));
  CHECK(explains(script, {none, RegistryCode::not_found, RegistryCode::already_exists}));
  CHECK(explains(script,
                 {RegistryCode::not_master, RegistryCode::exists, RegistryCode::already_exists}));
  CHECK(!explains(script, {none, RegistryCode::exists, RegistryCode::inserted}));
}

}  // namespace photon::testing
