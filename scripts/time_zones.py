#!/usr/bin/env python3
"""Prints src/expr/time_zones.inc from the time zone database of this machine.

One row of kZoneHistories for each history of clocks from 2000 to 2037: the first offset in minutes, then for each change
the minutes since the one before (since 2000-01-01T00:00Z at first) in base 36 and the new offset. kZones names them.
"""
import datetime
import pathlib
import zoneinfo

FIRST = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
LAST = datetime.datetime(2038, 1, 1, tzinfo=datetime.timezone.utc)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number):
    out = ""
    while True:
        out = DIGITS[number % 36] + out
        number //= 36
        if number == 0:
            return out


def offset(zone, minute):
    at = (FIRST + datetime.timedelta(minutes=minute)).astimezone(zone)
    return int(at.utcoffset().total_seconds()) // 60


def history(zone):
    end = int((LAST - FIRST).total_seconds()) // 60
    step = 6 * 60  # no two changes within six hours
    out, before, last = [str(offset(zone, 0))], offset(zone, 0), 0
    for minute in range(step, end + 1, step):
        if offset(zone, minute) == before:
            continue
        low, high = minute - step, minute
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
        before = offset(zone, high)
        out.append(base36(high - last) + ":" + str(before))
        last = high
    return " ".join(out)


version = pathlib.Path("/usr/share/zoneinfo/tzdata.zi").read_text().split("\n")[0].replace("# version ", "")
skipped = ("posix/", "right/", "SystemV/")
names = sorted(name for name in zoneinfo.available_timezones() if not name.startswith(skipped) and name not in ("localtime", "posixrules", "Factory"))
histories = {}
rows = []
for name in names:
    rows.append((name, histories.setdefault(history(zoneinfo.ZoneInfo(name)), len(histories))))
print(f"// Made by scripts/time_zones.py from the IANA time zone database {version}, which is in the public domain.")
print("constexpr std::string_view kZoneHistories[] = {")
for text in histories:
    print(f'    "{text}",')
print("};")
print("constexpr Zone kZones[] = {")
for name, index in rows:
    print(f'    {{"{name}", {index}}},')
print("};")
