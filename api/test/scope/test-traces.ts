import { randomUUID } from 'node:crypto'
import {
  campaignLinks,
  campaignMails,
  clientWebhookEvents,
  type DriverAct,
  driverApp,
  fleet,
  inspectionItems,
  issueWork,
  markets,
  photoCalls,
  pops,
  programs,
  shifts,
  webhooks,
} from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Scope } from '../../src/platform/db/records/scope.ts'
import { storeUploadedPicture } from '../../src/platform/files/index.ts'
import { storeDriverEvents, storeDriverIssues } from '../../src/live/driver-events/index.ts'
import { fleetOf } from '../../src/live/players/test-fleet.ts'
import { cameraPhoto, photoFile } from '../../src/proof/photos/test-photos.ts'
import { openProposals } from '../../src/outreach/proposals/test-proposals.ts'
import type { SharedTruck } from './test-shared-truck.ts'

const MINUTE = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()

/** Everyone but the client’s own people gets a name and numbers that stand nowhere else. */
const nameEveryone = ({ db }: World) =>
  sql`update user_account set name = 'Zyname ' || left(uid::text, 8) || right(uid::text, 6),
             phone = 'Zyphone ' || right(uid::text, 8), payroll_id = 'Zypay' || right(uid::text, 8)
       where role <> 'client'`.execute(db)

/** What Acme's driver does on the phone and at the truck's device, the ways that leave ids behind. */
async function drive(world: World, { acme, shifts: { own }, truckUid }: SharedTruck): Promise<void> {
  const { app, call, db } = world
  const [shiftUid = ''] = own
  const scope = {
    rows: 'own',
    actor: { ...acme.driver, role: 'driver', modules: [], address: '::1' },
  } as unknown as Scope
  const picture = async () =>
    (await storeUploadedPicture(app, scope, { purpose: 'issue', name: 'tire.jpg', content: await cameraPhoto() })).uid
  const [item] = (await call(inspectionItems.list, { query: { pageSize: '1' } })).body.data
  const act = (kind: DriverAct['kind'], minutes: number, given: object = {}) =>
    ({ kind, actId: randomUUID(), at: ago(minutes), shiftUid, ...given }) as DriverAct
  const acts = [
    act('answer', 60, { answer: 'declined', reason: 'Acme reason' }),
    act('message', 50, { text: 'Acme message' }),
    act('otherTruck', 45, { truckNumber: 'T-9' }),
    act('issue', 40, { issueKind: 'screen', text: 'Acme issue of the phone', photoFileUid: await picture() }),
    act('inspection', 35, {
      items: [{ itemUid: item?.uid, result: 'defect', note: 'Acme defect', photoFileUid: await picture() }],
      signedBy: 'Zyname as signed',
    }),
    act('start', 200),
  ]
  const { status, body } = await call(driverApp.acts, { body: { sentAt: ago(0), acts } }, { token: acme.driver.token })
  expect([status, body.data.results.map(({ result }) => result)]).toEqual([200, acts.map(() => 'accepted')])
  const device = await fleetOf(world).addDevice(truckUid, 'driver')
  const reporter = { uid: device.uid, truckUid, address: '::1' }
  const issue = { eventId: 'issue-1', kind: 'mechanical', text: 'Acme issue of the device', at: ago(30) }
  const event = { eventId: 'start-1', shiftUid, kind: 'start', at: ago(199) }
  for (const sent of [storeDriverIssues(db, reporter, [issue]), storeDriverEvents(db, reporter, [event])]) {
    expect(await sent).toMatchObject({ rows: [{ result: 'accepted' }] })
  }
  const photo = await call(
    photoCalls.addPhotos,
    { body: { shiftUid, caption: 'Acme photo' }, files: { photos: [photoFile(await cameraPhoto())] } },
    { token: acme.driver.token },
  )
  expect(photo.status, photo.text).toBe(200)
}

/** As earlier versions kept it: the id of a report that named the driver's account. */
const leaveOldHistory = ({ db }: World, { acme, issues }: SharedTruck) =>
  sql`insert into history (table_name, record_uid, action, changes)
      select 'truck_issue', uid::uuid, 'created', jsonb_build_object(
               'event_id', jsonb_build_array(null, ${`${acme.driver.uid} ${randomUUID()}`}::text),
               'reported_by', jsonb_build_array(null, ${acme.driver.uid}::text),
               'text', jsonb_build_array('', 'Acme issue of old'))
        from unnest(${issues.own}::text[]) uid`.execute(db)

