// The kinds of trace record: one range per layer and system. Append inside a range; never renumber.
#pragma once

#include <cstdint>

namespace photon::trace {

enum class Kind : std::uint16_t {
  none = 0,

  // 1..99: the environment
  run_phase = 1,
  process_started = 2,
  process_crashed = 3,
  clock_stepped = 4,
  partition_began = 5,
  partition_healed = 6,
  outage_began = 7,
  outage_ended = 8,
  fault_effect = 9,
  click_generated = 10,
  log_visible = 11,
  input_damaged = 12,
  process_paused = 13,
  process_resumed = 14,
  core_chosen = 15,
  resource_used = 16,
  recalled = 17,

  // 100..199: consensus
  paxos_prepare = 100,
  paxos_promise = 101,
  paxos_reported = 102,
  paxos_accept = 103,
  paxos_accepted = 104,
  paxos_log_written = 106,
  paxos_log_restated = 107,
  paxos_log_removed = 108,
  paxos_admission = 109,
  slot_applied = 110,
  master_elected = 111,
  lease_extended = 112,
  master_ended = 113,
  paxos_formatted = 114,
  paxos_snapshot = 115,
  state_restored = 116,
  paxos_heartbeat = 117,
  paxos_granted = 118,

  // 200..299: the Photon registry
  registry_ask = 200,
  registry_answer = 201,
  operation_applied = 202,
  batch_proposed = 203,
  boundary_moved = 204,
  future_insert = 205,
  incarnation_granted = 210,
  sharding_applied = 220,
  sharding_ask = 221,
  sharding_answer = 222,
  sharding_read = 223,
  load_asked = 240,
  load_done = 241,

  // 300..399: the Photon pipeline
  join_ask = 300,
  join_answer = 301,
  query_ask = 302,
  query_answer = 303,
  adapter_decided = 304,
  click_read = 305,
  click_done = 306,
  output_record = 310,
  offset_saved = 311,
  retry_saved = 312,
  retry_removed = 313,
  unjoinable_logged = 314,
  reader_progress = 315,
  journal_replaced = 316,
  journal_restated = 317,
  click_reinjected = 318,
  click_verified = 319,
  journal_owned = 320,
  range_skipped = 325,
  output_lost = 330,
  record_skipped = 331,
  output_fenced = 332,
  output_ask = 333,
  output_answer = 334,
};

}  // namespace photon::trace
