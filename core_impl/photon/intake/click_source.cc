#include "core_impl/photon/intake/click_source.h"

#include <utility>

#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/trace/pipeline.h"

namespace photon {
namespace {

bool decode(logs::LogType type, const logs::RecordContent& record, TakenClick& taken) {
  if (record.event != nullptr) {
    const StoredEvent& event = *record.event;
    if (type != logs::LogType::foreign || event.kind != EventKind::foreign) return false;
    taken.event = {event.id, event.primary, Payload(event.payload)};
    return true;
  }
  if (type == logs::LogType::foreign) return decode_record(record.body, taken.event);
  logs::ReinjectedEvent back;
  if (!decode_record(record.body, back)) return false;
  taken.event = std::move(back.event);
  taken.removed_at = back.removed_at;
  return true;
}

}  // namespace

ClickSource::ClickSource(std::initializer_list<Log> logs) {
  for (const Log& log : logs) {
    logs::RecordSource::Options options = log.options;
    options.form = ReadForm::records;
    logs_.push_back({log.type,
                     logs::RecordSource(options, logs::DirectoryScan(log.type, log.share)),
                     log.min_age});
  }
}

void ClickSource::restore(std::uint32_t file, std::uint64_t offset) {
  const logs::LogFile named = logs::LogFile::from_number(file);
  for (Source& log : logs_) {
    if (log.type == named.type) log.records.restore(named.name(), offset);
  }
}

void ClickSource::scan(Context& context) {
  for (Source& log : logs_) log.records.scan(context);
}

void ClickSource::pump(Context& context) {
  for (Source& log : logs_) log.records.pump(context);
}

bool ClickSource::on_io(Context& context, Ticket ticket, IoResult& result) {
  for (Source& log : logs_) {
    if (log.records.on_io(context, ticket, result)) return true;
  }
  return false;
}

std::optional<TakenClick> ClickSource::next(Context& context) {
  auto taken = next(context, Lane::front);
  return taken ? std::move(taken) : next(context, Lane::backlog);
}

std::optional<TakenClick> ClickSource::next(Context& context, Lane lane) {
  const auto logs = narrow<std::uint32_t>(logs_.size());
  for (std::uint32_t turn = 0; turn < logs; ++turn) {
    const std::uint32_t log = lane == Lane::front ? turn : logs - 1 - turn;
    if (auto taken = next_of(context, log, lane)) return taken;
  }
  return std::nullopt;
}

std::optional<TakenClick> ClickSource::next_of(Context& context, std::uint32_t log, Lane lane) {
  Source& source = logs_[log];
  while (const auto record = source.records.next(lane)) {
    TakenClick taken;
    taken.place = ClickPlace{log, record->place};
    if (!decode(source.type, record->record, taken)) {
      PHOTON_MARK("intake.click.undecodable");
      source.records.refuse(record->place);
      continue;
    }
    const Duration age = between(taken.event.id.stamp, stamp_from(context.wall()));
    if (source.min_age > Duration{}) PHOTON_LIMIT("intake.click.min_age", age, source.min_age);
    if (source.min_age > Duration{} && age < source.min_age) {
      source.records.leave(record->place, context.now() + (source.min_age - age));
      continue;
    }
    const logs::LogFile file = logs::log_file_of(source.records.name_of(record->place.file));
    context.decide(trace::ClickRead{taken.event.id, record->end, file.number()});
    return taken;
  }
  return std::nullopt;
}

void reinjected_facts(logs::LogFile file, std::uint64_t offset, std::span<const std::byte> bytes,
                      trace::FactSink& sink) {
  for_each_record(bytes, [&](std::span<const std::byte> body) {
    logs::ReinjectedEvent back;
    if (!decode_record(body, back)) return false;
    const auto end = offset + static_cast<std::uint64_t>(body.data() + body.size() - bytes.data());
    sink.fact(trace::ClickReinjected{back.event.id, back.removed_at, end, file.number()});
    return true;
  });
}

std::uint32_t ClickSource::files() const {
  std::uint32_t files = 0;
  for (const Source& log : logs_) files += log.records.files();
  return files;
}

std::uint64_t ClickSource::damaged_records() const {
  std::uint64_t damaged = 0;
  for (const Source& log : logs_) damaged += log.records.damaged_records();
  return damaged;
}

void ClickSource::add_reads(ResourceUse& to) const {
  for (const Source& log : logs_) {
    to.used += log.records.reading();
    to.limit += log.records.max_reads();
    to.waiting += log.records.waiting();
  }
}

}  // namespace photon
