#include "core_impl/photon/joiner/joined_record.h"

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/trace/pipeline.h"

namespace photon {
namespace {

template <class Record, class Visitor>
void each_record(std::span<const std::byte> bytes, Visitor&& visit) {
  for_each_record(bytes, [&](std::span<const std::byte> body) {
    Record record;
    if (!decode_record(body, record)) return false;
    visit(record);
    return true;
  });
}

}  // namespace

void combine_payloads(std::span<const std::byte> click_payload,
                      std::span<const std::byte> query_payload, Bytes& out) {
  out.reserve(out.size() + 2 * sizeof(std::uint32_t) + click_payload.size() + query_payload.size());
  Encoder encoder(out);
  encoder(narrow<std::uint32_t>(click_payload.size()));
  encoder.raw(click_payload);
  encoder(narrow<std::uint32_t>(query_payload.size()));
  encoder.raw(query_payload);
}

std::uint64_t joined_hash(const EventId& click, const EventId& query,
                          std::span<const std::byte> joined_payload) {
  Bytes text;
  text.reserve(sizeof click + sizeof query + joined_payload.size());
  Encoder encoder(text);
  encoder(click, query);
  encoder.raw(joined_payload);
  return hash_bytes(text);
}

void output_facts(std::span<const std::byte> bytes, trace::FactSink& sink) {
  each_record<JoinedRecord>(bytes, [&](const JoinedRecord& record) {
    sink.fact(trace::OutputRecord{record.click, record.query, record.token,
                                  joined_hash(record.click, record.query, record.payload)});
  });
}

void unjoinable_facts(std::span<const std::byte> bytes, trace::FactSink& sink) {
  each_record<UnjoinableRecord>(bytes, [&](const UnjoinableRecord& record) {
    sink.fact(trace::UnjoinableLogged{record.click, record.attempts});
  });
}

}  // namespace photon
