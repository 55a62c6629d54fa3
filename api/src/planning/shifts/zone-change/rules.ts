import { addDays, formatDay, type Market, zoneOn } from '@roadshow/contract'

type Zones = Pick<Market, 'zone' | 'earlierZones'>

/** A time zone that a market gets from a day on. */
export interface NewZone {
  zone: string
  from: string
}

/** The zones of a market after a change; what was planned for that day and later is replaced. */
export function zonesAfter(market: Zones, { zone, from }: NewZone): Zones {
  const kept = market.earlierZones.filter(({ until }) => until < from)
  const before = zoneOn(market, addDays(from, -1))
  return { zone, earlierZones: before === zone ? kept : [...kept, { zone: before, until: from }] }
}

interface PastDays {
  today: string
  /** The day of the last shift whose start has come; null without any. */
  lastShift: string | null
  /** The last day with locked pay. */
  lastLocked: string | null
}

/** The first day from which another zone can hold: past shifts keep their times, and so do days with locked pay. */
export function earliestZoneDay({ today, lastShift, lastLocked }: PastDays): string {
  const after = [lastShift, lastLocked].flatMap((day) => (day === null ? [] : [addDays(day, 1)]))
  return after.reduce((latest, day) => (day > latest ? day : latest), today)
}

/** Why a market cannot get a zone from a day on, as far as its own days say. */
export function checkNewZone(market: Zones & { name: string }, asked: NewZone, earliest: string): string | undefined {
  if (asked.from < earliest) {
    return `Another time zone can hold from ${formatDay(earliest)} at the earliest: past shifts keep their times.`
  }
  if (
    JSON.stringify(zonesAfter(market, asked)) !==
    JSON.stringify({ zone: market.zone, earlierZones: market.earlierZones })
  )
    return undefined
  return `${market.name} already has this time zone from that day on.`
}
