import {
  amountWords,
  type BookedLine,
  type Program,
  type ProgramMarket,
  programStatusLabel,
  type programs,
  type QueryOf,
} from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { dayColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { marketRecords } from '../markets/index.ts'
import { programRecords } from './queries.ts'

const inOneLine = ({ name, startsOn, endsOn }: ProgramMarket) =>
  startsOn || endsOn ? `${name} (${startsOn ?? ''} – ${endsOn ?? ''})` : name

const lineInWords = ({ market, unit, amount, startsOn, endsOn, priceCents }: BookedLine) =>
  `${market.name}: ${amountWords(amount, unit)} (${startsOn} – ${endsOn}${priceCents === null ? '' : `, $${(priceCents / 100).toFixed(2)}`})`

export const programSheet = {
  name: 'client-programs',
  columns: {
    Client: (program: Program) => program.client.name,
    Name: (program: Program) => program.name,
    Status: (program: Program) => programStatusLabel[program.status],
    Starts: dayColumn((program: Program) => program.startsOn),
    Ends: dayColumn((program: Program) => program.endsOn),
    Markets: (program: Program) => program.markets.map(inOneLine).join('; '),
    'POP address': (program: Program) => program.popUrl,
    'Spot length in seconds': (program: Program) => program.spotSeconds,
    Note: (program: Program) => program.note,
    Updated: timeColumn((program: Program) => program.updatedAt),
    Booked: (program: Program) => program.bookedLines.map(lineInWords).join('; '),
  },
  filters: async (db: Db, scope: Scope, query: QueryOf<typeof programs.list>) => [
    ...(query.client ? [filterByName('client', await namesOf(clientRecords, db, scope, query.client))] : []),
    ...(query.status ? [`status: ${query.status.map((name) => programStatusLabel[name]).join(', ')}`] : []),
    ...(query.market ? [filterByName('market', await namesOf(marketRecords, db, scope, query.market))] : []),
    ...(query.runningOn ? [`running on: ${query.runningOn}`] : []),
    ...(query.uid ? [filterByName('program', await namesOf(programRecords, db, scope, query.uid))] : []),
  ],
}
