// Transcripts: what a group of replicas does, as text to be read, replayed and compared.
//
// A file under tests/transcripts/paxos/ holds commands (lines that begin with "> ") and, after
// each, what happened. The commands are replayed and the whole text is compared. After an intended
// change run with PAXOS_WRITE_TRANSCRIPTS=1 and read the diff before accepting it. The commands are
// explained in tests/transcripts/paxos/README.md.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

std::string text_of(Ballot ballot) {
  return fmt::format("{}.{}", round_of(ballot), unsigned{owner_of(ballot)});
}
std::string shown(const SharedBytes& value) {
  return value.empty() ? "no-op" : photon::paxos::testing::text_of(value);
}

struct Describe {
  std::string operator()(const Prepare& m) const {
    std::string text = fmt::format("prepare {} from slot {}", text_of(m.ballot), m.from_slot);
    if (m.released != Ballot{}) text += fmt::format(" released {}", text_of(m.released));
    return text;
  }
  std::string operator()(const Promise& m) const {
    std::string text = fmt::format("promise {} chosen {}", text_of(m.ballot), m.chosen_through);
    for (const Reported& entry : m.accepted) {
      text += fmt::format(" [{}: {} at {}]", entry.slot, shown(entry.value), text_of(entry.ballot));
    }
    return text;
  }
  std::string operator()(const Accept& m) const {
    std::string text = fmt::format("accept {} commit {}", text_of(m.ballot), m.commit);
    Slot slot = m.first_slot;
    for (const SharedBytes& value : m.values)
      text += fmt::format(" [{}: {}]", slot++, shown(value));
    return text;
  }
  std::string operator()(const Accepted& m) const {
    return fmt::format("accepted {} slots {}..{}{}", text_of(m.ballot), m.first_slot,
                       m.first_slot + m.value_hashes.size() - 1, wants(m.wants_from));
  }
  std::string operator()(const Heartbeat& m) const {
    return fmt::format("heartbeat {} commit {}", text_of(m.ballot), m.commit);
  }
  std::string operator()(const HeartbeatAck& m) const {
    return fmt::format("heartbeat_ack {}{}", text_of(m.ballot), wants(m.wants_from));
  }
  std::string operator()(const Reject& m) const {
    return fmt::format("reject {} promised {}", text_of(m.ballot), text_of(m.promised));
  }
  std::string operator()(const SnapshotOffer& m) const {
    return fmt::format("snapshot_offer {} through {}", text_of(m.ballot), m.through);
  }
  std::string operator()(const Transfer& m) const {
    return fmt::format("transfer {} commit {}", text_of(m.ballot), m.commit);
  }
  static std::string wants(Slot slot) {
    return slot == 0 ? std::string() : fmt::format(" wants {}", slot);
  }
};

class Stage {
 public:
  std::string run(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    said_.clear();
    if (verb == "group") {
      open_group(words);
    } else if (verb == "deliver" || verb == "drop" || verb == "duplicate") {
      route(verb, words);
    } else if (verb == "wait") {
      std::int64_t milliseconds = 0;
      words >> milliseconds;
      now_ += std::chrono::milliseconds(milliseconds);
    } else {
      unsigned index = 0;
      words >> index;
      const auto replica = static_cast<ReplicaIndex>(index);
      if (index >= nodes_.size()) return "?? no such replica\n";
      if (!one_replica(verb, replica, words)) return "?? unknown command\n";
    }
    return said_;
  }
  const Ledger& ledger() const { return *ledger_; }

 private:
  struct Node {
    std::optional<Replica> replica;
    std::vector<LogRecord> durable;
    std::vector<LogRecord> writing;
    std::uint64_t mark = 0;
  };
  struct Flying {
    ReplicaIndex from;
    ReplicaIndex to;
    Message message;
  };

  template <class... Arguments>
  void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    said_ += "  " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  void open_group(std::istringstream& words) {
    unsigned replicas = 0;
    std::string option;
    words >> replicas;
    config_.replicas = replicas;
    while (words >> option) {
      if (option == "no-lease") config_.lease = Duration{};
      if (option == "instant-disk") instant_disk_ = true;
    }
    ledger_.emplace(replicas);
    nodes_.resize(replicas);
    for (ReplicaIndex i = 0; i < replicas; ++i) start(i);
  }

  void start(ReplicaIndex index) {
    Config config = config_;
    config.self = index;
    Recovered recovered;
    for (const LogRecord& record : nodes_[index].durable) REQUIRE(recovered.absorb(record));
    nodes_[index].mark = 0;
    ledger_->restarted(index);
    nodes_[index].replica.emplace(config, std::move(recovered), now_);
    feed(index, Persisted{0});
  }

