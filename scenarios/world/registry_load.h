// A client of the registry alone: it executes its part of a planned load.
//
// It replaces joiners and dispatchers and works like them: it gets a life from the incarnation
// registry, draws tokens of that life, and sends requests through the RegistryClient. It retries a
// look-up that times out, so that every operation of a live client ends definitively (SPEC J-P0).
// It states its requests and answers in the trace; the judge compares them with the messages on the
// network.
//
// A new life continues with the operations planned from then on; unsent and unanswered operations
// of the previous life are dropped. It also inserts ids of the previous life again, each with the
// token of the same place in its sequence: the two tokens differ in the life alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/flat_map.h"
#include "core_impl/base/hash.h"
#include "core_impl/photon/incarnations/incarnation_client.h"
#include "core_impl/photon/registry_client/registry_client.h"
#include "core_impl/photon/registry_client/token_source.h"
#include "core_impl/runtime/accepts.h"
#include "models/registry_workload.h"

namespace photonsim::scenarios {

struct RegistryLoadOptions {
  photon::NodeId incarnations = photon::kNoNode;
  photon::RegistryClientOptions registry{};
  // Must outlive the simulation. Times count from what a perfect clock shows as `epoch`.
  std::span<const photon::models::LoadOperation> plan{};
  photon::LocalTime epoch{};
};

class RegistryLoad final : public photon::Node {
 public:
  using Inbox = photon::Accepts<photon::IncarnationGrant, photon::RegistryReply,
                                photon::ShardingReply, photon::BoundaryReply>;

  explicit RegistryLoad(RegistryLoadOptions options);

  void on_start(photon::Context& context) override;
  void on_message(photon::Context& context, photon::NodeId from, const photon::Body& body) override;
  void on_timer(photon::Context& context, photon::TimerKind kind) override;
  void on_io(photon::Context& context, photon::Ticket ticket, photon::IoResult& result) override;

  void on(photon::Context& context, photon::NodeId from, const photon::IncarnationGrant& grant);
  void on(photon::Context& context, photon::NodeId from, const photon::RegistryReply& reply);
  void on(photon::Context& context, photon::NodeId from, const photon::ShardingReply& reply);
  void on(photon::Context& context, photon::NodeId from, const photon::BoundaryReply& reply);

 private:
  static constexpr std::uint32_t kClients = 1U << 31U;  // addresses above all generating servers
  enum Timer : photon::TimerKind { kRegistry = 0, kSharding = 1, kIncarnation = 2, kPlan = 3 };
  struct Hasher {
    std::uint64_t operator()(const photon::EventId& id) const { return photon::hash_of(id); }
  };

  photon::LocalTime due(const photon::models::LoadOperation& operation) const;
  void carry_on(photon::Context& context);
  void carry_out(photon::Context& context, const photon::models::LoadOperation& operation);
  void lookup(photon::Context& context, const photon::EventId& id);
  // What comes next for an id whose insert has ended.
  enum class Then : std::uint8_t { nothing, look_after };
  photon::Token draw_token();
  void insert(photon::Context& context, const photon::EventId& id, const photon::Token& token,
              Then then = Then::nothing);
  void read_earlier_tokens(photon::Context& context);
  void insert_again(photon::Context& context, const photon::EventId& id,
                    const photon::Token& stored);
  void look_after(photon::Context& context, const photon::EventId& id,
                  photon::models::LoadKind kind);
  // Ids whose stamps are at a limit: a boundary of garbage, the start of a change of shards.
  enum class Draw : std::uint8_t { limit, shard, member, offset, next };  // of one such operation
  std::size_t draw(photon::Context& context, std::uint64_t number, Draw what,
                   std::size_t bound) const;
  void use_limit(photon::Context& context);
  void insert_near(photon::Context& context, photon::Stamp limit, std::uint64_t number);
  void follow_insert(photon::Context& context, const photon::EventId& id, std::uint64_t number);
  void drain(photon::Context& context);

  RegistryLoadOptions options_;
  photon::IncarnationClient life_;
  photon::RegistryClient registry_;
  std::optional<photon::TokenSource> tokens_{};  // once the life is granted
  std::uint64_t drawn_ = 0;                      // sequence number of the last token
  struct LastInsert {
    photon::Token token{};
    bool answered = false;
    Then then = Then::nothing;
  };
  photon::FlatMap<photon::EventId, LastInsert, Hasher> last_inserts_;  // of this life, by id
  std::size_t next_ = 0;                                               // of the plan
  std::uint64_t operations_ = 0;
  std::uint64_t boundary_reads_ = 0;
  std::uint64_t boundary_reply_ = 0;  // the last read that was answered, or needed no answer
  std::optional<photon::Stamp> last_change_{};  // start of the last change of shards that it knows
};

}  // namespace photonsim::scenarios
