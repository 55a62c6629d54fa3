import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, connectionGroupLabel } from '@roadshow/contract'
import { sql } from 'kysely'
import { testIdentityProvider } from '../../accounts/identity-provider/index.ts'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import { testGeocoder } from '../../catalog/addresses/index.ts'
import { testSource } from '../../live/trackers/index.ts'
import { testFeeds } from '../../outreach/feeds/index.ts'
import { enqueueTest } from '../../outreach/push/index.ts'
import { testWebhooks } from '../../outreach/webhooks/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { readMapFile } from '../../platform/http/map-file.ts'
import { composeMail } from '../../platform/mail/compose.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { reasonOf } from '../../platform/runtime/reason.ts'
import { listConnections, sourceUidOf } from './connections.ts'

export interface TestResult {
  isWorking: boolean
  text: string
}

interface TestCall {
  db: Db
  context: Pick<AppContext, 'env' | 'blobs' | 'services' | 'mailer'>
  actor: { uid: string; name: string; email: string }
  request: Parameters<typeof recipientLanguage>[2] & { ip: string }
}

/** A test answers in a sentence, and fails with the reason. */
type Test = (call: TestCall) => Promise<string | TestResult>

const testStorage: Test = async ({ context: { blobs } }) => {
  const blob = `connection-test-${randomUUID()}`
  const sent = Buffer.from(`Written as a test, ${new Date().toISOString()}`)
  await blobs.write(blob, sent, 'text/plain')
  try {
    const chunks: Buffer[] = []
    for await (const chunk of await blobs.read(blob)) chunks.push(chunk as Buffer)
    if (!Buffer.concat(chunks).equals(sent)) throw new Error('It gave back something else than was written.')
  } finally {
    await blobs.remove(blob)
  }
  if ((await blobs.size(blob)) !== undefined) throw new Error('It did not delete what was to be deleted.')
  return 'A file was written, read and deleted.'
}

const testMail: Test = async ({ db, context: { env, mailer }, actor, request }) => {
  const language = await recipientLanguage(db, actor.uid, request)
  const mail = composeMail({ email: actor.email, name: actor.name, language }, env.brandName, {
    kind: 'test-mail',
    subject: `Test email of ${env.brandName}`,
    paragraphs: ['This email shows that your server can send mail. There is nothing to do.'],
  })
  await mailer.send(mail)
  if (!env.smtpUrl)
    return {
      isWorking: false,
      text: 'No mail server is set up (SMTP_URL). The email was written to a file of the server instead.',
    }
  return `The mail server took an email to ${actor.email}.`
}

const PUSH_WAIT_MS = 10_000
const LOOK_EVERY_MS = 300

const testPush: Test = async ({ db, context: { env }, actor, request }) => {
  const browsers = await db.selectFrom('push_subscription').select('uid').where('user_uid', '=', actor.uid).execute()
  if (browsers.length === 0)
    return {
      isWorking: false,
      text: 'You get no notifications in any browser yet. Turn them on under Notifications first.',
    }
  const language = await recipientLanguage(db, actor.uid, request)
  const sent = await enqueueTest(db, { userUid: actor.uid, language, brandName: env.brandName })
  if (sent.length === 0) throw new AppError('tooMany', { retryAfter: 10 })
  const until = performance.now() + PUSH_WAIT_MS
  while (performance.now() < until) {
    await sleep(LOOK_EVERY_MS)
    const rows = await db.selectFrom('message').select(['state', 'problem']).where('uid', 'in', sent).execute()
    if (rows.some(({ state }) => state === 'sent')) return 'The push service took a notification for your browser.'
    const problem = rows.find((row) => row.problem !== null)?.problem
    if (problem) throw new Error(problem)
  }
  return { isWorking: false, text: 'The push service has not answered within 10 seconds. The notification waits.' }
}

const testSignOn: Test = ({ context: { env } }) =>
  env.singleSignOn ? testIdentityProvider(env.singleSignOn) : notSetUp()

const testGeocoding: Test = ({ context: { env } }) =>
  env.geocoderUrl ? testGeocoder(env.geocoderUrl, `${env.brandName} (${env.publicUrl})`) : notSetUp()

const testMap: Test = async ({ context: { env } }) => {
  if (env.mapFile === undefined) return notSetUp()
  const { area } = await readMapFile(env.mapFile, '')
  return `The file can be read, with streets to zoom ${area?.maxZoom ?? 0}.`
}

const testPartnerFeeds: Test = ({ db, context, request }) => testFeeds({ db, parquet: parquetOf(context) }, request.ip)

const notSetUp = async (): Promise<TestResult> => ({ isWorking: false, text: 'It is not set up.' })

const tests: Partial<Record<Connection['group'], Test>> = {
  storage: testStorage,
  mail: testMail,
  push: testPush,
  signOn: testSignOn,
  geocoder: testGeocoding,
  map: testMap,
  webhooks: ({ db }) => testWebhooks(db),
  feeds: testPartnerFeeds,
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

async function run(test: Test, call: TestCall): Promise<TestResult> {
  try {
    const answer = await test(call)
    return typeof answer === 'string' ? { isWorking: true, text: answer } : answer
  } catch (error) {
    // Limits of calls are answered as such.
    if (error instanceof AppError && error.code === 'tooMany') throw error
    return { isWorking: false, text: sentence(reasonOf(error)) }
  }
}

/** Notes what a test brought. A connection that is not set up has no standing. */
async function note(db: Db, connection: string, actorUid: string, { isWorking, text }: TestResult): Promise<void> {
  const now = sql<string>`now()`
  const found = isWorking ? { last_success_at: now } : { last_error: text, last_error_at: now }
  const row = { ...found, tested_at: now, tested_by: actorUid }
  await db
    .insertInto('connection_check')
    .values({ connection, ...row })
    .onConflict((same) => same.column('connection').doUpdateSet(row))
    .execute()
}

/** Tests a connection now, as it is used. */
export async function testConnection(key: string, call: TestCall): Promise<TestResult> {
  const { db, context, actor } = call
  const connection = (await listConnections(db, context)).find((each) => each.key === key)
  if (!connection) throw new AppError('notFound')
  if (!connection.canTest)
    throw new AppError('badInput', { text: `${connectionGroupLabel[connection.group]} can't be tested from here.` })
  const sourceUid = sourceUidOf(key)
  if (sourceUid !== undefined) return testSource(db, context.env, sourceUid)
  const test = tests[connection.group]
  if (!test) throw new AppError('notFound')
  const result = await run(test, call)
  if (connection.state !== 'off') await note(db, key, actor.uid, result)
  return result
}
