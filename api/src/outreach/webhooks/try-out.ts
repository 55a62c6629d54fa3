import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../platform/db/connection.ts'
import { sendTest } from './deliveries.ts'

interface WebhookTestResult {
  isWorking: boolean
  text: string
}

// An attempt ends after 15 seconds; the rest is for the node that sends it.
const WAIT_MS = 18_000
const LOOK_EVERY_MS = 200
const MOST_NAMED = 3

interface Tested {
  url: string
  message: string
  state: string
  problem: string | null
}

/** The tests as they stand once none is under way, or when the wait is over. */
async function awaitAnswers(db: Db, sent: readonly Pick<Tested, 'url' | 'message'>[]): Promise<Tested[]> {
  const uids = sent.map(({ message }) => message)
  const until = performance.now() + WAIT_MS
  for (;;) {
    const rows = await db.selectFrom('message').select(['uid', 'state', 'problem']).where('uid', 'in', uids).execute()
    const isOver = rows.every(({ state }) => state !== 'waiting')
    if (isOver || performance.now() > until) {
      const byUid = new Map(rows.map((row) => [row.uid, row]))
      return sent.map((each) => ({
        ...each,
        state: byUid.get(each.message)?.state ?? 'waiting',
        problem: byUid.get(each.message)?.problem ?? null,
      }))
    }
    await sleep(LOOK_EVERY_MS)
  }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

const answerText = ({ url, state, problem }: Tested) =>
  `${hostOf(url)}: ${state === 'waiting' ? 'It has not answered yet.' : (problem ?? 'It was not sent.')}`

/** Sends a signed test to every active endpoint, in the way of all deliveries, and says what each answered. */
export async function testWebhooks(db: Db): Promise<WebhookTestResult> {
  const all = await db
    .selectFrom('webhook')
    .select(['uid', 'url', 'state'])
    .where('state', '<>', 'ended')
    .orderBy('url')
    .orderBy('uid')
    .execute()
  const active = all.filter(({ state }) => state === 'active')
  if (active.length === 0)
    return {
      isWorking: false,
      text: all.length === 0 ? 'There is no webhook.' : 'Every webhook is paused. Resume one under Webhooks.',
    }
  const sent = []
  for (const { uid, url } of active) sent.push({ url, message: (await sendTest(db, uid)).uid })
  const answers = await awaitAnswers(db, sent)
  const failed = answers.filter(({ state }) => state !== 'sent')
  const count = `${active.length - failed.length} of ${active.length}`
  if (failed.length === 0)
    return {
      isWorking: true,
      text:
        active.length === 1 ? `${hostOf(active[0]?.url ?? '')} accepted a test.` : `${count} webhooks accepted a test.`,
    }
  const rest = failed.length > MOST_NAMED ? ` ${failed.length - MOST_NAMED} more are in the delivery log.` : ''
  const named = failed.slice(0, MOST_NAMED).map(answerText).join(' ')
  return { isWorking: false, text: `${count} webhooks accepted a test. ${named}${rest}` }
}
