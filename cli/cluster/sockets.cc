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

constexpr int kIntroductionMilliseconds = 5000;

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

bool is_readable(int channel, std::chrono::milliseconds wait) {
  pollfd waited{channel, POLLIN, 0};
  return ::poll(&waited, 1, static_cast<int>(std::max<std::int64_t>(wait.count(), 0))) > 0;
}

std::optional<campaigns::Introduction> introduction_of(int channel) {
  campaigns::FrameReader frames;
  while (is_readable(channel, std::chrono::milliseconds(kIntroductionMilliseconds)) &&
         frames.read_some(channel)) {
    const auto bytes = frames.take();
    if (!bytes) continue;
    campaigns::Introduction introduction;
    photon::Decoder decode(std::span<const std::byte>(bytes->data(), bytes->size()));
    decode(introduction);
    if (!decode.ok() || decode.remaining() > 0) return std::nullopt;
    return introduction;
  }
  return std::nullopt;
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
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
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

std::vector<Connection> RankListener::accept(std::size_t ranks, int seconds) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::seconds(seconds);
  std::vector<Connection> connections;
  while (connections.size() < ranks && Clock::now() < until) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (!is_readable(socket_, left)) continue;
    const int channel = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (channel < 0) continue;
    keep_alive(channel);
    const auto caller = introduction_of(channel);
    if (!caller || caller->secret != secret_) {
      ::close(channel);
      continue;
    }
    connections.push_back({channel, static_cast<int>(caller->rank), caller->host});
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
