import { addDays, type BodyOf, daysBetween, type Program, type programs } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { programRecords } from './queries.ts'
import { createProgram } from './save.ts'

const LAST_DAY = '2199-12-31'

/** Adds a draft that is planned like a program, with every date moved by as much as the start. */
export const copyProgram = (
  db: Db,
  scope: Scope,
  { uid, name, popUrl, startsOn }: BodyOf<typeof programs.copy>,
): Promise<Program> =>
  inTransaction(db, async (db) => {
    const program = await programRecords.get(db, scope, uid)
    const days = daysBetween(program.startsOn, startsOn)
    const moved = (date: string) => addDays(date, days)
    if (moved(program.endsOn) > LAST_DAY) refuseFields({ startsOn: 'The copy would end after 2199.' })
    return createProgram(db, scope, {
      clientUid: program.client.uid,
      name,
      status: 'draft',
      startsOn,
      endsOn: moved(program.endsOn),
      popUrl,
      markets: program.markets.map((market) => ({
        marketUid: market.uid,
        startsOn: market.startsOn && moved(market.startsOn),
        endsOn: market.endsOn && moved(market.endsOn),
      })),
      bookedLines: program.bookedLines.map((line) => ({
        marketUid: line.market.uid,
        unit: line.unit,
        amount: line.amount,
        startsOn: moved(line.startsOn),
        endsOn: moved(line.endsOn),
        priceCents: line.priceCents,
      })),
      spotSeconds: program.spotSeconds,
      note: program.note,
    })
  })
