import {
  type Client,
  clientImport as description,
  clientInput,
  contact as contactSchema,
  type Contact,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type * as z from 'zod'
import {
  asText,
  bySchema,
  namesIn,
  type ReadRow,
  recordImport,
  refuseWhileUsed,
  filledOr,
  valueOr,
} from '../../platform/imports/index.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { addContacts, readContactLines } from './contact-lines.ts'
import { clientSheet } from './export.ts'
import { clientRecords } from './queries.ts'
import { addClients, changeClients } from './save.ts'

type Input = z.output<typeof clientInput>

const CONTACT_FIELDS = {
  contactName: 'name',
  contactTitle: 'title',
  contactEmail: 'email',
  contactPhone: 'phone',
} as const
const PART_COLUMNS = Object.keys(CONTACT_FIELDS)

/** The contact of a row; one without a name has that of the client. */
function contactOf({ values }: ReadRow, client: string): Partial<Contact> | undefined {
  const given = Object.entries(CONTACT_FIELDS).flatMap(([column, field]) =>
    typeof values[column] === 'string' ? [[field, values[column]]] : [],
  )
  if (given.length === 0) return undefined
  const person = Object.fromEntries(given) as Partial<Contact>
  return person.name === undefined && person.email === undefined ? { name: client, ...person } : person
}

const savedInput = ({ name, logo, contacts, note }: Client): Input => ({
  name,
  logoFileUid: logo?.uid ?? null,
  contacts,
  note,
})

function toInput(rows: readonly ReadRow[], saved: Client | undefined): Input {
  const name = filledOr<string>(rows, 'name', '')
  const base = valueOr<Contact[]>(rows, 'contacts', { saved: saved?.contacts ?? [], empty: [] })
  const contacts = addContacts(
    base,
    rows.flatMap((row) => contactOf(row, name) ?? []),
  )
  return {
    name,
    logoFileUid: saved?.logo?.uid ?? null,
    contacts: contacts.map((person) => ({ ...person, name: person.name || name })),
    note: valueOr(rows, 'note', { saved: saved?.note ?? '', empty: '' }),
  }
}

/** Clients from spreadsheets, known by their names, with a contact on each row or all in one cell. */
export const clientImport = recordImport<Client, Input, undefined>({
  kind: 'clients',
  description,
  mainColumn: 'name',
  partColumns: PART_COLUMNS,
  fields: { name: 'name', contacts: 'contacts', note: 'note' },
  columns: {
    name: (text) => bySchema(clientInput.shape.name)(text, undefined, {}),
    contacts: (text) => {
      const { data, error } = clientInput.shape.contacts.safeParse(readContactLines(text))
      if (data) return { value: data }
      const [issue] = error.issues
      return { problem: `Contact ${Number(issue?.path[0] ?? 0) + 1}: ${issue?.message ?? 'Not valid.'}` }
    },
    contactName: bySchema(contactSchema.shape.name),
    contactTitle: bySchema(contactSchema.shape.title),
    contactEmail: bySchema(contactSchema.shape.email),
    contactPhone: bySchema(contactSchema.shape.phone),
    note: asText,
  },
  loadNames: async () => undefined,
  keyOf: ({ values }) => (typeof values.name === 'string' ? nameKey(values.name) : undefined),
  loadSaved: async (db, scope, keys) => {
    const found = await db
      .selectFrom('client')
      .select('uid')
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`lower(name collate "default") = any(${keys}::text[])`)
      .execute()
    const saved = await clientRecords.findMany(
      db,
      scope,
      found.map(({ uid }) => uid),
    )
    return new Map(saved.flatMap((client) => (client ? [[nameKey(client.name), client] as const] : [])))
  },
  toInput,
  savedInput,
  schema: clientInput,
  placeOf: ([field]) => ({ column: field === 'contacts' ? 'contactName' : String(field) }),
  exported: { sheet: clientSheet, stream: (db, scope) => clientRecords.stream(db, scope, { page: 1, pageSize: 100 }) },
  write: {
    table: 'client',
    add: addClients,
    change: changeClients,
    namesOf: (db, uids) => namesIn(db, 'client', 'name', uids),
    inUse: refuseWhileUsed('client', 'name', [
      { table: 'client_program', column: 'client_uid', words: 'programs' },
      { table: 'user_account', column: 'client_uid', words: 'users' },
    ]),
  },
})
