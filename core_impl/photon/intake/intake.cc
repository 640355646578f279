#include "core_impl/photon/intake/intake.h"

namespace photon {

void Intake::save(const SavedRecord& record, const ClickPlace& place, Stored& stored) {
  append(record);
  if (stored == Stored::yes) return;
  stored = Stored::yes;
  ++saved_;
  // The record that saves the click was added before any offset that passes it can be.
  source_.settle(place);
}

void Intake::finish(const EventId& click, const ClickPlace& place, Stored stored) {
  if (stored == Stored::no) return source_.settle(place);
  PHOTON_CHECK(saved_ > 0, "a stored click was counted when it was saved");
  append(RemovedRecord{click});
  recovered_.erase(click);
  --saved_;
}

void Intake::forget_clicks() {
  recovered_.clear();
  saved_ = 0;
}

void Intake::save_offsets() {
  source_.take_advanced([this](std::uint32_t file, std::uint64_t offset) {
    append(OffsetRecord{file, offset});
  });
}

Intake::Event Intake::on_io(Context& context, Ticket ticket, IoResult& result) {
  const Event event = store_.on_io(context, ticket, result);
  if (event != Event::not_mine) return event;
  return source_.on_io(context, ticket, result) ? Event::none : Event::not_mine;
}

}  // namespace photon
