import * as z from '../platform/zod.ts'
import {
  clientImport,
  marketImport,
  payRateImport,
  programImport,
  sdAddressImport,
  truckImport,
  userImport,
} from '../catalog/import-columns.ts'
import { addresses } from '../catalog/addresses.ts'
import { clients } from '../catalog/clients.ts'
import { markets } from '../catalog/markets.ts'
import { programs } from '../catalog/programs.ts'
import { trucks } from '../catalog/trucks.ts'
import { users } from '../catalog/users.ts'
import { shiftImport, shiftUpload } from '../planning/shift-upload.ts'
import { anyOf, exportFormat, instant, listQuery, namedRef, NO_EXPORT, one, page, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import type { Access, Endpoint } from '../platform/endpoint.ts'
import { importCounts, importRow, TABLE_FILE } from '../platform/imports.ts'
import type { ImportDescription } from '../platform/imports.ts'

/** What can be imported, under the names that addresses use. */
export const importKinds = [
  'trucks',
  'users',
  'clients',
  'markets',
  'programs',
  'sd-addresses',
  'shifts',
  'pay-rates',
] as const
export type ImportKindName = (typeof importKinds)[number]
const importKind = z.enum(importKinds, 'Choose what to import.')

export const importDescriptions: Record<ImportKindName, ImportDescription> = {
  trucks: truckImport,
  users: userImport,
  clients: clientImport,
  markets: marketImport,
  programs: programImport,
  'sd-addresses': sdAddressImport,
  shifts: shiftImport,
  'pay-rates': payRateImport,
}

export const importKindLabel: Record<ImportKindName, string> = {
  trucks: 'Trucks',
  users: 'Users',
  clients: 'Clients and contacts',
  markets: 'Markets',
  programs: 'Programs and booked lines',
  'sd-addresses': 'SD addresses',
  shifts: 'Shifts',
  'pay-rates': 'Pay rates',
}

/** The call by which such a record is added by hand. Who may import a kind: who may add such a record by hand, and reaches all of them. */
export const addedBy: Record<ImportKindName, Pick<Endpoint, 'access' | 'path'>> = {
  trucks: trucks.create,
  users: users.create,
  clients: clients.create,
  markets: markets.create,
  programs: programs.create,
  'sd-addresses': addresses.create,
  shifts: shiftUpload.upload,
  'pay-rates': users.update,
}

export function importAccess(kind: ImportKindName): Access {
  const { access } = addedBy[kind]
  return typeof access === 'object' && 'module' in access ? { ...access, reach: 'all' } : access
}

const MAX_HEADINGS = 1000
const column = z.string().max(40)

/** A heading of the file. */
const heading = z.strictObject({
  title: z.string(),
  /** The column that it names; null for none. */
  column: z.string().nullable(),
  /** Whether it names something that an export has and an import leaves alone. */
  isLeftOut: z.boolean(),
  /** The first filled cell below it. */
  example: z.string(),
})
export type ImportHeading = z.infer<typeof heading>

const importReply = z.strictObject({
  saved: z.boolean(),
  /** Identifies what would be saved; the request that saves sends it back. */
  digest: z.string(),
  /** Rows by state. */
  counts: importCounts,
  /** Records to add and to change; several rows can make one. */
  records: z.strictObject({ new: z.int(), changed: z.int() }),
  /** Shifts of draft or paused programs; saving plans them on purpose. */
  inactive: z.int(),
  /** The row of the headings. */
  headerRow: z.int(),
  headings: z.array(heading),
  /** Why no row was read, such as columns that are missing; null if rows were read. */
  problem: z.string().nullable(),
  rows: z.array(importRow),
  /** The import to undo; null if nothing was saved. */
  undoUid: uid.nullable(),
  /** The added records; empty if nothing was saved. */
  addedUids: z.array(uid),
})
export type ImportResult = z.infer<typeof importReply>

/** An import that was saved. */
const importRunEntry = z.strictObject({
  uid,
  kind: importKind,
  fileName: z.string(),
  at: instant,
  by: namedRef,
  /** Records that it added and changed. */
  added: z.int(),
  changed: z.int(),
  /** Rows of the file that were not saved: those with errors, and those left out by choice. */
  skipped: z.int(),
  undoUntil: instant,
  /** When it was undone and by whom; null if it was not. */
  undone: z.strictObject({ at: instant, by: namedRef.nullable() }).nullable(),
  /** Why it can't be undone as things are; null if it can be, or was. */
  obstacle: z.string().nullable(),
})
export type ImportRunEntry = z.infer<typeof importRunEntry>

/** How many cells can be corrected on the screen. More are corrected faster in the file. */
export const MAX_CORRECTIONS = 2000

const correction = z.strictObject({ row: z.int().min(1), column, text: z.string().max(2000) })
export type ImportCorrection = z.infer<typeof correction>

const someImport = { module: ['trucks', 'clients', 'users', 'schedule'], needs: 'edit', reach: 'all' } as const

export const imports = {
  run: endpoint({
    method: 'POST',
    path: 'imports/',
    access: someImport,
    keys: false,
    summary:
      'Checks every row of a CSV or XLSX file of records of a kind. With `save` and the digest of the check it saves the good rows, all of them or none. Needs the right to add such a record by hand.',
    added: true,
    body: z
      .strictObject({
        kind: importKind,
        save: z.boolean('Must be true or false.'),
        digest: z.string().max(100).optional(),
        /** For each heading the column that it names, or null; without it as recognized, or as chosen the last time. */
        columns: z.array(column.nullable()).max(MAX_HEADINGS).optional(),
        /** Cells as they were corrected on the screen. */
        corrections: z.array(correction).max(MAX_CORRECTIONS, `At most ${MAX_CORRECTIONS} corrected cells.`).optional(),
        /** What is not saved: new records, or changes of those that are there. */
        skip: z
          .array(z.enum(['new', 'changed'], 'Must be new or changed.'))
          .max(2)
          .optional(),
      })
      .refine(({ save, digest }) => !save || digest !== undefined, {
        path: ['digest'],
        error: 'Check the file first.',
      }),
    files: { file: TABLE_FILE },
    reply: one(importReply),
  }),
  undo: endpoint({
    method: 'POST',
    path: 'imports/undo',
    access: someImport,
    keys: false,
    summary:
      'Undoes an import within 24 hours: what it added is deleted, what it changed is as before. Needs the right to make such an import. Refused as a whole if one of the records changed since or is in use.',
    added: true,
    body: z.strictObject({ kind: importKind, uid }),
    reply: one(z.strictObject({ removed: z.int(), restored: z.int() })),
  }),
  list: endpoint({
    method: 'GET',
    path: 'imports/',
    access: someImport,
    keys: false,
    summary:
      'Imports of the last 90 days, newest first, of the kinds that the caller may import; admins see all. Each says until when it can be undone, when it was, or what is in the way.',
    added: true,
    follows: ['imports'],
    atLeastEvery: 60,
    query: listQuery(['at'], { kind: anyOf(importKind).optional() }).omit(NO_EXPORT),
    reply: page(importRunEntry),
  }),
  template: endpoint({
    method: 'GET',
    path: 'imports/template',
    access: someImport,
    keys: false,
    summary: 'A template with the columns of an import, examples and the rules for reading it.',
    added: true,
    query: z.strictObject({ kind: importKind, format: exportFormat }),
    reply: z.unknown(),
  }),
  records: endpoint({
    method: 'GET',
    path: 'imports/records',
    access: someImport,
    keys: false,
    summary: 'Every record of a kind as a file with the columns of its import: what it says can be imported again.',
    added: true,
    query: z.strictObject({ kind: importKind, format: exportFormat }),
    reply: z.unknown(),
  }),
}