/** What staff do with all of it, in their own names. */
async function work(world: World, { acme, issues, shifts: { own }, market }: SharedTruck): Promise<void> {
  const { call, db, people } = world
  const { token } = people.admin
  const done = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    expect(status, text).toBe(200)
  }
  const versionOf = async (table: 'truck_issue' | 'shift' | 'market' | 'pop_photo', uid: string) =>
    (await db.selectFrom(table).select('version').where('uid', '=', uid).executeTakeFirstOrThrow()).version
  for (const uid of issues.own) {
    await done(
      call(
        issueWork.assign,
        { body: { uid, version: await versionOf('truck_issue', uid), assigneeUid: people.admin.uid } },
        { token },
      ),
    )
    await done(
      call(issueWork.comment, { params: { uid }, body: { text: 'Zyx comment', photoFileUids: [] } }, { token }),
    )
    const status = uid === issues.own[0] ? ('inProgress' as const) : ('resolved' as const)
    const body = { uid, version: await versionOf('truck_issue', uid), status, note: 'Zyx note' }
    await done(call(fleet.resolve, { body }, { token }))
  }
  const [shiftUid = ''] = own
  const times = { startedAt: ago(200), stoppedAt: null, reason: 'Zyx reason' }
  await done(
    call(shifts.correctTimes, { body: { uid: shiftUid, version: await versionOf('shift', shiftUid), ...times } }),
  )
  const saved = (await call(markets.get, { params: { uid: market.uid } })).body.data
  const { updatedAt: _, ...kept } = saved
  await done(call(markets.update, { body: { ...kept, name: 'Dallas 2' } }))
  await sql`update artwork_set set name = name || ' 2', approved_by = ${people.sales.uid}, approved_at = now(),
                   changed_by = ${people.sales.uid} where uid = ${acme.art.uid}`.execute(db)
  await sql`update address_set set name = name || ' 2', changed_by = ${people.sales.uid} where uid = ${acme.setUid}`.execute(
    db,
  )
  await sql`update client set name = name || ' 2', changed_by = ${people.sales.uid} where uid = ${acme.clientUid}`.execute(
    db,
  )
  const program = (await call(programs.get, { params: { uid: acme.programUid } })).body.data
  await sql`update client_program set name = name || ' 2', changed_by = ${people.sales.uid} where uid = ${program.uid}`.execute(
    db,
  )
  await sql`update pop_photo set status = 'approved', changed_by = ${people.sales.uid}
             where program_uid = ${acme.programUid} and status = 'waiting' and caption = 'Acme photo'`.execute(db)
}

/** Everything that leaves: pages, links, mails and webhooks of Acme. */
async function share(world: World, { acme, photos }: SharedTruck, webhookUrl: string) {
  const { call, people, db } = world
  const { uid: programUid } = (await call(programs.get, { params: { uid: acme.programUid } })).body.data
  const body = { url: webhookUrl, events: [...clientWebhookEvents], clientUid: acme.clientUid }
  const webhook = await call(webhooks.create, { body })
  expect(webhook.status, webhook.text).toBe(200)
  const { version } = (await call(pops.get, { params: { uid: programUid } })).body.data
  // It has no pictures.
  await db.updateTable('pop_photo').set({ status: 'hidden' }).where('uid', 'in', photos.own).execute()
  const published = await call(
    pops.publish,
    { body: { uid: programUid, version, note: '' } },
    { token: people.sales.token },
  )
  expect(published.status, published.text).toBe(200)
  const link = await call(
    campaignLinks.create,
    { body: { programUid, label: 'For Acme' } },
    { token: people.sales.token },
  )
  expect(link.status, link.text).toBe(200)
  const { recipients } = (await call(campaignMails.get, { params: { uid: programUid } })).body.data
  const buyer = 'buyer@acme.example'
  const mails = {
    before: recipients,
    recipients: [{ email: buyer, occasions: ['weekly' as const, 'published' as const] }],
  }
  const reports = await call(campaignMails.save, { params: { uid: programUid }, body: mails })
  expect(reports.status, reports.text).toBe(200)
  const proposals = await openProposals(world)
  const draft = await proposals.addDraft({ clientUid: acme.clientUid, name: 'Acme draft' })
  await proposals.dress(draft.uid)
  const proposal = await proposals.sent(draft.uid)
  const { pop_url: popUrl } = await db
    .selectFrom('client_program')
    .select('pop_url')
    .where('uid', '=', programUid)
    .executeTakeFirstOrThrow()
  return {
    app: proposals.app,
    popUrl,
    linkToken: link.body.data.url.split('/c/')[1] ?? '',
    proposalToken: proposal.token,
    buyer,
  }
}

/**
 * Lets drivers, devices and staff do everything that leaves their ids in Acme's records, and shares those records in every
 * way there is.
 */
export async function leaveTraces(world: World, shared: SharedTruck, webhookUrl: string) {
  const { db } = world
  await nameEveryone(world)
  await drive(world, shared)
  const raised = await db
    .selectFrom('truck_issue')
    .select('uid')
    .where('shift_uid', 'in', shared.shifts.own)
    .where('uid', 'not in', shared.issues.own)
    .execute()
  expect(raised).toHaveLength(3)
  shared.issues.own.push(...raised.map(({ uid }) => uid))
  await leaveOldHistory(world, shared)
  await work(world, shared)
  return share(world, shared, webhookUrl)
}
