import type { ModuleKey } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { liveAccount } from '../sign-in/index.ts'

/**
 * The modules of an admin who hands out part of their rights, locked: anyone who takes them at the same moment waits, and
 * then ends what was handed out.
 */
export async function lockAdmin(db: Db, uid: string): Promise<{ modules: ModuleKey[] }> {
  const admin = await liveAccount(db, uid).forShare().executeTakeFirst()
  if (admin?.role !== 'admin') throw new AppError('forbidden')
  return admin
}
