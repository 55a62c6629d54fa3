import type { BodyOf, Client, clients } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Deletion } from '../../platform/deletion/index.ts'
import { claimFile } from '../../platform/files/index.ts'
import { refuseIfPublic } from '../in-use/index.ts'
import { clientRecords, openPrograms } from './queries.ts'
import { clientRemovalProblem, newLogo } from './rules.ts'

type Input = BodyOf<typeof clients.create>

const toRow = ({ contacts, logoFileUid, ...input }: Input) => ({
  ...input,
  contacts: JSON.stringify(contacts),
  logo_file_uid: logoFileUid,
})

async function claimNewLogo(db: Db, scope: Scope, input: Input, current: Client['logo']): Promise<void> {
  const uid = newLogo(input.logoFileUid, current)
  if (uid) await claimFile(db, scope, { uid, purpose: 'logo', field: 'logoFileUid' })
}

export const createClient = (db: Db, scope: Scope, input: Input): Promise<Client> =>
  inTransaction(db, async (db) => {
    await claimNewLogo(db, scope, input, null)
    return clientRecords.create(db, scope, toRow(input))
  })

export const updateClient = (
  db: Db,
  scope: Scope,
  { uid, version, ...input }: BodyOf<typeof clients.update>,
): Promise<Client> =>
  inTransaction(db, async (db) => {
    const { logo } = await clientRecords.get(db, scope, uid)
    await claimNewLogo(db, scope, input, logo)
    return clientRecords.update(db, scope, uid, version, toRow(input))
  })

/** Adds clients without logos, such as those of a file. */
export const addClients = (db: Db, scope: Scope, inputs: Input[]): Promise<string[]> =>
  clientRecords.createMany(db, scope, inputs.map(toRow))

/** Changes clients that keep their logos. */
export const changeClients = (
  db: Db,
  scope: Scope,
  changes: { uid: string; version: number; input: Input }[],
): Promise<void> =>
  clientRecords.updateMany(
    db,
    scope,
    changes.map(({ uid, version, input }) => ({ uid, version, ...toRow(input) })),
  )

export const clientDeletion: Deletion = {
  kind: 'client',
  records: clientRecords,
  async refuse(db, _scope, uid) {
    await refuseIfPublic(db, 'client_uid', uid)
    const problem = clientRemovalProblem(await openPrograms(db, uid))
    if (problem) throw problem
  },
}
