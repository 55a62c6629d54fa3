import {
  type BookedLineInput,
  type BodyOf,
  type Program,
  programImport as description,
  programInput,
  type programs,
  programStatusLabel,
  type ProgramStatus,
  proposePopUrl,
  readChoice,
  type Reading,
  readMoney,
  readWhole,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import {
  asText,
  type Cells,
  isWrong,
  named,
  namesIn,
  type ReadRow,
  recordImport,
  refuseWhileUsed,
  filledOr,
  readDate,
  valueOr,
} from '../../platform/imports/index.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { findMarket, loadMarketsByName, marketNamer, type MarketsByName } from '../markets/index.ts'
import { programSheet } from './export.ts'
import { readBookedLines, readMarketSpans, readUnit } from './line-cells.ts'
import { programRecords } from './queries.ts'
import { programProblems } from './rules.ts'
import { addPrograms, changePrograms } from './save.ts'

type Input = BodyOf<typeof programs.create>
type MarketInput = Input['markets'][number]

interface Names {
  clients: ReadonlyMap<string, string>
  markets: MarketsByName
}

async function loadNames(db: Db, _scope: Scope, rows: readonly Cells[]): Promise<Names> {
  const called = [...new Set(rows.flatMap(({ client }) => (client ? nameKey(client) : [])))]
  const clients = await db
    .selectFrom('client')
    .select(['uid', 'name'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(name collate "default") = any(${called}::text[])`)
    .execute()
  return {
    clients: new Map(clients.map(({ uid, name }) => [nameKey(name), uid])),
    markets: await loadMarketsByName(db),
  }
}

/** Puts uids in place of the names of markets. */
function withMarkets<T extends { market: string }>(
  read: Reading<T[]>,
  { markets }: Names,
): Reading<(Omit<T, 'market'> & { marketUid: string })[]> {
  if ('problem' in read) return read
  const found: (Omit<T, 'market'> & { marketUid: string })[] = []
  for (const { market, ...part } of read.value) {
    const meant = findMarket(market, markets)
    if ('problem' in meant) return meant
    found.push({ ...part, marketUid: meant.value })
  }
  return { value: found }
}

const savedInput = (program: Program): Input => ({
  clientUid: program.client.uid,
  name: program.name,
  status: program.status,
  startsOn: program.startsOn,
  endsOn: program.endsOn,
  popUrl: program.popUrl,
  markets: program.markets.map(({ uid, startsOn, endsOn }) => ({ marketUid: uid, startsOn, endsOn })),
  bookedLines: program.bookedLines.map(({ market, unit, amount, startsOn, endsOn, priceCents }) => ({
    marketUid: market.uid,
    unit,
    amount,
    startsOn,
    endsOn,
    priceCents,
  })),
  spotSeconds: program.spotSeconds,
  note: program.note,
})

const PART_COLUMNS = ['market', 'unit', 'amount', 'lineStartsOn', 'lineEndsOn', 'price']

/** The booked line of a row, in the days of the program unless it has its own. */
function lineOf({ values }: ReadRow, days: { startsOn: string; endsOn: string }): Partial<BookedLineInput> | undefined {
  if (values.unit === undefined || values.amount === undefined) return undefined
  if (values.unit === null && values.amount === null) return undefined
  return {
    marketUid: (values.market as string | null) ?? '',
    unit: values.unit as BookedLineInput['unit'],
    amount: values.amount as number,
    startsOn: (values.lineStartsOn as string | null | undefined) ?? days.startsOn,
    endsOn: (values.lineEndsOn as string | null | undefined) ?? days.endsOn,
    priceCents: (values.price as number | null | undefined) ?? null,
  }
}

const lineKey = ({ marketUid, unit, startsOn }: Partial<BookedLineInput>) => `${marketUid} ${unit} ${startsOn}`

function toInput(rows: readonly ReadRow[], saved: Program | undefined): Input {
  const before = saved && savedInput(saved)
  const name = filledOr<string>(rows, 'name', before?.name ?? '')
  const days = {
    startsOn: filledOr<string>(rows, 'startsOn', before?.startsOn ?? ''),
    endsOn: filledOr<string>(rows, 'endsOn', before?.endsOn ?? ''),
  }
  const markets = [...valueOr<MarketInput[]>(rows, 'markets', { saved: before?.markets ?? [], empty: [] })]
  const booked = valueOr<BookedLineInput[]>(rows, 'booked', { saved: before?.bookedLines ?? [], empty: [] })
  const lines = new Map(booked.map((line) => [lineKey(line), line]))
  for (const row of rows) {
    const marketUid = row.values.market
    if (typeof marketUid === 'string' && !markets.some((known) => known.marketUid === marketUid)) {
      markets.push({ marketUid, startsOn: null, endsOn: null })
    }
    const line = lineOf(row, days)
    if (line) lines.set(lineKey(line), line as BookedLineInput)
  }
  return {
    clientUid: filledOr<string>(rows, 'client', before?.clientUid ?? ''),
    name,
    status: filledOr<ProgramStatus>(rows, 'status', before?.status ?? 'draft'),
    ...days,
    popUrl: filledOr<string>(rows, 'popUrl', before?.popUrl ?? proposePopUrl(name)),
    markets,
    bookedLines: [...lines.values()],
    spotSeconds: valueOr(rows, 'spotSeconds', { saved: before?.spotSeconds ?? null, empty: null }),
    note: valueOr(rows, 'note', { saved: before?.note ?? '', empty: '' }),
  }
}

const FIELDS = {
  client: 'clientUid',
  name: 'name',
  status: 'status',
  startsOn: 'startsOn',
  endsOn: 'endsOn',
  markets: 'markets',
  popUrl: 'popUrl',
  spotSeconds: 'spotSeconds',
  note: 'note',
  booked: 'bookedLines',
} as const

const LINE_COLUMNS: Record<string, string> = {
  marketUid: 'market',
  unit: 'unit',
  amount: 'amount',
  startsOn: 'lineStartsOn',
  endsOn: 'lineEndsOn',
  priceCents: 'price',
}

/** Where a message stands: one about a booked line in the row that made it. */
function placeOf([field, index, part]: readonly PropertyKey[], rows: readonly ReadRow[], given: unknown) {
  const input = given as Input
  const line = field === 'bookedLines' ? input.bookedLines?.[Number(index)] : undefined
  const row = line && rows.find((each) => lineKey(lineOf(each, input) ?? {}) === lineKey(line))
  if (row) return { column: LINE_COLUMNS[String(part)] ?? 'market', row }
  return { column: Object.entries(FIELDS).find(([, name]) => name === field)?.[0] ?? 'name' }
}

async function* exportedPrograms(db: Db, scope: Scope): AsyncGenerator<Program> {
  const marketNamed = await marketNamer(db)
  for await (const program of programRecords.stream(db, scope, { page: 1, pageSize: 100 })) {
    yield {
      ...program,
      markets: program.markets.map(marketNamed),
      bookedLines: program.bookedLines.map((line) => ({ ...line, market: marketNamed(line.market) })),
    }
  }
}

/** Programs from spreadsheets, known by client and name, with a booked line on each row or all in one cell. */
export const programImport = recordImport<Program, Input, Names>({
  kind: 'programs',
  description,
  mainColumn: 'name',
  partColumns: PART_COLUMNS,
  fields: FIELDS,
  columns: {
    client: named('Client', ({ clients }) => clients),
    name: asText,
    status: (text) => readChoice(text, programStatusLabel),
    startsOn: readDate,
    endsOn: readDate,
    markets: (text, names) => withMarkets(readMarketSpans(text), names),
    popUrl: asText,
    spotSeconds: readWhole,
    note: asText,
    booked: (text, names) => withMarkets(readBookedLines(text), names),
    market: (text, { markets }) => findMarket(text, markets),
    unit: readUnit,
    amount: readWhole,
    lineStartsOn: readDate,
    lineEndsOn: readDate,
    price: readMoney,
  },
  checkRow: ({ cells }): Cells => {
    const needed = ['market', 'unit', 'amount'] as const
    const isLine = ['unit', 'amount', 'lineStartsOn', 'lineEndsOn', 'price'].some((column) => cells[column])
    if (!isLine) return {}
    return Object.fromEntries(
      needed.filter((column) => !cells[column]).map((column) => [column, 'A booked line needs it.']),
    )
  },
  loadNames,
  keyOf: ({ values: { client, name } }) =>
    typeof client === 'string' && typeof name === 'string' ? `${client} ${nameKey(name)}` : undefined,
  loadSaved: async (db, scope, keys) => {
    const found = await db
      .selectFrom('client_program')
      .select('uid')
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`client_uid || ' ' || lower(name collate "default") = any(${keys}::text[])`)
      .where(sql<boolean>`client_uid = any(${[...new Set(keys.map((key) => key.slice(0, 36)))]}::uuid[])`)
      .execute()
    const saved = await programRecords.findMany(
      db,
      scope,
      found.map(({ uid }) => uid),
    )
    return new Map(
      saved.flatMap((program) =>
        program ? [[`${program.client.uid} ${nameKey(program.name)}`, program] as const] : [],
      ),
    )
  },
  toInput,
  savedInput,
  schema: programInput,
  placeOf,
  unique: [
    {
      column: 'popUrl',
      value: ({ popUrl }) => popUrl.toLowerCase(),
      holders: async (db, values) => {
        const found = await db
          .selectFrom('client_program')
          .select(['uid', 'name', sql<string>`lower(pop_url)`.as('url')])
          .where('deleted_at', 'is', null)
          .where(sql<boolean>`lower(pop_url) = any(${values}::text[])`)
          .execute()
        return new Map(found.map(({ uid, name, url }) => [url, { uid, name }]))
      },
    },
  ],
  async check(_db, _scope, groups) {
    for (const group of groups) {
      if (isWrong(group) || !group.input) continue
      const current = group.saved && { status: group.saved.status, clientUid: group.saved.client.uid }
      const problems = programProblems(group.input, current)
      if (problems['status']) group.rows[0].problems.status ??= problems['status']
    }
  },
  exported: { sheet: programSheet, stream: exportedPrograms },
  write: {
    table: 'client_program',
    add: addPrograms,
    change: changePrograms,
    namesOf: (db, uids) => namesIn(db, 'client_program', 'name', uids),
    inUse: refuseWhileUsed('client_program', 'name', [
      { table: 'shift', column: 'program_uid', words: 'shifts' },
      { table: 'artwork_set', column: 'program_uid', words: 'artwork' },
      { table: 'address_set', column: 'program_uid', words: 'SD addresses' },
      { table: 'pop_photo', column: 'program_uid', words: 'photos', only: sql`true` },
      { table: 'pop_version', column: 'program_uid', words: 'a published page', only: sql`true` },
      { table: 'campaign_link', column: 'program_uid', words: 'links', only: sql`true` },
      { table: 'sales_proposal', column: 'program_uid', words: 'proposals', only: sql`true` },
    ]),
  },
})
