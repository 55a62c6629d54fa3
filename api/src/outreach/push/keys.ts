import webPush from 'web-push'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { seal, unseal } from '../../platform/runtime/secret-box.ts'

const OWNER = 'push key'

/** The private VAPID key; undefined if this node has another key than the one that sealed it. */
export const openPrivateKey = (sealed: Buffer): string | undefined => unseal(sealed, OWNER)?.toString()

const findKey = (db: Db) => db.selectFrom('push_key').select(['uid', 'public_key as publicKey']).executeTakeFirst()

/** The keys by which push services know this deployment. The first to ask makes them, and they stay. */
export async function findOrCreateKey(db: Db): Promise<{ uid: string; publicKey: string }> {
  const found = await findKey(db)
  if (found) return found
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await db
    .insertInto('push_key')
    .values({ public_key: publicKey, sealed_private_key: seal(Buffer.from(privateKey), OWNER) })
    .onConflict((taken) => taken.column('is_only').doNothing())
    .execute()
  const made = await findKey(db)
  if (!made) throw new Error('The push keys were removed while they were made.')
  return made
}

/** Makes the keys at the first start, so that the first browser does not wait for them. */
export const makePushKeys = defineJob('make-push-keys', ({ db }) => findOrCreateKey(db))
