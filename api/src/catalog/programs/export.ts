import {
  amountWords,
  type BookedLine,
  type Program,
  type ProgramMarket,
  programStatusLabel,
  type programs,
  type QueryOf,
  formatDollars,
} from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import { filterByName, type ListSheet, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { dayColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { marketRecords } from '../markets/index.ts'
import { programRecords } from './queries.ts'

const inOneLine = ({ name, startsOn, endsOn }: ProgramMarket) =>
  startsOn || endsOn ? `${name} (${startsOn ?? ''} – ${endsOn ?? ''})` : name

const lineInWords = ({ market, unit, amount, startsOn, endsOn, priceCents }: BookedLine) =>
  `${market.name}: ${amountWords(amount, unit)} (${startsOn} – ${endsOn}${priceCents === null ? '' : `, ${formatDollars(priceCents)}`})`

export const programSheet: ListSheet<Program, QueryOf<typeof programs.list>> = {
  name: 'client-programs',
  columns: {
    Client: (program) => program.client.name,
    Name: (program) => program.name,
    Status: (program) => programStatusLabel[program.status],
    Starts: dayColumn((program) => program.startsOn),
    Ends: dayColumn((program) => program.endsOn),
    Markets: (program) => program.markets.map(inOneLine).join('; '),
    'POP address': (program) => program.popUrl,
    'Spot length in seconds': (program) => program.spotSeconds,
    Note: (program) => program.note,
    Updated: timeColumn((program) => program.updatedAt),
    Booked: (program) => program.bookedLines.map(lineInWords).join('; '),
  },
  filters: async (db, scope, query) => [
    ...(query.client ? [filterByName('client', await namesOf(clientRecords, db, scope, query.client))] : []),
    ...(query.status ? [`status: ${query.status.map((name) => programStatusLabel[name]).join(', ')}`] : []),
    ...(query.market ? [filterByName('market', await namesOf(marketRecords, db, scope, query.market))] : []),
    ...(query.runningOn ? [`running on: ${query.runningOn}`] : []),
    ...(query.uid ? [filterByName('program', await namesOf(programRecords, db, scope, query.uid))] : []),
  ],
}
