"""Recomputes plays, miles, hours, impressions and pace of a program from downloaded files: python3 recount.py FOLDER
README.md beside this file says which files; docs/miles.md, docs/impressions.md and docs/delivery.md have the rules."""
import csv, glob, json, math, sys
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo
STANDING_M, STOOD_M, STOOD_KMH, SLACK, TOP_SPEED, AGREEING, AGREE = 50, 500, 5, 1.5, 45, 3, 0.15
GAP, LONGEST_GAP, STEP, HOUR, EARTH_M, MILE_M, NEAR_M = 300_000, 43_200_000, 120_000, 3_600_000, 6_371_008.8, 1609.344, 30
CLASS, COUNTED, HOUR_SHARE, VISIBLE, PEOPLE = (0.5, 1.5), (0.8, 1, 1.2), (0.5, 1, 1.5), (0.8, 1.2), 1.2
ROADS, STATES = ["other", "principalArterial", "interstate"], ["behind", "on", "ahead", "early", "missed", "done"]
half_up = lambda value, digits=0: math.floor(value * 10**digits + 0.5) / 10**digits
stood = lambda one, other, away: away < STOOD_M and all((fix[3] or 0) < STOOD_KMH for fix in (one, other))

def meters(one, other):  # A fix is (time, latitude, longitude, speed).
    a, b, dy, dx = map(math.radians, (one[1], other[1], other[1] - one[1], other[2] - one[2]))
    share = math.sin(dy / 2) ** 2 + math.cos(a) * math.cos(b) * math.sin(dx / 2) ** 2
    return 2 * EARTH_M * math.asin(min(1, math.sqrt(share)))
def reach(one, other):
    fastest = max((fix[3] / 3.6 for fix in (one, other) if fix[3] is not None), default=TOP_SPEED)
    return min(fastest, TOP_SPEED) * (other[0] - one[0]) / 1000

def drive(fixes, last=None):
    """Each fix, whether it is credible, and the step that ends there: its start, its meters, whether it is a silence."""
    for fix in fixes:
        before, last, step = last, fix, None
        if before is None or fix[0] - before[0] > LONGEST_GAP:
            anchor, reached, doubted, count = fix, 0, None, 0
        else:
            away, silent = meters(anchor, fix), fix[0] - before[0] > GAP
            reached += TOP_SPEED * (fix[0] - before[0]) / 1000 if silent else reach(before, fix)
            is_jump = away > reached * SLACK + STANDING_M
            step = before[0], 0 if away < STANDING_M or is_jump or (silent and stood(before, fix, away)) else away, silent
            agrees = doubted and meters(doubted, fix) < reach(doubted, fix) * SLACK + STANDING_M
            count = count + 1 if agrees else 1
            doubted = fix if is_jump and count < AGREEING else None
            if away >= STANDING_M and not doubted:
                anchor, reached = fix, 0
        yield fix, not doubted, step

def odometer(readings, start, end):
    """The meters of a range of hours, between the readings around its edges; not a number where they do not say."""
    edges = [(*[one for one in readings if at - LONGEST_GAP <= one[0] <= at][-1:],
              *[one for one in readings if at <= one[0] <= at + LONGEST_GAP][:1]) for at in (start, end)]
    if any(len(edge) < 2 for edge in edges):
        return math.nan
    first, last = (m1 if t1 == t2 else m1 + (m2 - m1) * (at - t1) / (t2 - t1)
                   for at, ((t1, m1), (t2, m2)) in zip((start, end), edges))
    span = [one for one in readings if edges[0][0][0] <= one[0] <= edges[1][1][0]]
    is_steady = all(0 <= m2 - m1 <= (t2 - t1) / 1000 * TOP_SPEED + 2000 for (t1, m1), (t2, m2) in zip(span, span[1:]))
    return last - first if is_steady and last >= first else math.nan

