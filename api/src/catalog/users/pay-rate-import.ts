import {
  payRate as payRateSchema,
  payRateImport as description,
  type PayRate,
  readMoney,
  type Reading,
  type User,
  userInput,
} from '@roadshow/contract'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type Cells, namesIn, readDate, recordImport } from '../../platform/imports/index.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { dayColumn, moneyColumn } from '../../platform/spreadsheet/columns.ts'
import { userRecords } from './queries.ts'
import { changePayRates } from './save.ts'

const input = z.object({ payRates: userInput.shape.payRates })
type Input = z.output<typeof input>
type SavedUser = User & { uid: string }

type Found = ReadonlyMap<string, { uid: string }[]>
interface Names {
  byEmail: Found
  byName: Found
}

async function loadNames(db: Db, _scope: Scope, rows: readonly Cells[]): Promise<Names> {
  // People write email addresses below “Driver”, too.
  const emails = [
    ...new Set(rows.flatMap(({ email, name }) => [email, name].flatMap((text) => (text ? text.toLowerCase() : [])))),
  ]
  const names = [...new Set(rows.flatMap(({ name }) => (name ? nameKey(name) : [])))]
  const found = await db
    .selectFrom('user_account')
    .select(['uid', 'name', 'email'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`email = any(${emails}::text[]::citext[]) or lower(name) = any(${names}::text[])`)
    .execute()
  return {
    byEmail: groupBy(found, ({ email }) => email.toLowerCase()),
    byName: groupBy(found, ({ name }) => nameKey(name)),
  }
}

function findUser(text: string, found: Found, key: string): Reading<string> {
  const [first, ...others] = found.get(key) ?? []
  if (others.length > 0) {
    return { problem: `${others.length + 1} users are named ${text}. Use the email address instead.` }
  }
  return first ? { value: first.uid } : { problem: `User ${text} not found.` }
}

/** An amount of a rate; what stands in the way is said by the schema of the form. */
const readAmount = (field: 'payHalfDay' | 'payEightHours' | 'payTwelveHours') => (text: string) => {
  const read = readMoney(text)
  if ('problem' in read) return read
  const { error } = payRateSchema.shape[field].safeParse(read.value)
  return error ? { problem: error.issues[0]?.message ?? 'Not valid.' } : read
}

const newestFirst = (rates: readonly PayRate[]): PayRate[] =>
  rates.toSorted((one, other) => (one.validFrom < other.validFrom ? 1 : -1))

interface RateRow {
  user: User
  rate: PayRate
}

async function* rates(db: Db, scope: Scope): AsyncGenerator<RateRow> {
  for await (const user of userRecords.stream(db, scope, { page: 1, pageSize: 100 })) {
    for (const rate of user.payRates) yield { user, rate }
  }
}

/** Pay rates from spreadsheets: each row is what a driver earns from a day on. */
export const payRateImport = recordImport<SavedUser, Input, Names>({
  kind: 'pay-rates',
  description,
  mainColumn: 'email',
  partColumns: ['email', 'name', 'validFrom', 'halfDay', 'eightHours', 'twelveHours'],
  fields: {},
  columns: {
    email: (text, { byEmail }) => findUser(text, byEmail, text.toLowerCase()),
    // A name beside an email address is for people.
    name: (text, { byEmail, byName }, { email }) => {
      if (email !== undefined) return { value: null }
      return text.includes('@') ? findUser(text, byEmail, text.toLowerCase()) : findUser(text, byName, nameKey(text))
    },
    validFrom: (text) => {
      const read = readDate(text)
      if ('problem' in read) return read
      const { error } = payRateSchema.shape.validFrom.safeParse(read.value)
      return error ? { problem: error.issues[0]?.message ?? 'Not valid.' } : read
    },
    halfDay: readAmount('payHalfDay'),
    eightHours: readAmount('payEightHours'),
    twelveHours: readAmount('payTwelveHours'),
  },
  loadNames,
  keyOf: ({ values }) => [values.email, values.name].find((uid) => typeof uid === 'string'),
  loadSaved: async (db, scope, keys) => {
    const saved = await userRecords.findMany(db, scope, keys)
    return new Map(saved.flatMap((user) => (user ? [[user.userUid, { ...user, uid: user.userUid }] as const] : [])))
  },
  toInput: (rows, saved) => {
    const byDay = new Map((saved?.payRates ?? []).map((rate) => [rate.validFrom, rate]))
    for (const { values } of rows) {
      const rate = payRateSchema.parse({
        validFrom: values.validFrom,
        payHalfDay: values.halfDay,
        payEightHours: values.eightHours,
        payTwelveHours: values.twelveHours,
      })
      byDay.set(rate.validFrom, rate)
    }
    return { payRates: newestFirst([...byDay.values()]) }
  },
  savedInput: ({ payRates }) => ({ payRates: newestFirst(payRates) }),
  schema: input,
  placeOf: () => ({ column: 'validFrom' }),
  async check(_db, _scope, groups) {
    for (const { rows } of groups) {
      for (const [day, same] of groupBy(rows, ({ values }) => String(values.validFrom))) {
        if (same.length < 2) continue
        for (const row of same) {
          const others = same.filter((other) => other !== row).map((other) => other.row)
          row.problems.validFrom ??= `Row ${others.join(', ')} has a rate from ${day}, too.`
        }
      }
    }
  },
  exported: {
    sheet: {
      name: 'pay-rates',
      columns: {
        Email: ({ user }: RateRow) => user.email,
        Name: ({ user }: RateRow) => user.name,
        'Valid from': dayColumn(({ rate }: RateRow) => rate.validFrom),
        'Half day ($)': moneyColumn(({ rate }: RateRow) => rate.payHalfDay),
        '8-hour day ($)': moneyColumn(({ rate }: RateRow) => rate.payEightHours),
        '12-hour day ($)': moneyColumn(({ rate }: RateRow) => rate.payTwelveHours),
      },
    },
    stream: rates,
  },
  write: {
    table: 'user_account',
    // Rates belong to users who are there: a row without one has named the problem.
    add: async () => [],
    change: changePayRates,
    namesOf: (db, uids) => namesIn(db, 'user_account', 'name', uids),
    inUse: async () => undefined,
  },
})
