import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ScureBase32Plugin } from 'otplib'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { seal, unseal } from '../../platform/runtime/secret-box.ts'
import { keyAddress, stepOfCode } from './rules.ts'

// As RFC 4226 recommends for the hash that authenticator apps use.
const KEY_BYTES = 20
const SETUP_MINUTES = 15

const base32 = new ScureBase32Plugin()

/** A new key that waits for its first code, as text and as a QR code. An older key stays in use until then. */
export async function startCodeApp(db: Db, user: { uid: string; email: string }, brandName: string) {
  const secret = randomBytes(KEY_BYTES)
  const waiting = {
    new_secret: seal(secret, user.uid),
    new_secret_until: sql<string>`now() + ${SETUP_MINUTES} * interval '1 minute'`,
  }
  await db
    .insertInto('code_app')
    .values({ user_uid: user.uid, ...waiting })
    .onConflict((same) => same.column('user_uid').doUpdateSet(waiting))
    .execute()
  const key = base32.encode(secret, { padding: false })
  const address = keyAddress(key, { brandName, email: user.email })
  const { toString: drawQrCode } = await import('qrcode')
  const svg = await drawQrCode(address, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  return {
    key,
    address,
    picture: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  }
}

/** Puts the waiting key into use if this is its code. */
export async function confirmCodeApp(db: Db, userUid: string, code: string): Promise<void> {
  const waiting = await db
    .selectFrom('code_app')
    .select('new_secret')
    .where('user_uid', '=', userUid)
    .where('new_secret_until', '>', sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst()
  if (!waiting?.new_secret) throw new AppError('setupExpired')
  const step = stepOfCode(opened(waiting.new_secret, userUid), code, await sharedNow(db))
  if (step === undefined) throw new AppError('badInput', { fields: { code: WRONG_FIRST_CODE } })
  await db
    .updateTable('code_app')
    .set({
      secret: sql`new_secret`,
      added_at: sql`now()`,
      used_at: null,
      last_step: step,
      new_secret: null,
      new_secret_until: null,
    })
    .where('user_uid', '=', userUid)
    .execute()
}

const WRONG_FIRST_CODE = 'Wrong code. Check that the clock of your phone is right, and enter the code it shows now.'

/** Whether this is a code of the user's app that was not used yet. It is used up by this. */
export async function consumeCode(db: Db, userUid: string, code: string): Promise<boolean> {
  const app = await db.selectFrom('code_app').select('secret').where('user_uid', '=', userUid).executeTakeFirst()
  if (!app?.secret) return false
  const step = stepOfCode(opened(app.secret, userUid), code, await sharedNow(db))
  if (step === undefined) return false
  // Two calls with the same code wait for each other here, and the second finds it used.
  const { numUpdatedRows } = await db
    .updateTable('code_app')
    .set({ last_step: step, used_at: sql`now()` })
    .where('user_uid', '=', userUid)
    .where('secret', '=', app.secret)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function opened(sealed: Buffer, userUid: string): Buffer {
  const key = unseal(sealed, userUid)
  if (!key) throw new AppError('codeAppUnreadable')
  return key
}