def distance(track):
    """The meters of a shift, and where they come from; None where nothing is known."""
    total, estimated, is_heard = 0, 0, False
    for fix, _, step in drive(track["positions"]):
        for start, end in track["hours"]:
            within = min(end, fix[0]) - max(start, step[0]) if step else 0
            part = step[1] * within / (fix[0] - step[0]) if within > 0 else 0
            total, estimated = total + part, estimated + (part if part and step[2] else 0)
            is_heard |= start <= fix[0] < end or part > 0 or (within > 0 and not step[2])
    read = sum(odometer(track["odometer"], *hours) for hours in track["hours"]) if track["hours"] else math.nan
    agrees = read >= (total - estimated) * (1 - AGREE) if estimated > 0 else abs(read - total) <= total * AGREE
    return (read, "odometer") if agrees else (total, "gps") if is_heard or read >= 0 else (None, None)

def steps(fixes):
    """The way between credible fixes by (silence, step of the clock), each in pieces: (from, to, start, end, meters)."""
    found, track = defaultdict(list), [fix for fix, is_credible, _ in drive(fixes) if is_credible]
    for one, other in zip(track, track[1:]):
        time, length, at = other[0] - one[0], meters(one, other), one[0]
        place = lambda at: (at, *(one[i] + (at - one[0]) / time * (other[i] - one[i]) for i in (1, 2)))
        while at < other[0] and not (time > GAP and stood(one, other, length)):
            to = min(other[0], (at // STEP + 1) * STEP)
            found[time > GAP, at // STEP].append((at, to, place(at), place(to), length * (to - at) / time))
            at = to
    return found.items()

def daily_vehicles(is_silent, pieces, by_class, method):
    """The least, likely and most daily vehicles of the road: of the nearest counted one, or of the class by speed."""
    middle = (pieces[0][0] + pieces[-1][1]) / 2
    start, end, one, other, _ = next(piece for piece in pieces if piece[1] >= middle)
    _, north, west = (a + (middle - start) / (end - start) * (b - a) for a, b in zip(one, other))
    up, near = math.radians(1) * EARTH_M, [(math.inf, 0)]
    for road in method["traffic"]:  # As complex numbers: meters to the east and to the north.
        flat = [complex((x - west) * math.cos(math.radians(north)), y - north) * up for x, y in road["line"]]
        for one, leg in ((one, other - one) for one, other in zip(flat, flat[1:])):
            share = max(0, min(1, -(one * leg.conjugate()).real / (abs(leg) ** 2 or 1)))
            near.append((abs(one + share * leg), -road["dailyVehicles"]))
    if not is_silent and min(near)[0] <= NEAR_M:
        return [-min(near)[1] * share for share in COUNTED]
    mph = sum(piece[4] for piece in pieces) / MILE_M / sum(to - at for at, to, *_ in pieces) * HOUR
    index = sum(mph >= speed for speed in method["inputs"]["speeds"].values())
    least, most = min(by_class[max(0, index - 1):]) * CLASS[0], max(by_class[max(0, index - 1):]) * CLASS[1]
    return (0, 0, max(by_class) * CLASS[1]) if is_silent else (least, by_class[index], most)

def impressions(shift, track, plays, method):
    inputs, kind, sums = method["inputs"], track["truck"]["kind"], (0, 0, 0)  # Low, likely and high.
    areas = {area["marketUid"]: [area["dailyVehicles"][road] for road in ROADS] for area in inputs["areas"]}
    seen, people = sum((side["opposite"] + side["same"]) / 2 for side in inputs["sides"].values()), inputs["occupancy"]
    views = seen * VISIBLE[0], seen * people, max(seen, min(1, seen * VISIBLE[1])) * (people * PEOPLE)
    found = [step for start, end in track["hours"] for step in steps([f for f in track["positions"] if start <= f[0] < end])]
    for (is_silent, _), pieces in found:
        hour = inputs["hours"][datetime.fromtimestamp(pieces[0][0] / 1000, ZoneInfo(shift["zone"])).hour]
        is_parked = not is_silent and max(meters(pieces[0][2], piece[3]) for piece in pieces) < STANDING_M
        if not (is_parked or (hour["isNight"] and not inputs["isLit"][kind]) or (kind == "led" and not plays)):
            daily = daily_vehicles(is_silent, pieces, areas.get(shift["market"]["uid"], areas[None]), method)
            share = hour["share"] * sum(to - at for at, to, *_ in pieces) / HOUR
            sums = [one + count * share * f * view for one, count, f, view in zip(sums, daily, HOUR_SHARE, views)]
    return [half_up(each) for each in sums] if any(not is_silent for (is_silent, _), _ in found) else None

def delivered(line, worked, now, share):
    """What a booked line delivered on its days that are over, what was expected by then, its pace and its state."""
    last_over = datetime.fromtimestamp((now - 6 * HOUR) / 1000, ZoneInfo(line["market"]["zone"])).date() - timedelta(1)
    first, last, amount = date.fromisoformat(line["startsOn"]), date.fromisoformat(line["endsOn"]), line["amount"]
    days, over = (last - first).days + 1, max(0, (min(last_over, last) - first).days + 1)
    rows = [one for one in worked if one["market"] == line["market"]["uid"] and 0 <= (one["day"] - first).days < over]
    done, without = {
        "truckDays": (len({(one["truck"], one["day"]) for one in rows}), 0),
        "hours": (half_up(sum(one["seconds"] for one in rows) / 3600, 2), 0),
        "miles": (half_up(sum(one["whole"] for one in rows) / MILE_M, 1), sum(not one["source"] for one in rows)),
        "plays": (sum(one["plays"] for one in rows), len(rows))}[line["unit"]]
    expected = amount * over / days
    pace = None if not over or (not done and without) or (over < days and expected < 1) else done / expected
    state = ("done" if done >= amount else "missed") if over == days else "early" if pace is None else (
        "behind" if half_up(pace, 9) < 1 - share else "ahead" if half_up(pace, 9) > 1 + share else "on")
    return {"uid": line["uid"], "delivered": done, "expected": expected, "pace": pace, "state": state}

def recount(folder):
    read = lambda files: [json.load(open(path, encoding="utf-8")) for path in sorted(glob.glob(f"{folder}/{files}.json"))]
    tracks = {answer["data"]["uid"]: answer["data"] for answer in read("tracks/*")}
    plays = Counter(row["Shift"] for row in csv.DictReader(open(f"{folder}/plays.csv", encoding="utf-8-sig", newline="")))
    method, delivery, settings = (read(name)[0] for name in ("method", "delivery", "settings"))
    now, worked = datetime.fromisoformat(delivery["data"]["asOf"].replace("Z", "+00:00")).timestamp() * 1000, []
    for shift in (shift for page in read("shifts*") for shift in page["data"]):
        track, count = tracks[shift["uid"]], plays[shift["uid"]]
        total, source = distance(track)
        if shift["status"] in ("out", "completed") or (shift["status"] == "planned" and (total or count)):
            times = [min(end, now) - max(start, min(track["beganAt"], now)) for start, end in track["hours"]]
            worked.append({
                "uid": track["uid"], "truck": track["truck"]["uid"], "market": shift["market"]["uid"], "source": source,
                "day": date.fromisoformat(shift["date"]), "plays": count, "meters": total, "whole": round(total or 0),
                "seconds": sum(max(0, time) for time in times) // 1000, "impressions": impressions(shift, track, count, method)})
    share = settings["data"]["values"]["behindPercent"] / 100
    lines = [delivered(one["line"], worked, now, share) for one in delivery["data"]["lines"]]
    leading = min(lines, key=lambda one: (STATES.index(one["state"]), one["pace"] or 0), default={"pace": None})
    plays, seconds, whole = (sum(one[name] for one in worked) for name in ("plays", "seconds", "whole"))
    return {"plays": plays, "meters": whole, "miles": half_up(whole / MILE_M, 1), "seconds": seconds,
            "impressions": [sum(each) for each in zip(*(one["impressions"] for one in worked if one["impressions"]))],
            "hours": half_up(seconds / 3600, 2), "pace": leading["pace"], "lines": lines, "shifts": worked}

print(json.dumps(recount(sys.argv[1]), indent=2, default=str))
