"""A name server for a network that has nothing but loopback: every name is 127.0.0.1. slurmctld asks for each node that
no power saving starts, and asks a name that is not there ten times, two seconds apart. In IPv6 it is ::1."""
import socket
import struct

ADDRESSES = {1: b"\x7f\x00\x00\x01", 28: b"\x00" * 15 + b"\x01"}  # A and AAAA


def answer(query):
    identity = query[:2]
    end = 12
    while query[end]:
        end += 1 + query[end]
    question = query[12:end + 5]
    kind = struct.unpack(">H", question[-4:-2])[0]
    address = ADDRESSES.get(kind, b"")
    records = b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(address)) + address if address else b""
    return identity + b"\x85\x80\x00\x01" + (b"\x00\x01" if records else b"\x00\x00") + b"\x00" * 4 + question + records


def main():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    while True:
        query, client = server.recvfrom(2048)
        try:
            server.sendto(answer(query), client)
        except IndexError:
            pass


main()
