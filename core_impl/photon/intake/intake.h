// Takes clicks so that none is lost: from their logs, from the journal of their states, and from
// the clicks that an earlier owner saved there.
//
// A dispatcher worker has one intake for each partition, a verifier has one. Its owner keeps the
// open clicks, each under a handle of its own, and reports their states here.
//
// The journal is taken over first (intake/state_store.h): `look` any number of times, `start`, and
// on Event::recovered `recover`. From Event::ready on clicks are taken, until Event::fenced or
// Event::released.
//
// Invariants:
//  * the offset persisted for a file passes a click only if that click is finished, or saved by a
//    record that lies before the offset in the same journal (C-04);
//  * every snapshot states all saved clicks, and states them before the offsets;
//  * a click that an earlier owner saved and that its log brings again is not handed out (C-26).
//
// Paper: Photon section 3.2; SPEC C-02..C-09, C-26, F-08.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/flat_map.h"
#include "core_impl/photon/intake/click_source.h"
#include "core_impl/photon/intake/journal.h"
#include "core_impl/photon/intake/state_store.h"

namespace photon {

class Intake {
 public:
  using Event = StateStore::Event;
  using Lane = ClickSource::Lane;
  using Handle = std::uint64_t;  // the owner's, of an open click
  enum class Stored : std::uint8_t { no, yes };

  Intake(const StateStore::Options& journal, ClickSource clicks)
      : store_(journal), source_(std::move(clicks)) {}

  // -- Ownership of the journal: as StateStore says.

  void look(Context& context) { store_.look(context); }
  const OwnershipRecord& found() const { return store_.found(); }
  bool has_moved() const { return store_.has_moved(); }
  void start(Context& context, std::uint64_t epoch) { store_.start(context, epoch); }
  // On Event::recovered. `restore(SavedRecord&&, const IntentRecord*)` opens a click that an
  // earlier owner saved and returns its handle; the intent is null if that owner did not intend to
  // remove it. `append_saved(Bytes&)` appends the records of all saved clicks, here and below.
  template <class Restore, class AppendSaved>
  void recover(Context& context, Restore&& restore, AppendSaved&& append_saved);
  bool lease_held(MonotonicTime now) const { return store_.lease_held(now); }
  // Adds a renewal to the pending records if one is due.
  void renew_if_due(Context& context) { store_.renew_if_due(context); }
  // Nothing is under way: `release` is possible.
  bool may_release() const { return store_.may_release(); }
  template <class AppendSaved>
  void release(Context& context, AppendSaved&& append_saved) {
    store_.release(context, snapshot(append_saved));
  }

  // -- Clicks

  void scan(Context& context) { source_.scan(context); }
  void pump(Context& context) { source_.pump(context); }
  // The next click of files in that lane; of any file without one. A click that an earlier owner
  // saved is passed to `again(const TakenClick&, Handle)` instead.
  template <class Again>
  std::optional<TakenClick> next(Context& context, std::optional<Lane> lane, Again&& again);
  void put(const ClickPlace& taken, Lane lane) { source_.put(taken, lane); }
  bool is_returned(const ClickPlace& taken) const { return source_.is_returned(taken); }

  // The click is to be tried again. A click that is stored already has one more record.
  void save(const SavedRecord& record, const ClickPlace& place, Stored& stored);
  // The click is finished.
  void finish(const EventId& click, const ClickPlace& place, Stored stored);
  // The owner has dropped its clicks: none is stored for it.
  void forget_clicks();
  std::size_t saved() const { return saved_; }  // clicks

  // -- The journal

  template <class Record>
  void append(const Record& record) {
    append_journal(record, store_.pending());
  }
  // Positions in bytes: of all added records, and of the durable ones.
  std::uint64_t end() const { return store_.log().end(); }
  std::uint64_t durable() const { return store_.log().durable(); }
  // Adds the offsets that have grown since the last call.
  void save_offsets();
  // Writes the added records; true if that took a snapshot, because the journal has outgrown
  // its last.
  template <class AppendSaved>
  bool write(Context& context, AppendSaved&& append_saved);

  // Event::not_mine: the completion was for another object.
  Event on_io(Context& context, Ticket ticket, IoResult& result);
  void on_timer(Context& context) { store_.on_timer(context); }

  const ClickSource& source() const { return source_; }
  const StateStore& store() const { return store_; }

 private:
  template <class AppendSaved>
  Bytes snapshot(AppendSaved&& append_saved) const;

  StateStore store_;
  ClickSource source_;
  // Clicks of an earlier owner that are still stored: a log that is read again brings them again.
  FlatMap<EventId, Handle> recovered_;
  std::size_t saved_ = 0;
};

template <class Restore, class AppendSaved>
void Intake::recover(Context& context, Restore&& restore, AppendSaved&& append_saved) {
  JournalState& state = store_.state();
  for (const OffsetRecord& record : state.offsets) source_.restore(record.file, record.offset);
  auto intent = state.intents.begin();
  for (SavedRecord& record : state.saved) {
    const EventId click = record.click;
    const bool intended = intent != state.intents.end() && intent->click == click;
    recovered_.emplace(click, restore(std::move(record), intended ? &*intent : nullptr));
    if (intended) ++intent;
    ++saved_;
  }
  PHOTON_CHECK(intent == state.intents.end(), "what shall be removed is saved first");
  state = JournalState{};
  store_.publish(context, snapshot(append_saved));
}

template <class Again>
std::optional<TakenClick> Intake::next(Context& context, std::optional<Lane> lane, Again&& again) {
  while (true) {
    auto taken = lane ? source_.next(context, *lane) : source_.next(context);
    if (!taken.has_value()) return taken;
    const auto known = recovered_.find(taken->event.id);
    if (known == recovered_.end()) return taken;
    // Its offset lagged behind its record: the record keeps its attempt count.
    again(std::as_const(*taken), known->second);
    source_.settle(taken->place);
  }
}

template <class AppendSaved>
bool Intake::write(Context& context, AppendSaved&& append_saved) {
  if (store_.wants_compaction()) {
    store_.compact(context, snapshot(append_saved));
    return true;
  }
  store_.flush(context);
  return false;
}

// Saved clicks before offsets, as everywhere in the journal.
template <class AppendSaved>
Bytes Intake::snapshot(AppendSaved&& append_saved) const {
  Bytes content;
  append_saved(content);
  source_.for_each_offset([&](std::uint32_t file, std::uint64_t offset) {
    append_journal(OffsetRecord{file, offset}, content);
  });
  return content;
}

}  // namespace photon
