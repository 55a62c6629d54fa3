import { randomInt } from 'node:crypto'
import { type DeviceKind, PAIRING_CODE_LENGTH, PAIRING_CHARACTERS } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { countAttempt, recordSuccess, rememberNetwork } from '../../accounts/sign-in/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { hashToken, newToken } from '../../platform/http/session.ts'
import { assignKey, deviceSecrets } from './queries.ts'
import { isCodeAccepted, keyProblem } from './rules.ts'

export const newPairingCode = (): string =>
  Array.from({ length: PAIRING_CODE_LENGTH }, () => PAIRING_CHARACTERS[randomInt(PAIRING_CHARACTERS.length)]).join('')

/** The hash covers the device too: two devices may have the same code, and each code opens only its own. */
export const hashPairingCode = (deviceUid: string, code: string): Buffer => hashToken(`${deviceUid} ${code}`)

interface PairingRequest {
  macAddress: string
  code: string
  /** The network address of the caller. */
  address: string
}

/** Exchanges a device's code for its key, once. Every refusal is the same, so that it reveals no MAC address. */
export async function pairDevice(db: Db, { macAddress, code, address }: PairingRequest): Promise<string> {
  const stored = await deviceSecrets(db, macAddress)
  const target = { what: 'pairing', subject: macAddress, ownerUid: stored?.uid, address } as const
  const limits = await countAttempt(db, target)
  const codeHash = hashPairingCode(stored?.uid ?? '', code)
  const key = newToken()
  const isPaired =
    stored !== undefined &&
    isCodeAccepted(stored, codeHash) &&
    (await assignKey(db, { deviceUid: stored.uid, codeHash, keyHash: hashToken(key), address }))
  if (!isPaired) throw new AppError('pairingRefused')
  await recordSuccess(db, limits)
  await rememberNetwork(db, stored.uid, address)
  return key
}

export interface AuthenticatedDevice {
  uid: string
  truckUid: string
  kind: DeviceKind
  /** The hash of the key that it signed in with; a newer key ends its connection. */
  keyHash: Buffer
}

/** The device that a key belongs to. */
export async function authenticateDevice(db: Db, mac: string, key: string): Promise<AuthenticatedDevice> {
  const stored = await deviceSecrets(db, mac)
  const keyHash = hashToken(key)
  const problem = keyProblem(stored, keyHash)
  if (problem || !stored) throw problem ?? new AppError('deviceUnknown')
  return { uid: stored.uid, truckUid: stored.truck_uid, kind: stored.kind as DeviceKind, keyHash }
}
