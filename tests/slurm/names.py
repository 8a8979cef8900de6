"""A name server for a network that has nothing but loopback: every name is 127.0.0.1. slurmctld asks for each node that
no power saving starts, and asks a name that is not there ten times, two seconds apart."""
import socket
import struct

IPV4 = 1


def answer(query):
    identity = query[:2]
    end = 12
    while query[end]:
        end += 1 + query[end]
    question = query[12:end + 5]
    kind = struct.unpack(">H", question[-4:-2])[0]
    records = b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\x7f\x00\x00\x01" if kind == IPV4 else b""
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
