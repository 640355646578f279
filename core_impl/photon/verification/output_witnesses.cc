#include "core_impl/photon/verification/output_witnesses.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

OutputWitnesses::OutputWitnesses(OutputWitnessesOptions options)
    : options_(std::move(options)), questions_(options_.timer) {
  PHOTON_CHECK(!options_.auditors.empty(), "without a witness nothing can be known of the output");
}

void OutputWitnesses::add(OutputOwner owner, const EventId& click, std::uint64_t tag) {
  auto place = std::ranges::find(asked_, owner,
                                 [](const Question& question) { return question.query.owner; });
  if (place == asked_.end()) {
    Question question;
    question.query.owner = owner;
    place = asked_.insert(asked_.end(), std::move(question));
  }
  place->query.clicks.push_back(click);
  place->tags.push_back(tag);
  PHOTON_CHECK(place->query.clicks.size() == place->tags.size(),
               "every click of a question has its tag");
}

void OutputWitnesses::flush(Context& context) {
  for (Question& question : asked_) {
    question.found.assign(question.tags.size(), Presence::absent);
    question.silent = options_.auditors;
    const Handle handle = questions_.begin(std::move(question));
    OutputQuery& query = questions_.find(handle)->query;
    query.request = requests_.open(context, handle);
    const Body body = Body::make(query);
    for (const NodeId auditor : options_.auditors) context.send(auditor, body);
    await_replies(context, handle);
  }
  asked_.clear();
}

void OutputWitnesses::await_replies(Context& context, Handle handle) {
  questions_.await(context, handle, rpc::Waiting::for_reply, context.now() + options_.timeout);
}

void OutputWitnesses::on_progress(Context& context, const OutputProgress& progress) {
  const Handle handle = requests_.find(progress.request);
  if (questions_.find(handle) == nullptr) {
    PHOTON_MARK("verification.witness.progress_late");
    return;
  }
  PHOTON_MARK("verification.witness.progress");
  await_replies(context, handle);
}

void OutputWitnesses::on_reply(NodeId from, const OutputReply& reply) {
  const Handle handle = requests_.find(reply.request);
  Question* question = questions_.find(handle);
  if (question == nullptr) {
    PHOTON_MARK("verification.witness.late");
    return;
  }
  const auto silent = std::ranges::find(question->silent, from);
  if (silent == question->silent.end()) {
    PHOTON_MARK("verification.witness.answers_twice");
    return;  // a copy of an answer
  }
  PHOTON_CHECK(reply.presences.size() == question->tags.size(), "an answer for each question");
  question->silent.erase(silent);
  for (std::size_t i = 0; i < reply.presences.size(); ++i) {
    question->found[i] = std::max(question->found[i], reply.presences[i]);
  }
  if (question->silent.empty()) conclude(handle);
}

void OutputWitnesses::conclude(Handle handle) {
  const Question& question = *questions_.find(handle);
  for (std::size_t i = 0; i < question.tags.size(); ++i) {
    const Presence silence = question.silent.empty() ? Presence::absent : Presence::unknown;
    if (silence == Presence::unknown) PHOTON_MARK("verification.witness.silent");
    outcomes_.push_back({question.tags[i], std::max(question.found[i], silence)});
  }
  requests_.close(question.query.request);
  questions_.end(handle);
}

void OutputWitnesses::on_timer(Context& context) {
  questions_.on_timer();
  while (const auto due = questions_.take_due(context.now())) conclude(due->handle);
  questions_.rearm(context);
}

std::optional<OutputWitnesses::Outcome> OutputWitnesses::next() {
  if (outcomes_.empty()) return std::nullopt;
  const Outcome outcome = outcomes_.front();
  outcomes_.pop_front();
  return outcome;
}

}  // namespace photon
