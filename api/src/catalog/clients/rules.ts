import type { BodyOf, Client, clients } from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { refuseIfShown } from '../in-use/index.ts'
import { claimFile } from '../../platform/files/index.ts'
import { clientRecords, openPrograms } from './queries.ts'

type Input = BodyOf<typeof clients.create>

const toRow = ({ contacts, logoFileUid, ...given }: Input) => ({
  ...given,
  contacts: JSON.stringify(contacts),
  logo_file_uid: logoFileUid,
})

export const createClient = (db: Db, scope: Scope, input: Input): Promise<Client> =>
  inTransaction(db, async (db) => {
    await claimLogo(db, scope, input.logoFileUid, null)
    return clientRecords.create(db, scope, toRow(input))
  })

export const updateClient = (db: Db, scope: Scope, uid: string, version: number, input: Input): Promise<Client> =>
  inTransaction(db, async (db) => {
    const { logo } = await clientRecords.get(db, scope, uid)
    await claimLogo(db, scope, input.logoFileUid, logo)
    return clientRecords.update(db, scope, uid, version, toRow(input))
  })

/** Takes a logo that is new to the client; the one it has is its own already. */
async function claimLogo(db: Db, scope: Scope, uid: string | null, current: Client['logo']): Promise<void> {
  if (uid && uid !== current?.uid) await claimFile(db, scope, uid, 'logo', 'logoFileUid')
}

/** Deletes a client, unless a program of it is not completed yet or the public still sees one. */
export const removeClient = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  clientRecords.removeUnless(db, scope, uid, async (db) => {
    await refuseIfShown(db, 'client_uid', uid)
    const open = await openPrograms(db, uid)
    if (open.length === 0) return
    throw new AppError('stillNeeded', {
      text: `This client has programs that are not completed: ${joinNames(open)}. Complete or delete them first.`,
    })
  })
