import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { type DeviceKind, PAIRING_CODE_LENGTH, PAIRING_CHARACTERS } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { countAttempt, type AttemptLimit, recordSuccess } from '../../accounts/sign-in/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { networkOf } from '../../platform/http/address.ts'
import { hashToken } from '../../platform/http/session.ts'
import { exchangeCodeForKey, deviceSecrets } from './queries.ts'

export const newPairingCode = (): string =>
  Array.from({ length: PAIRING_CODE_LENGTH }, () => PAIRING_CHARACTERS[randomInt(PAIRING_CHARACTERS.length)]).join('')

const newKey = () => randomBytes(32).toString('base64url')

/** A code counts for its device only, so that the same code for two of them is no matter. */
export const hashPairingCode = (deviceUid: string, code: string): Buffer => hashToken(`${deviceUid} ${code}`)

const NOTHING = hashToken('')
const isSame = (stored: Buffer | null | undefined, given: Buffer): boolean =>
  timingSafeEqual(stored ?? NOTHING, given) && stored !== null && stored !== undefined

/** Gives a device its key for its code, this once. Every refusal is the same: nobody learns which addresses exist. */
export async function pairDevice(db: Db, mac: string, code: string, address: string): Promise<string> {
  const ofDevice: AttemptLimit = { key: `pairing device:${mac}`, free: 5 }
  const ofAddress: AttemptLimit = { key: `pairing address:${networkOf(address)}`, free: 30 }
  // The address first: while it must wait, its attempts do not count against any device.
  await countAttempt(db, [ofAddress, ofDevice])
  const found = await deviceSecrets(db, mac)
  const codeHash = hashPairingCode(found?.uid ?? '', code)
  const key = newKey()
  const isRight = isSame(found?.code_hash, codeHash) && found?.code_counts
  if (!isRight || !(await exchangeCodeForKey(db, found.uid, codeHash, hashToken(key), address))) {
    throw new AppError('pairingRefused')
  }
  await recordSuccess(db, ofDevice, ofAddress)
  return key
}

export interface AuthenticatedDevice {
  uid: string
  truckUid: string
  kind: DeviceKind
  /** What it proved itself with: with another key it would not be in. */
  keyHash: Buffer
}

/** The device that proves itself with its key. Who does not is told why: only a key opens anything. */
export async function authenticateDevice(db: Db, mac: string, key: string): Promise<AuthenticatedDevice> {
  const found = await deviceSecrets(db, mac)
  if (!found) throw new AppError('deviceUnknown')
  const keyHash = hashToken(key)
  if (!isSame(found.key_hash, keyHash)) {
    throw new AppError(found.key_hash === null && found.revoked_at !== null ? 'deviceRevoked' : 'deviceKey')
  }
  return { uid: found.uid, truckUid: found.truck_uid, kind: found.kind as DeviceKind, keyHash }
}
