import { isForDrivers, type NotificationKind } from '@roadshow/contract'
import { sql } from 'kysely'
import type { World } from '@roadshow/test-kit/world'
import { connect, type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Job } from '../../platform/jobs/define-job.ts'
import { runJob } from '../../platform/jobs/runner.ts'
import { mailChannel } from '../../platform/mail/channel.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { checkedChannel, handleEvents, sendDue } from '../../platform/outbox/index.ts'
import { type Notice, notify } from './fan-out.ts'
import { notificationModule } from './index.ts'
import { checkBeforeSending } from './message-check.ts'

const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }

/** Runs what a node does with notifications, step by step. */
export function openOutreach(world: World) {
  const { db, app, url } = world
  const { signal } = new AbortController()
  const errors: unknown[] = []
  const log = (error: unknown) => void errors.push(error)
  const resources = (of: Db) => ({ db: of, blobs: app.blobs, env, log })
  const handleAll = handleEvents(notificationModule.eventHandlers ?? [])

  async function run(job: Job, now?: number): Promise<void> {
    await runJob(job, resources(db), { signal, ...(now !== undefined && { now }) })
    if (errors.length > 0) throw errors[0]
  }

  /** Makes notifications of what happened, as two nodes do that both want to. */
  async function handle(): Promise<void> {
    const other = connect(url, { max: 4 })
    await Promise.all([db, other.db].map((of) => runJob(handleAll, resources(of), { signal })))
    await other.close()
    // The node that came second may have left before the first had finished.
    await run(handleAll)
  }

  /** The mails that are due, as they leave the building. */
  async function send(): Promise<Mail[]> {
    const sent: Mail[] = []
    const channel = mailChannel({ mailer: { send: async (mail: Mail) => void sent.push(mail) } })
    await sendDue(checkedChannel(channel, db, [checkBeforeSending]), { db, signal, log })
    return sent
  }

  /** Lets time pass for what was made until now. */
  async function pass(seconds: number): Promise<void> {
    const time = sql`make_interval(secs => ${seconds})`
    await sql`update message set created_at = created_at - ${time}, next_at = next_at - ${time}`.execute(db)
    await sql`update notification set at = at - ${time}`.execute(db)
  }

  let causes = 0
  type GivenNotice = Partial<Notice> & { kind: NotificationKind }
  const notice = (given: GivenNotice): Notice => {
    const facts = {
      key: `cause ${++causes}`,
      subject: `Subject ${causes}`,
      text: 'A sentence.',
      path: '/overview',
      object: `thing ${causes}`,
      ...given,
    }
    const { kind, spanish = { subject: `Asunto ${causes}`, text: 'Una frase.' } } = facts
    return isForDrivers(kind) ? { ...facts, kind, spanish } : { ...facts, kind, spanish: undefined }
  }
  const tell = (given: GivenNotice, audience: Parameters<typeof notify>[3] = {}) =>
    inTransaction(db, (db) => notify(db, { env }, notice(given), audience))

  return { env, run, handle, send, pass, notice, tell }
}
