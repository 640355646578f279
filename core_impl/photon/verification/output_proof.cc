#include "core_impl/photon/verification/output_proof.h"

#include <utility>

#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/joiner/joined_record.h"

namespace photon {
namespace {

void settle(PooledVector<Presence>& presences, Presence rest) {
  for (Presence& each : presences) {
    if (each != Presence::present) each = rest;
  }
}

}  // namespace

void OutputProof::read(Context& context) {
  VolumeRequest request;
  request.volume = cell_;
  request.operation = VolumeOperation::read;
  request.file = file_;
  request.offset = reader_.offset();
  request.length = reader_.read_size(read_chunk_);
  length_ = request.length;
  ticket_ = context.submit(std::move(request));
}

OutputProof::Progress OutputProof::on_io(Context& context, Ticket ticket, IoResult& result,
                                         const PooledVector<EventId>& clicks,
                                         PooledVector<Presence>& presences) {
  if (ticket != ticket_) return Progress::not_mine;
  if (result.status == IoStatus::missing) {
    PHOTON_MARK("verification.proof.no_file");
    settle(presences, Presence::absent);
    return Progress::done;
  }
  if (result.status != IoStatus::ok) {
    PHOTON_MARK("verification.proof.read_failed");
    settle(presences, Presence::unknown);
    return Progress::done;
  }
  const bool at_end = result.data.size() < length_;
  reader_.supply(reader_.offset(), std::move(result.data));
  while (const auto item = reader_.next()) {
    JoinedRecord record;
    if (item->kind != logs::LogItemKind::record || !decode_record(item->record.body, record)) {
      PHOTON_MARK("verification.proof.damaged_record");
      damage_ = Damage{item->offset, item->end};
      continue;
    }
    for (std::size_t i = 0; i < clicks.size(); ++i) {
      if (clicks[i] == record.click) presences[i] = Presence::present;
    }
  }
  if (!at_end) {
    PHOTON_MARK("verification.proof.reads_on");
    read(context);
    return Progress::reading;
  }
  if (reader_.is_in_doubt()) {
    PHOTON_MARK("verification.proof.tail_in_doubt");
    damage_ = Damage{reader_.offset(), reader_.examined()};
  }
  settle(presences, damage_ ? Presence::indeterminate : Presence::absent);
  return Progress::done;
}

}  // namespace photon
