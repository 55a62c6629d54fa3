import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ExternalServices } from '../runtime/external-services.ts'
import type { Mail } from './mailer.ts'
import { retryingMailer } from './retrying-mailer.ts'

const mail = { kind: 'invitation', to: 'ann@example.com', subject: 'Welcome', text: 'Hello Ann' }
const errors: string[] = []
const log = (error: unknown) => errors.push((error as Error).message)
const failure = (facts: object) => Object.assign(new Error('No.'), facts)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void errors.splice(0))
afterAll(() => void vi.useRealTimers())

/** A mailer whose server answers as the test wants. */
function openMailer(problem: { now: Error | undefined }) {
  const sent: Mail[] = []
  const refuse = () => (problem.now ? Promise.reject(problem.now) : Promise.resolve())
  const smtp = {
    verify: refuse,
    send: async (mail: Mail) => {
      await refuse()
      sent.push(mail)
    },
  }
  const services = new ExternalServices()
  const mailer = retryingMailer(smtp, { services, log })
  return { mailer, services, sent }
}

test('a mail that a server does not take yet is sent a minute later, and the server counts as there', async () => {
  const problem = { now: undefined as Error | undefined }
  const { mailer, services, sent } = openMailer(problem)
  await vi.advanceTimersByTimeAsync(0)
  problem.now = failure({ code: 'EENVELOPE', responseCode: 450 })
  await mailer.send(mail)
  expect([sent, services.degraded]).toEqual([[], []])
  expect(() => mailer.refuseIfAway?.()).not.toThrow()
  problem.now = undefined
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent, errors]).toEqual([[mail], []])
})

test('a mail that the server refuses for good fails with its kind and recipient', async () => {
  const problem = { now: undefined as Error | undefined }
  const { mailer, services } = openMailer(problem)
  await vi.advanceTimersByTimeAsync(0)
  problem.now = failure({ code: 'EENVELOPE', responseCode: 550 })
  await expect(mailer.send(mail)).rejects.toThrow('The mail "invitation" to ann@example.com was not sent: No.')
  expect(services.degraded).toEqual([])
})

test('mails wait while the server is away, for a day at most, and are named when the node stops', async () => {
  const problem = { now: failure({ code: 'ECONNECTION' }) as Error | undefined }
  const { mailer, services, sent } = openMailer(problem)
  await mailer.send(mail)
  expect(services.degraded).toMatchObject([{ service: 'mail' }])
  expect(() => mailer.refuseIfAway?.()).toThrow("The mail server can't be reached right now.")
  await vi.advanceTimersByTimeAsync(25 * 3_600_000)
  expect(errors).toEqual(['The mail "invitation" to ann@example.com was not sent: the mail server was away for a day'])

  await mailer.send({ ...mail, to: 'bob@example.com' })
  mailer.close()
  expect(errors.at(-1)).toContain('to bob@example.com was not sent: this node stopped before')
  expect(sent).toEqual([])
  services.stop()
})
