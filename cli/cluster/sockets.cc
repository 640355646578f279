#include "cli/cluster/sockets.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "campaigns/pool/frames.h"
#include "core_impl/base/codec.h"

namespace photonsim::cli {
namespace {

using Connection = campaigns::Cluster::Connection;

constexpr std::size_t kMostCallers = 128;  // that have not said who they are

std::string fresh_secret() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

// IPv4, the loopback last: it is right for ranks on this machine alone.
std::vector<std::string> own_addresses() {
  std::vector<std::string> addresses;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) == 0) {
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
      if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
      sockaddr_in address{};
      std::memcpy(&address, each->ifa_addr, sizeof address);
      std::array<char, INET_ADDRSTRLEN> text{};
      ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
      addresses.emplace_back(text.data());
    }
    ::freeifaddrs(list);
  }
  std::stable_partition(addresses.begin(), addresses.end(),
                        [](const std::string& each) { return !each.starts_with("127."); });
  return addresses;
}

// A peer whose machine is gone ends the connection after some 25 seconds.
void keep_alive(int socket) {
  const auto set = [socket](int level, int name, int value) {
    ::setsockopt(socket, level, name, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 25'000);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
}

using CallerClock = std::chrono::steady_clock;

void wait_for(std::vector<pollfd>& waited, CallerClock::duration most) {
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(most).count();
  if (::poll(waited.data(), waited.size(), static_cast<int>(wait)) > 0) return;
  for (pollfd& each : waited) each.revents = 0;
}

// Nothing: it is none.
std::optional<campaigns::Introduction> introduction_in(const photon::Bytes& bytes) {
  campaigns::Introduction introduction;
  photon::Decoder decode(std::span<const std::byte>(bytes.data(), bytes.size()));
  decode(introduction);
  if (!decode.ok() || decode.remaining() > 0) return std::nullopt;
  return introduction;
}

// Errors of one connection, or of its network, after which the next call can succeed (accept(2)).
bool concerns_one_caller(int error) {
  constexpr std::array kOfOne{EINTR,        ECONNABORTED, EPROTO,     EPERM,
                              ENETDOWN,     ENOPROTOOPT,  EHOSTDOWN,  ENONET,
                              EHOSTUNREACH, EOPNOTSUPP,   ENETUNREACH};
  return std::ranges::find(kOfOne, error) != kOfOne.end();
}

int connected(const std::string& address, std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  const timeval most{10, 0};  // for connect(), too
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  const bool known = ::inet_pton(AF_INET, address.c_str(), &to.sin_addr) == 1;
  if (known && ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
    const timeval none{0, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
    return socket;
  }
  ::close(socket);
  return -1;
}

}  // namespace

std::string Offer::text() const {
  return fmt::format("{} {} {}", port, secret, fmt::join(addresses, " "));
}

std::optional<Offer> Offer::parse(const std::string& text) {
  Offer offer;
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (words.size() < 3) return std::nullopt;
  const std::string& port = words[0];
  const auto read = std::from_chars(port.data(), port.data() + port.size(), offer.port);
  if (read.ec != std::errc{} || read.ptr != port.data() + port.size()) return std::nullopt;
  offer.secret = words[1];
  offer.addresses.assign(words.begin() + 2, words.end());
  return offer;
}

RankListener::~RankListener() {
  if (socket_ >= 0) ::close(socket_);
}

std::optional<Offer> RankListener::open() {
  secret_ = fresh_secret();
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof any;
  const bool listens = !secret_.empty() && socket_ >= 0 &&
                       ::bind(socket_, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0 &&
                       ::listen(socket_, SOMAXCONN) == 0 &&
                       ::getsockname(socket_, reinterpret_cast<sockaddr*>(&any), &size) == 0;
  if (!listens) {
    error_ = fmt::format("rank 0 cannot listen for the other ranks: {}", std::strerror(errno));
    return std::nullopt;
  }
  return Offer{ntohs(any.sin_port), secret_, own_addresses()};
}

// One that has not said who it is.
struct RankListener::Caller {
  int channel = -1;
  CallerClock::time_point until{};
  campaigns::FrameReader frames{campaigns::Introduction::kMostBytes};

  enum class State : std::uint8_t { silent, known, stranger };
  // Its next bytes, which poll() has announced.
  State listen(const std::string& secret, Connection& connection) {
    if (!frames.read_some(channel)) return State::stranger;
    photon::Bytes bytes;
    const campaigns::Arrival arrival = frames.take(bytes);
    if (arrival == campaigns::Arrival::none) return State::silent;
    const auto introduction =
        arrival == campaigns::Arrival::frame ? introduction_in(bytes) : std::nullopt;
    if (!introduction || introduction->secret != secret) return State::stranger;
    connection = {channel, static_cast<int>(introduction->rank), introduction->host};
    return State::known;
  }
};

bool RankListener::refuse(int error) {
  const bool files = error == EMFILE || error == ENFILE;
  error_ = fmt::format("rank 0 on {} cannot let another rank in: {}: {}", host_name(),
                       std::strerror(error),
                       files ? "each rank needs an open file here; raise the limit (ulimit -n), or "
                               "start fewer ranks"
                             : "free memory on that machine, or start fewer ranks");
  return false;
}

// Those that wait at the door.
bool RankListener::let_in(std::vector<Caller>& callers) {
  while (callers.size() < kMostCallers) {
    const int channel = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (channel < 0 && errno == EAGAIN) return true;
    if (channel < 0 && concerns_one_caller(errno)) continue;
    if (channel < 0) return refuse(errno);
    keep_alive(channel);
    callers.push_back({channel, CallerClock::now() + introduction_});
  }
  return true;
}

std::vector<Connection> RankListener::accept(std::size_t ranks, int seconds) {
  const auto until = CallerClock::now() + std::chrono::seconds(seconds);
  std::vector<Connection> connections;
  std::vector<Caller> callers;
  while (connections.size() < ranks && error_.empty()) {
    const auto now = CallerClock::now();
    if (now >= until) break;
    auto wake = until;
    std::vector<pollfd> waited;
    for (const Caller& each : callers) {
      waited.push_back({each.channel, POLLIN, 0});
      wake = std::min(wake, each.until);
    }
    waited.push_back({callers.size() < kMostCallers ? socket_ : -1, POLLIN, 0});
    wait_for(waited, wake - now);
    const auto heard = CallerClock::now();
    for (std::size_t i = callers.size(); i-- > 0 && connections.size() < ranks;) {
      auto state = Caller::State::silent;
      Connection connection;
      if (waited[i].revents != 0) state = callers[i].listen(secret_, connection);
      if (state == Caller::State::silent && heard < callers[i].until) continue;
      if (state == Caller::State::known) {
        connections.push_back(connection);
      } else {
        ::close(callers[i].channel);
      }
      callers.erase(callers.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (waited.back().revents != 0) let_in(callers);
  }
  for (const Caller& each : callers) ::close(each.channel);
  if (!error_.empty()) {
    for (const Connection& each : connections) ::close(each.channel);
    connections.clear();
  }
  std::ranges::sort(connections, {}, &Connection::rank);
  return connections;
}

int call_rank_0(const Offer& offer, int rank) {
  for (const std::string& address : offer.addresses) {
    const int channel = connected(address, offer.port);
    if (channel < 0) continue;
    keep_alive(channel);
    photon::Bytes bytes;
    photon::Encoder encode(bytes);
    encode(campaigns::Introduction{offer.secret, static_cast<std::uint64_t>(rank), host_name()});
    if (campaigns::send_frame(channel, bytes)) return channel;
    ::close(channel);
  }
  return -1;
}

}  // namespace photonsim::cli
