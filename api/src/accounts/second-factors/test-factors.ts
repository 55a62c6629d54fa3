import { auth, type ErrorBody, secondFactors } from '@roadshow/contract'
import { sql } from 'kysely'
import { generateSync, ScureBase32Plugin } from 'otplib'
import { vi } from 'vitest'
import { softwarePasskey } from '@roadshow/test-kit/passkey'
import type { World } from '@roadshow/test-kit/world'
import * as databaseClock from '../../platform/db/clock.ts'
import { hashPassword } from '../sign-in/index.ts'

export const PASSWORD = 'seven wet boots'
const passwordHash = await hashPassword(PASSWORD)

const STEP_MS = 30_000

/** People with second factors, and a clock that code apps and the server share. */
export function openFactors(world: World) {
  const { call, db } = world
  const clock = vi.spyOn(databaseClock, 'sharedNow')
  let now = Math.floor(Date.now() / STEP_MS) * STEP_MS + 5000
  const setClock = (to: number) => {
    now = to
    clock.mockResolvedValue(now)
  }
  setClock(now)

  // Attempts are counted by address too, so each call comes from one of its own.
  let street = 0
  const newAddress = () => `10.1.${Math.floor(++street / 250)}.${street % 250}`

  const signIn = (email: string, password = PASSWORD) =>
    call(auth.authenticate, { body: { email, password, clientType: 'web' } }, { token: '', address: newAddress() })

  async function addPerson(role: 'sales' | 'driver' | 'admin' = 'sales') {
    const person = await world.addUser(role)
    await db.updateTable('user_account').set({ password_hash: passwordHash }).where('uid', '=', person.uid).execute()
    return person
  }
  type Person = Awaited<ReturnType<typeof addPerson>>

  /** The second step that a right password leads to. */
  async function pending(email: string): Promise<NonNullable<ErrorBody['secondFactor']>> {
    const { error } = await signIn(email)
    if (!error.secondFactor) throw new Error(`No second step: ${JSON.stringify(error)}`)
    return error.secondFactor
  }

  const finish = (token: string, factor: object) =>
    call(secondFactors.finishSignIn, { body: { token, ...factor } }, { token: '', address: newAddress() })

  const codeFor = (key: string, atMs = now) =>
    generateSync({ secret: new ScureBase32Plugin().decode(key), epoch: Math.floor(atMs / 1000) })

  /** Sets up an authenticator app; its next code is that of the next half minute. */
  async function addCodeApp({ token }: Pick<Person, 'token'>) {
    const { key } = (await call(secondFactors.startCodeApp, {}, { token })).body.data
    const added = await call(secondFactors.addCodeApp, { body: { code: codeFor(key) } }, { token })
    setClock(now + STEP_MS)
    return { key, recoveryCodes: added.body.data.recoveryCodes ?? [], code: () => codeFor(key) }
  }

  async function addPasskey({ token }: Pick<Person, 'token'>, name = 'My phone', passkey = softwarePasskey()) {
    const options = (await call(secondFactors.challengePasskey, {}, { token })).body.data
    const body = { name, passkey: passkey.create(options) }
    const answer = await call(secondFactors.addPasskey, { body }, { token })
    return { passkey, answer, body }
  }

  /** Moves the last proof of a session into the past. */
  const ageProof = (uid: string) =>
    db
      .updateTable('session')
      .set({ proved_at: sql`now() - interval '11 minutes'` })
      .where('user_uid', '=', uid)
      .execute()

  return {
    signIn,
    addPerson,
    pending,
    finish,
    codeFor,
    addCodeApp,
    addPasskey,
    ageProof,
    /** Half a minute later. */
    nextStep: () => setClock(now + STEP_MS),
  }
}
