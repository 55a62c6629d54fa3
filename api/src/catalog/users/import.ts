import {
  defaultModules,
  languageLabel,
  moduleLabel,
  type ModuleKey,
  modules,
  readChoice,
  type Reading,
  type Role,
  roleLabel,
  type User,
  userImport as description,
  userInput,
  users,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '../../platform/db/connection.ts'
import {
  bySchema,
  type Cells,
  named,
  namesIn,
  type ReadRow,
  recordImport,
  refuseWhileUsed,
  filledOr,
  valueOr,
} from '../../platform/imports/index.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { userSheet } from './export.ts'
import { deletedByEmail, userRecords } from './queries.ts'
import { addUsers, changeUsers } from './save.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

type Input = z.output<typeof userInput>
type SavedUser = User & { uid: string }

interface Names {
  clients: ReadonlyMap<string, string>
  /** Email addresses of deleted users, and whether they never came: then they return. */
  deleted: ReadonlyMap<string, boolean>
}

async function loadNames(db: Db, _scope: Scope, rows: readonly Cells[]): Promise<Names> {
  const called = [...new Set(rows.flatMap(({ client }) => (client ? nameKey(client) : [])))]
  const emails = [...new Set(rows.flatMap(({ email }) => (email ? email.toLowerCase() : [])))]
  const clients = await db
    .selectFrom('client')
    .select(['uid', 'name'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(name collate "default") = any(${called}::text[])`)
    .execute()
  const deleted = await deletedByEmail(db, emails)
  return {
    clients: new Map(clients.map(({ uid, name }) => [nameKey(name), uid])),
    deleted: new Map(deleted.map(({ email, neverCame }) => [email.toLowerCase(), neverCame])),
  }
}

/** Modules by their names: `Clients, Schedule`. */
function readModules(text: string): Reading<ModuleKey[]> {
  const read = text
    .split(/[,;\n]/)
    .filter((word) => word.trim() !== '')
    .map((word) => [word.trim(), readChoice(word, moduleLabel)] as const)
  const unknown = read.find(([, found]) => 'problem' in found)
  if (unknown) return { problem: `Module ${unknown[0]} not found.` }
  const given = new Set(read.flatMap(([, found]) => ('value' in found ? found.value : [])))
  return { value: modules.filter((key) => given.has(key)) }
}

/** Users by their email addresses. */
async function loadUsersByEmail(db: Db, scope: Scope, emails: readonly string[]): Promise<SavedUser[]> {
  const found = await db
    .selectFrom('user_account')
    .select('uid')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`email = any(${[...emails]}::text[]::citext[])`)
    .execute()
  const saved = await userRecords.findMany(
    db,
    scope,
    found.map(({ uid }) => uid),
  )
  return saved.flatMap((user) => (user ? { ...user, uid: user.userUid } : []))
}

const savedUserInput = (user: User): Input => ({
  name: user.name,
  email: user.email.toLowerCase(),
  phone: user.phone,
  role: user.role,
  modules: user.modules,
  clientUid: user.client?.uid ?? null,
  payRates: user.payRates,
  payrollId: user.payrollId,
  language: user.language,
  photoFileUid: user.photo?.uid ?? null,
})

/** A new user is a driver unless the file says otherwise, and holds what a new user of the role holds. */
function toInput(rows: readonly ReadRow[], saved: SavedUser | undefined): Input {
  const role = filledOr<Role>(rows, 'role', saved?.role ?? 'driver')
  const before: Input = saved
    ? savedUserInput(saved)
    : {
        name: '',
        email: '',
        phone: '',
        role,
        modules: [...defaultModules[role]],
        clientUid: null,
        payRates: [],
        payrollId: '',
        language: null,
        photoFileUid: null,
      }
  return {
    ...before,
    role,
    name: filledOr(rows, 'name', before.name),
    email: filledOr(rows, 'email', before.email),
    phone: valueOr(rows, 'phone', { saved: before.phone, empty: '' }),
    modules: saved
      ? valueOr(rows, 'modules', { saved: before.modules, empty: [] })
      : filledOr(rows, 'modules', before.modules),
    clientUid: valueOr(rows, 'client', { saved: before.clientUid, empty: null }),
    payrollId: valueOr(rows, 'payrollId', { saved: before.payrollId ?? '', empty: '' }),
    language: valueOr(rows, 'language', { saved: before.language ?? null, empty: null }),
  }
}

const FIELDS = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  role: 'role',
  modules: 'modules',
  client: 'clientUid',
  payrollId: 'payrollId',
  language: 'language',
} as const

/** Users from spreadsheets, known by their email addresses. They are invited from the list of users. */
export const userImport = recordImport<SavedUser, Input, Names>({
  kind: 'users',
  description,
  mainColumn: 'email',
  fields: FIELDS,
  columns: {
    name: bySchema(userInput.shape.name),
    email: (text, { deleted }) =>
      deleted.get(text.toLowerCase()) === false
        ? { problem: 'This email address belongs to a deleted user. Restore that user first.' }
        : bySchema(userInput.shape.email)(text, undefined, {}),
    phone: bySchema(userInput.shape.phone),
    role: (text) => readChoice(text, roleLabel, { admin: ['administrator'], sales: ['office'] }),
    modules: readModules,
    client: named('Client', ({ clients }) => clients),
    payrollId: bySchema(userInput.shape.payrollId.unwrap()),
    language: (text) => readChoice(text, languageLabel, { es: ['Spanish'] }),
  },
  loadNames,
  keyOf: ({ values }) => (typeof values.email === 'string' ? values.email.toLowerCase() : undefined),
  loadSaved: async (db, scope, keys) =>
    new Map((await loadUsersByEmail(db, scope, keys)).map((user) => [user.email.toLowerCase(), user])),
  toInput,
  savedInput: savedUserInput,
  schema: users.create.body,
  placeOf: ([field]) => ({ column: Object.entries(FIELDS).find(([, name]) => name === field)?.[0] ?? 'email' }),
  unique: [
    {
      column: 'payrollId',
      value: ({ payrollId = '' }) => payrollId,
      holders: async (db, values) => {
        const found = await db
          .selectFrom('user_account')
          .select(['uid', 'name', 'email', 'payroll_id', 'deleted_at'])
          .where(sql<boolean>`payroll_id = any(${values}::text[])`)
          .execute()
        return new Map(
          found.map(({ uid, name, email, payroll_id, deleted_at }) => [
            payroll_id,
            { uid, name, ...(deleted_at !== null && { returnsAs: email.toLowerCase() }) },
          ]),
        )
      },
    },
  ],
  check: async (_db, _scope, groups, { deleted }) => {
    for (const { rows, key, remarks } of groups) {
      if (deleted.has(key)) remarks.set(rows[0], { email: 'Was deleted before the first sign-in, and returns.' })
    }
  },
  exported: {
    sheet: userSheet,
    stream: (db, scope) => userRecords.stream(db, scope, { page: 1, pageSize: 100 }),
  },
  write: {
    table: 'user_account',
    add: addUsers,
    change: changeUsers,
    namesOf: (db, uids) => namesIn(db, 'user_account', 'name', uids),
    inUse: refuseWhileUsed('user_account', 'name', [
      { table: 'shift', column: 'driver_uid', words: 'shifts' },
      { table: 'session', column: 'user_uid', words: 'signed in', only: sql`true` },
      { table: 'out_of_service', column: 'driver_uid', words: 'time off' },
      { table: 'pay_adjustment', column: 'driver_uid', words: 'pay', only: sql`true` },
      { table: 'pay_line', column: 'driver_uid', words: 'pay', only: sql`true` },
    ]),
  },
})
