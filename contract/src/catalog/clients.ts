import * as z from '../platform/zod.ts'
import {
  anyOf,
  instant,
  textLine,
  listQuery,
  one,
  page,
  paragraph,
  requiredLine,
  uid,
  version,
} from '../platform/common.ts'
import { dependentsEndpoint, removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef, fileUid } from '../platform/files.ts'
import { historyEndpoint } from '../platform/history.ts'

/** A person at the client's whom we call or write to. */
export const contact = z.strictObject({
  name: requiredLine(80),
  title: textLine(80).prefault(''),
  email: textLine(254)
    .toLowerCase()
    .refine((given) => given === '' || z.email().safeParse(given).success, 'Not a valid email address.')
    .prefault(''),
  phone: textLine(40).prefault(''),
})
export type Contact = z.output<typeof contact>

export const client = z.strictObject({
  uid,
  name: z.string(),
  logo: fileRef.nullable(),
  contacts: z.array(z.strictObject({ name: z.string(), title: z.string(), email: z.string(), phone: z.string() })),
  note: z.string(),
  /** Programs that are not deleted, in every status. */
  programsCount: z.int().min(0),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type Client = z.infer<typeof client>

export const clientInput = z.strictObject({
  name: requiredLine(120),
  logoFileUid: fileUid.nullable().prefault(null),
  contacts: z.array(contact).max(50, 'At most 50 contacts.').prefault([]),
  note: paragraph(2000).prefault(''),
})
export type ClientInput = z.input<typeof clientInput>

const view = { module: 'clients', needs: 'view' } as const
const edit = { module: 'clients', needs: 'edit' } as const

export const clients = {
  list: endpoint({
    method: 'GET',
    path: 'clients/run',
    access: { module: ['clients', 'users', 'programByClient'], needs: 'view' },
    ownRows: 'records',
    summary: 'Clients, searched in name, contacts and note. A user of role client sees their own.',
    follows: ['clients', 'programs'],
    query: listQuery(['name', 'updatedAt'], { uid: anyOf(uid).optional() }),
    reply: page(client),
  }),
  get: endpoint({
    method: 'GET',
    path: 'clients/{uid}',
    access: view,
    ownRows: 'records',
    summary: 'One client, as its drawer opens it from a link.',
    follows: ['clients'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(client),
  }),
  create: endpoint({
    method: 'POST',
    path: 'clients/',
    access: edit,
    summary: 'Adds a client.',
    body: clientInput,
    reply: one(client),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'clients/',
    access: edit,
    summary: 'Changes a client. An old version answers 409.',
    body: clientInput.extend({ uid, version }),
    reply: one(client),
  }),
  remove: removeEndpoint({
    path: 'clients',
    access: edit,
    summary:
      'Deletes a client; its history is kept. Answers 409 and names the program while one of its programs is not completed.',
  }),
  dependents: dependentsEndpoint({ path: 'clients', access: edit }),
  restore: restoreEndpoint({ path: 'clients', access: edit }),
  history: historyEndpoint('clients', view, { ownRows: 'records' }),
}