  bool one_replica(const std::string& verb, ReplicaIndex index, std::istringstream& words) {
    Node& node = nodes_[index];
    if (verb == "restart") {
      start(index);
      return true;
    }
    if (!node.replica) {
      say("{} is down", index);
      return true;
    }
    if (verb == "tick") {
      now_ = std::max(now_, node.replica->next_wakeup());
      feed(index, Tick{});
    } else if (verb == "campaign") {
      feed(index, StandForElection{});
    } else if (verb == "propose") {
      std::string text;
      words >> text;
      if (!node.replica->can_propose(now_)) say("{} refuses", index);
      feed(index, Propose{command(text)});
    } else if (verb == "persist") {
      persist(index);
    } else if (verb == "crash") {
      node.writing.clear();
      node.replica.reset();
    } else {
      return false;
    }
    return true;
  }

  void persist(ReplicaIndex index) {
    Node& node = nodes_[index];
    node.durable.insert(node.durable.end(), node.writing.begin(), node.writing.end());
    node.writing.clear();
    feed(index, Persisted{node.mark});
  }

  template <class Event>
  void feed(ReplicaIndex index, Event event) {
    Node& node = nodes_[index];
    Output out;
    node.replica->step(Input{now_, std::move(event)}, out);
    node.mark = out.mark;
    for (const LogRecord& record : out.records) {
      node.writing.push_back(record);
      if (record.kind == RecordKind::promise)
        say("{} writes promise {}", index, text_of(record.ballot));
      if (record.kind == RecordKind::commit) say("{} writes commit {}", index, record.slot);
      if (record.kind == RecordKind::accept) {
        say("{} writes accept {} [{}: {}]", index, text_of(record.ballot), record.slot,
            shown(record.value));
      }
    }
    for (const Accepted& own : out.own_accepted) ledger_->accepted(index, own);
    for (const Outgoing& outgoing : out.messages) launch(index, outgoing);
    if (out.mastership.lost) say("{} is no longer master {}", index, text_of(*out.mastership.lost));
    for (const Chosen& chosen : out.chosen) {
      ledger_->applied(index, chosen.slot, chosen.value.hash());
      say("{} applies [{}: {}]", index, chosen.slot, shown(chosen.value));
    }
    if (out.mastership.gained) {
      say("{} is master {}, applied {}", index, text_of(*out.mastership.gained),
          out.mastership.gained_applied);
    }
    if (instant_disk_ && !node.writing.empty()) persist(index);
  }

  void launch(ReplicaIndex from, const Outgoing& outgoing) {
    ledger_->sent(from, outgoing.message);
    const std::string text = std::visit(Describe{}, outgoing.message);
    for (ReplicaIndex to = 0; to < config_.replicas; ++to) {
      if (!outgoing.to.contains(to)) continue;
      flying_.emplace(++launched_, Flying{from, to, outgoing.message});
      say("m{} {}->{} {}", launched_, from, to, text);
    }
  }

  // "all", "to R", "from R", or "mK ...": messages in flight before the command.
  void route(const std::string& verb, std::istringstream& words) {
    std::string word;
    std::vector<std::uint64_t> expected;
    while (words >> word) {
      unsigned index = 0;
      if (word == "to" || word == "from") words >> index;
      for (const auto& [number, flying] : flying_) {
        if (word == "all" || (word == "to" && flying.to == index) ||
            (word == "from" && flying.from == index) || word == fmt::format("m{}", number)) {
          expected.push_back(number);
        }
      }
    }
    if (expected.empty()) say("nothing flies");
    for (const std::uint64_t number : expected) {
      const Flying flying = flying_.at(number);
      if (verb != "duplicate") flying_.erase(number);
      if (verb != "drop" && nodes_[flying.to].replica) {
        feed(flying.to, Received{flying.from, flying.message});
      }
    }
  }

  Config config_;
  bool instant_disk_ = false;
  MonotonicTime now_{};
  std::vector<Node> nodes_;
  std::map<std::uint64_t, Flying> flying_;
  std::uint64_t launched_ = 0;
  std::optional<Ledger> ledger_;
  std::string said_;
};

std::string replay(const std::string& text) {
  Stage stage;
  std::istringstream lines(text);
  std::string line;
  std::string result;
  while (std::getline(lines, line)) {
    if (line.starts_with("> ")) {
      result += line + "\n" + stage.run(line.substr(2));
    } else if (line.empty() || line.starts_with("#")) {
      result += line + "\n";
    }
  }
  CHECK(stage.ledger().violation() == "");
  return result;
}

}  // namespace

TEST_CASE("transcripts of the consensus protocol: B-12 B-13 B-14 B-16 BC-08") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/transcripts/paxos")) {
    if (entry.path().extension() != ".txt") continue;
    ++files;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string result = replay(text.str());
    if (std::getenv("PAXOS_WRITE_TRANSCRIPTS") != nullptr) std::ofstream(entry.path()) << result;
    INFO(entry.path().string() << ": PAXOS_WRITE_TRANSCRIPTS=1 rewrites it; read the diff");
    CHECK(text.str() == result);
  }
  CHECK(files >= 5);
}

}  // namespace photon::paxos::testing
