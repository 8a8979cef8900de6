#include "support/free_port.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

namespace muster::test {
namespace {

bool is_free(int port) {
  const int handle = socket(AF_INET, SOCK_STREAM, 0);
  if (handle < 0) return true;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool free = bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(handle);
  return free;
}

bool are_free(int first, int count) {
  for (int i = 0; i < count; ++i) {
    if (!is_free(first + i)) return false;
  }
  return true;
}

}  // namespace

int free_ports(int count) {
  static int next = getpid() % 60 * 250;
  do {
    next = (next + count) % 15000;
  } while (!are_free(17000 + next, count));
  return 17000 + next;
}

}  // namespace muster::test
