import { fleet, issueWork, type TruckIssue } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { raiseDriverIssue } from '../../live/fleet/index.ts'
import { repeatAlerts } from './issue-alerts.ts'
import { openOutreach } from './test-outreach.ts'

const world = await openWorld()
const { call, db, people } = world
const { env, handle, send } = openOutreach(world)
const MINUTE = 60_000

let numbers = 0
async function addTruck(): Promise<string> {
  const truck = { number: `T-${++numbers}`, kind: 'led', state: 'active' }
  return (await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()).uid
}
const raise = async (token = people.admin.token): Promise<TruckIssue> => {
  const body = { truckUid: await addTruck(), kind: 'screen' as const, text: 'Dark' }
  return (await call(issueWork.raise, { body }, { token })).body.data
}
const assign = async (issue: TruckIssue, assigneeUid: string | null) =>
  (await call(issueWork.assign, { body: { uid: issue.uid, version: issue.version, assigneeUid } })).body.data
const told = async (kind: string) =>
  (await db.selectFrom('notification').select(['user_uid', 'subject']).where('kind', '=', kind).execute()).map(
    ({ user_uid, subject }) => [user_uid, subject],
  )

beforeEach(async () => {
  for (const table of ['notification', 'message', 'outbound_event', 'issue_alert'] as const)
    await db.deleteFrom(table).execute()
})

describe('assigning an issue', () => {
  test('notifies the user once, by name of the issue', async () => {
    const issue = await raise()
    await assign(issue, people.sales.uid)
    await handle()
    await handle()
    expect(await told('issueAssigned')).toEqual([[people.sales.uid, `Assigned to you: ${issue.truck.name}: Screen`]])
    const mails = (await send()).filter(({ subject }) => subject.startsWith('Assigned'))
    expect(mails.map(({ to }) => to)).toEqual([people.sales.email])
    expect(mails[0]?.text).toContain('The admin assigned this issue to you.')
  })

  test('tells neither oneself, nor who has lost it before the message was made', async () => {
    const own = await raise()
    await assign(own, people.admin.uid)
    const passed = await raise()
    await assign(await assign(passed, people.sales.uid), null)
    const solved = await raise()
    const { version } = await assign(solved, people.sales.uid)
    await call(fleet.resolve, { body: { uid: solved.uid, version, status: 'resolved', note: '' } })
    await handle()
    expect(await told('issueAssigned')).toEqual([])
  })
})

describe('an issue that staff raises', () => {
  test('notifies the others, not the user who raised it', async () => {
    const colleague = await world.addUser('admin')
    const { truck } = await raise(colleague.token)
    await handle()
    const readers = (await told('truckProblem')).map(([uid]) => uid)
    expect(readers).toContain(people.admin.uid)
    expect(readers).not.toContain(colleague.uid)
    const [mail] = await send()
    expect(mail?.text).toContain(`For truck ${truck.name}, dispatch reported a problem with a screen`)
    await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', colleague.uid).execute()
  })
})

describe('a snoozed issue', () => {
  test('is not repeated or escalated before its time, and after it as if it had just been told', async () => {
    const truckUid = await addTruck()
    await raiseDriverIssue(db, {
      truckUid,
      shiftUid: undefined,
      kind: 'mechanical',
      eventId: truckUid,
      text: '',
      photoFileUid: null,
      openedAt: new Date().toISOString(),
      address: '',
    })
    await handle()
    await send()
    const [issue] = (await call(fleet.issues, { query: { truck: truckUid } })).body.data
    const start = Date.now()
    const until = new Date(start + 120 * MINUTE).toISOString()
    await call(issueWork.snooze, { body: { uid: issue?.uid ?? '', version: issue?.version ?? 0, until } })
    // The mails that a call itself would deliver are kept for the test.
    const subjectsAt = async (minutes: number) => {
      await repeatAlerts(db, { env }, start + minutes * MINUTE)
      await sql`update message set next_at = now() where state = 'waiting'`.execute(db)
      return (await send()).map(({ subject }) => subject.split(':')[0])
    }
    expect(await subjectsAt(61)).toEqual([])
    expect(await subjectsAt(121)).toEqual([])
    expect(await subjectsAt(151)).toEqual(['Still open'])
    expect(await subjectsAt(181)).toContain('Not acknowledged')
  })
})
