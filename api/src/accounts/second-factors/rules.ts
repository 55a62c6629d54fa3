import { createHash, randomBytes } from 'node:crypto'
import { createGuardrails, generateURI, verifySync } from 'otplib'

/** A code is valid in its own 30 seconds and in those before and after, because clocks differ. */
const STEP_SECONDS = 30

const guardrails = createGuardrails()

/** The time step whose code this is, or undefined if the code belongs to no step around now. */
export function stepOfCode(key: Buffer, code: string, nowMs: number): number | undefined {
  const epoch = Math.floor(nowMs / 1000)
  const result = verifySync({ secret: key, token: code, epoch, epochTolerance: STEP_SECONDS, guardrails })
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : undefined
}

/** The address that an authenticator app reads from the QR code. */
export const keyAddress = (key: string, { brandName, email }: { brandName: string; email: string }): string =>
  generateURI({ issuer: brandName, label: email, secret: key })

// Letters and digits that no one confuses; 32 of them, so that each stands for five random bits.
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789'
const CODE_SIGNS = 16

/** A recovery code of 80 random bits: `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCode(random: Buffer = randomBytes(CODE_SIGNS)): string {
  const signs = [...random.subarray(0, CODE_SIGNS)].map((byte) => SIGNS[byte % SIGNS.length])
  return [0, 4, 8, 12].map((at) => signs.slice(at, at + 4).join('')).join('-')
}

/** Only this hash of a recovery code is stored: 80 random bits need no slow hash. Hyphens, spaces and case do not matter. */
export const hashRecoveryCode = (userUid: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userUid} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
    .digest()
