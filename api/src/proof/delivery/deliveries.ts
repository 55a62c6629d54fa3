import { randomUUID } from 'node:crypto'
import { type BookedLine, type DeliveryFacts, deliveryOf, paceOfLines, type ProgramDelivery } from '@roadshow/contract'
import { readSettings } from '../../catalog/settings/index.ts'
import type { PlayScope } from '../../live/plays/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { loadBooked, loadDeliveryFacts } from './facts.ts'

/** Some days of a booked line. */
interface LineDays {
  from: string
  to: string
}

interface DeliveriesQuery {
  programUids: readonly string[]
  now: number
  /** Which days of a line are counted by themselves, too. */
  partsOf: (line: BookedLine) => readonly LineDays[]
}

/** What some days of a line delivered. */
interface DeliveredPart extends LineDays, DeliveryFacts {}

/**
 * What is booked for programs and how much of it is delivered, for those that the reader may see, with what parts of the lines
 * delivered: all of it read at once.
 */
export async function deliveriesWithParts(
  db: Db,
  scope: PlayScope,
  { programUids, now, partsOf }: DeliveriesQuery,
): Promise<{ deliveries: Map<string, ProgramDelivery>; parts: Map<string, DeliveredPart[]> }> {
  const programs = await loadBooked(db, scope, programUids)
  const booked = programs.flatMap(({ uid, line }) => (line ? [{ programUid: uid, line }] : []))
  const asked = booked.flatMap(({ programUid, line }) =>
    partsOf(line).map(({ from, to }) => ({ programUid, of: line, key: randomUUID(), from, to })),
  )
  const asLines = asked.map(({ programUid, of, key, from, to }) => ({
    programUid,
    line: { ...of, uid: key, startsOn: from, endsOn: to },
  }))
  const facts = await loadDeliveryFacts(db, [...booked, ...asLines], now)
  const { behindPercent } = await readSettings(db)
  const asOf = new Date(now).toISOString()
  const deliveries = new Map<string, ProgramDelivery>()
  const linesOf = new Map<string, ProgramDelivery['lines']>()
  for (const { uid, name, line } of programs) {
    const lines = linesOf.get(uid) ?? []
    linesOf.set(uid, lines)
    const known = line && facts.get(line.uid)
    if (known) lines.push(deliveryOf(line, known, now, behindPercent / 100))
    deliveries.set(uid, { program: { uid, name }, asOf, lines, ...paceOfLines(lines) })
  }
  const parts = new Map<string, DeliveredPart[]>()
  for (const { of, key, from, to } of asked) {
    const known = facts.get(key)
    if (known) parts.set(of.uid, [...(parts.get(of.uid) ?? []), { from, to, ...known }])
  }
  return { deliveries, parts }
}

/**
 * The same without parts. Every surface that shows a pace asks this function: program, Overview, campaigns, links, mails and
 * messages. `all` is for readers without an account, who get no prices.
 */
export async function deliveriesOf(
  db: Db,
  scope: PlayScope,
  programUids: readonly string[],
  now: number,
): Promise<Map<string, ProgramDelivery>> {
  return (await deliveriesWithParts(db, scope, { programUids, now, partsOf: () => [] })).deliveries
}
