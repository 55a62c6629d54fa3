import { deliveryOf, paceOfLines, type ProgramDelivery } from '@roadshow/contract'
import { readSettings } from '../../catalog/settings/index.ts'
import type { PlayScope } from '../../live/plays/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { loadBooked, loadDeliveryFacts } from './facts.ts'

/**
 * What is booked for programs and how much of it is delivered, for those that the reader may see. Every surface that
 * shows a pace asks this function: program, Overview, campaigns, links, mails and messages. `all` is for readers
 * without an account, who get no prices.
 */
export async function deliveriesOf(
  db: Db,
  scope: PlayScope,
  programUids: readonly string[],
  now: number,
): Promise<Map<string, ProgramDelivery>> {
  const programs = await loadBooked(db, scope, programUids)
  const booked = programs.flatMap(({ uid, line }) => (line ? [{ programUid: uid, line }] : []))
  const facts = await loadDeliveryFacts(db, booked, now)
  const { behindPercent } = await readSettings(db)
  const asOf = new Date(now).toISOString()
  const deliveries = new Map<string, ProgramDelivery>()
  for (const { uid, name, line } of programs) {
    const before = deliveries.get(uid)?.lines ?? []
    const known = line && facts.get(line.uid)
    const lines = known ? [...before, deliveryOf(line, known, now, behindPercent / 100)] : before
    deliveries.set(uid, { program: { uid, name }, asOf, lines, ...paceOfLines(lines) })
  }
  return deliveries
}
