import { type PositionSource, positionSourceKindLabel } from '@roadshow/contract'
import type { AppContext } from '../../../platform/context.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Outbound } from '../../../platform/http/outbound.ts'
import { newTrace } from '../../../platform/observability/trace.ts'
import { geotabClient, SourceError } from '../../telemetry/index.ts'
import { getSource } from '../queries.ts'
import { outboundOf } from './polled-sources.ts'
import { noteAnswered, noteProblem, type PollableAccount, pollableAccounts } from './queries.ts'
import { samsaraClient } from './samsara-client.ts'
import { withServerAccount } from './server-account.ts'

export interface SourceTestResult {
  isWorking: boolean
  text: string
}

const TEST_MS = 15_000

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** How long ago a moment was, as people say it. */
function agoText(moment: string | number, now: number): string {
  const seconds = Math.max(0, Math.round((now - new Date(moment).getTime()) / 1000))
  if (seconds < 90) return `${countOf(seconds, 'second')} ago`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${countOf(minutes, 'minute')} ago`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${countOf(hours, 'hour')} ago` : `${countOf(Math.round(hours / 24), 'day')} ago`
}

/** Asks a source with its account; the sentence says what came, or what is wrong. */
async function testAccount(
  db: Db,
  account: PollableAccount,
  { outbound, now }: { outbound: Outbound; now: number },
): Promise<SourceTestResult> {
  if (account.secret === undefined)
    return {
      isWorking: false,
      text: "The stored password can't be opened with the server's secret key. Enter it again.",
    }
  try {
    const text = await (account.kind === 'samsara' ? askSamsara : askGeotab)(db, account, { outbound, now })
    await noteAnswered(db, account.sourceUid)
    return { isWorking: true, text }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    await noteProblem(db, account.sourceUid, error.message)
    return { isWorking: false, text: error.message }
  }
}

type Ask = (db: Db, account: PollableAccount, by: { outbound: Outbound; now: number }) => Promise<string>

const askSamsara: Ask = async (db, { sourceUid, server, secret = '' }, { outbound, now }) => {
  const page = await samsaraClient({ server, token: secret }, outbound).read(undefined, AbortSignal.timeout(TEST_MS))
  const known = await db
    .selectFrom('truck_tracker')
    .select('external_id')
    .where('source_uid', '=', sourceUid)
    .where('external_id', 'in', page.vehicles.length > 0 ? page.vehicles : [''])
    .execute()
  return heardText({
    count: page.vehicles.length,
    known: known.length,
    newestAt: newestOf(page.fixes.map(({ at }) => at)),
    now,
  })
}

const askGeotab: Ask = async (db, account, { outbound, now }) => {
  const { server, database, user, secret = '', isSetByServer } = account
  const client = geotabClient(
    { server, database, user, password: secret, ...(!isSetByServer && { outbound }) },
    TEST_MS,
  )
  const statuses = await client.get('DeviceStatusInfo', {
    signal: AbortSignal.timeout(2 * TEST_MS),
    trace: newTrace(),
  })
  const ids = statuses.flatMap((each) => {
    const { device } = each as { device?: string | { id?: unknown } }
    const id = typeof device === 'object' ? device.id : device
    return typeof id === 'string' ? [id] : []
  })
  const known = await db
    .selectFrom('truck')
    .select('uid')
    .where('geotab_device_id', 'in', ids.length > 0 ? ids : [' '])
    .where('deleted_at', 'is', null)
    .execute()
  const times = statuses.map((each) => Date.parse(String((each as { dateTime?: unknown }).dateTime)))
  return heardText({
    count: statuses.length,
    known: known.length,
    newestAt: newestOf(times.filter((at) => !Number.isNaN(at))),
    now,
  })
}

const newestOf = (times: readonly number[]) =>
  times.reduce<number | undefined>((a, b) => Math.max(a ?? b, b), undefined)

function heardText(heard: { count: number; known: number; newestAt: number | undefined; now: number }): string {
  const { count, known, newestAt, now } = heard
  if (count === 0) return 'It answers, and has no vehicles for this account.'
  const newest = newestAt === undefined ? '' : ` The newest position is from ${agoText(newestAt, now)}.`
  const trucks =
    known === count
      ? 'all of them are trucks here'
      : `${known} of them ${known === 1 ? 'is a truck' : 'are trucks'} here`
  return `It answers with ${countOf(count, 'vehicle')}; ${trucks}.${newest}`
}

/** What is known of a source that sends by itself. */
function testSender(source: PositionSource, now: number): SourceTestResult {
  const { kind, state, lastFixAt, lastSeenAt, lastError, lastErrorAt } = source
  if (state === 'revoked') return { isWorking: false, text: 'Its key was revoked. Give it a new one.' }
  if (lastErrorAt !== null && (lastSeenAt === null || lastErrorAt >= lastSeenAt))
    return { isWorking: false, text: `What came ${agoText(lastErrorAt, now)} had a mistake: ${lastError}` }
  if (lastFixAt === null && lastSeenAt === null)
    return { isWorking: false, text: `No position has come from ${positionSourceKindLabel[kind]} yet.` }
  if (lastFixAt === null)
    return { isWorking: false, text: 'It sends, but no truck has an id that it uses. Give trucks their ids there.' }
  return { isWorking: true, text: `The newest position is from ${agoText(lastFixAt, now)}.` }
}

/** Tests a source now: one that is asked is asked, and of the others it says what came last. */
export async function testSource(db: Db, env: AppContext['env'], uid: string): Promise<SourceTestResult> {
  const source = withServerAccount(await getSource(db, uid), env.geotab)
  const now = await sharedNow(db)
  if (source.kind !== 'geotab' && source.kind !== 'samsara') return testSender(source, now)
  const account = (await pollableAccounts(db, env.geotab)).find(({ sourceUid }) => sourceUid === uid)
  if (!account) return { isWorking: false, text: 'It has no account yet.' }
  return testAccount(db, account, { outbound: outboundOf(env, TEST_MS), now })
}
