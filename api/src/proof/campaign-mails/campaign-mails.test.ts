import { createHash } from 'node:crypto'
import {
  campaignMails,
  DAY_MS,
  deliveredWords,
  type ReportMailing,
  type ProgramOccasion,
  type ReportOccasion,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { foreignFigures } from '@roadshow/test-kit/written-figures'
import { openWorld } from '@roadshow/test-kit/world'
import type { Mail } from '../../platform/mail/mailer.ts'
import { openPayload } from '../../platform/outbox/index.ts'
import { deliveriesOf } from '../delivery/index.ts'
import { textOfPdf } from '../pop/pdf/test-pdf-text.ts'
import { openPops } from '../pop/test-pop.ts'
import { checkReportMail, publishedHandler, sendDueReports } from './send.ts'
import { unsubscribeReportUrl } from './unsubscribe.ts'

const world = await openWorld()
const { db, call, app, people } = world
const { addPop, addShift, addPlays, addPhoto, addTruck, publish, austin } = await openPops(world)
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }

// Monday, 8 AM in every zone of the country.
const MONDAY = Date.parse('2026-07-06T20:00:00Z')
const { signal } = new AbortController()
const run = (now = MONDAY) =>
  sendDueReports({ db, env, now, timeUp: signal, log: (error) => expect.unreachable(String(error)) })

/** A program with two days in the week before, on which 30 and 12 plays were logged. */
async function addReported() {
  const pop = await addPop([austin], {
    startsOn: '2026-07-01',
    endsOn: '2026-07-19',
    bookedLines: [
      {
        marketUid: austin,
        unit: 'plays',
        amount: 1000,
        startsOn: '2026-07-01',
        endsOn: '2026-07-19',
        priceCents: 987_654,
      },
    ],
  })
  const [truck, driver] = [await addTruck(), await world.addUser('driver')]
  const add = async (date: string, plays: number) => {
    const given = { programUid: pop.uid, marketUid: austin, truckUid: truck.uid }
    const shiftUid = await addShift({ ...given, driverUid: driver.uid, date, start: '10:00', end: '18:00' })
    await addPlays({ ...given, shiftUid, hour: `${date}T12:00:00Z`, plays })
  }
  await add('2026-07-01', 30)
  await add('2026-07-03', 12)
  return { uid: pop.uid, pop, add }
}

type Recipients = { email: string; occasions: ReportOccasion[] }[]

const listOf = async (uid: string): Promise<Recipients> =>
  (await call(campaignMails.get, { params: { uid } })).body.data.recipients.map(({ email, occasions }) => ({
    email,
    occasions,
  }))
const saveFrom = (uid: string, before: Recipients, recipients: Recipients, token = people.admin.token) =>
  call(campaignMails.save, { params: { uid }, body: { before, recipients } }, { token })
const save = async (uid: string, recipients: Recipients, token = people.admin.token) =>
  saveFrom(uid, await listOf(uid), recipients, token)

/** Ends the reports of an address as the link in its mail does. */
async function unsubscribe(uid: string, email: string) {
  const row = await db
    .selectFrom('report_recipient')
    .select('uid')
    .where('program_uid', '=', uid)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = unsubscribeReportUrl(env.publicUrl, row.uid).replace(env.publicUrl, '')
  expect((await app.inject({ method: 'POST', url, headers, payload: 'on=0' })).statusCode).toBe(200)
}

async function mailsOf(programUid: string) {
  const { rows } = await sql<{ uid: string; kind: string; target: string; recipient: string; payload: Buffer }>`
    select m.uid, m.kind, m.target, m.recipient, m.payload from message m
      join report_recipient r on r.uid::text = m.target::text
     where r.program_uid = ${programUid} order by m.created_at, m.recipient`.execute(db)
  return rows.map(({ payload, ...row }) => ({ ...row, mail: openPayload(payload, row.uid) as Mail }))
}
const fileOf = (mail: Mail | undefined, ending: string) =>
  Buffer.from(mail?.attachments?.find(({ name }) => name.endsWith(ending))?.base64 ?? '', 'base64')

describe('the recipients of a program', () => {
  test('are chosen by staff and by the program’s own client, and seen by no other client', async () => {
    const { uid, pop } = await addReported()
    const { token } = await world.addUser('client', undefined, pop.client.uid)
    const saved = await save(uid, [{ email: 'Boss@example.com', occasions: ['weekly', 'end'] }], token)
    expect([saved.status, saved.body.data.recipients]).toEqual([
      200,
      [{ email: 'Boss@example.com', occasions: ['weekly', 'end'], unsubscribedAt: null }],
    ])
    expect((await save(uid, [{ email: 'boss@example.com', occasions: ['weekly'] }])).body.data.recipients).toHaveLength(
      1,
    )
    for (const [other, status] of [
      [people.client.token, 404],
      [people.driver.token, 403],
    ] as const) {
      expect((await save(uid, [], other)).status).toBe(status)
      expect((await call(campaignMails.get, { params: { uid } }, { token: other })).status).toBe(status)
      const preview = { params: { uid }, query: { occasion: 'weekly' as const } }
      expect((await call(campaignMails.preview, preview, { token: other })).status).toBe(status)
    }
  })

  test('are refused with a reason at the field', async () => {
    const { uid } = await addReported()
    const bad = await save(uid, [{ email: 'nobody', occasions: [] }])
    expect([bad.status, bad.error.fields]).toEqual([
      400,
      {
        'recipients.0.email': 'Not a valid email address.',
        'recipients.0.occasions': 'Choose at least one occasion.',
      },
    ])
    const twice = { email: 'a@example.com', occasions: ['weekly' as const] }
    expect((await save(uid, [twice, { ...twice, email: 'A@example.com' }])).error.fields).toEqual({
      recipients: 'Name each address once.',
    })
    expect((await call(campaignMails.save, { params: { uid }, body: { recipients: [] } as never })).status).toBe(400)
  })

  test('are not replaced from a list that someone else changed since, and a save that is sent again is no conflict', async () => {
    const { uid } = await addReported()
    const [x, y, z] = ['x', 'y', 'z'].map((name) => ({
      email: `${name}@example.com`,
      occasions: ['weekly' as const, 'end' as const],
    })) as [Recipients[number], Recipients[number], Recipients[number]]
    await save(uid, [z])
    expect((await saveFrom(uid, [z], [x, z])).status).toBe(200)
    const late = await saveFrom(uid, [z], [y, z])
    expect([late.status, late.error.code]).toEqual([409, 'staleVersion'])
    expect(await listOf(uid)).toEqual([x, z])
    // Its answer was lost, so the form sends it from the list that it loaded.
    expect((await saveFrom(uid, [z], [x, z])).status).toBe(200)
    // Neither the order of addresses and occasions nor their case is a change.
    const shuffled = [z, { email: 'X@example.com', occasions: ['end' as const, 'weekly' as const] }]
    expect((await saveFrom(uid, shuffled, [x, y])).status).toBe(200)
    expect((await saveFrom(uid, [x, { ...y, occasions: ['end'] }], [])).error.code).toBe('staleVersion')
    expect((await saveFrom(uid, [x, y, z], [])).error.code).toBe('staleVersion')
    const both = await Promise.all([saveFrom(uid, [x, y], [x]), saveFrom(uid, [x, y], [y])])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
  })

  test('stay unsubscribed when a list from before is saved', async () => {
    const { uid } = await addReported()
    const ann = { email: 'ann@example.com', occasions: ['weekly' as const] }
    const bob = { email: 'bob@example.com', occasions: ['weekly' as const] }
    await save(uid, [ann])
    await unsubscribe(uid, ann.email)
    const endedOf = ({ recipients }: ReportMailing) =>
      recipients.map((each) => [each.email, each.unsubscribedAt !== null])
    expect(endedOf((await saveFrom(uid, [ann], [ann, bob])).body.data)).toEqual([
      [ann.email, true],
      [bob.email, false],
    ])
    // Removed by one person: the list of another, who still has the address, does not bring it back.
    await save(uid, [bob])
    expect((await saveFrom(uid, [ann, bob], [ann])).error.code).toBe('staleVersion')
    expect(endedOf((await save(uid, [ann])).body.data)).toEqual([[ann.email, true]])
  })
})

describe('a weekly report', () => {
  let uid = ''
  let add: Awaited<ReturnType<typeof addReported>>['add']
  beforeAll(async () => {
    ;({ uid, add } = await addReported())
    await save(uid, [
      { email: 'ann@example.com', occasions: ['weekly'] },
      { email: 'bob@example.com', occasions: ['weekly', 'published'] },
      { email: 'cy@example.com', occasions: ['end'] },
    ])
  })

  test('goes once to each address that chose it, from several nodes at a time, and late data sends nothing', async () => {
    await Promise.all([run(), run(), run()])
    expect((await mailsOf(uid)).map(({ recipient }) => recipient)).toEqual(['ann@example.com', 'bob@example.com'])
    await add('2026-07-04', 99)
    await run(MONDAY + 3_600_000)
    expect(await mailsOf(uid)).toHaveLength(2)
    const { sent } = (await call(campaignMails.get, { params: { uid } })).body.data
    expect(sent).toMatchObject([{ occasion: 'weekly', period: '2026-06-29', recipients: 2 }])
  })

  test('has the numbers of the week and the files with their hash, and a link that ends it', async () => {
    const [{ mail } = { mail: undefined }] = await mailsOf(uid)
    expect(mail?.subject).toContain('Week of Jul 1, 2026 – Jul 5, 2026')
    expect(mail?.text).toContain('42 ad plays')
    expect(mail?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
    const csv = fileOf(mail, '.csv')
    expect(csv.toString()).toContain('2026-07-01,Austin,1,8')
    expect(csv.toString()).toContain('2026-07-03,Austin,1,8')
    expect(csv.toString()).not.toContain('2026-07-04')
    const hash = createHash('sha256').update(csv).digest('hex')
    expect(mail?.text).toContain(hash)
    expect(fileOf(mail, '.pdf').subarray(0, 5).toString()).toBe('%PDF-')
    expect(mail?.text).toContain(
      'Week of Jul 1, 2026 – Jul 5, 2026: No GPS data; 16 hours on the street, on 2 days; 42 ad plays',
    )
    expect(mail?.text).toContain('Booked in Austin: 42 of 1,000 plays through Jul 5, 2026: Behind')
    // Neither prices nor drivers leave by mail.
    const printed = textOfPdf(fileOf(mail, '.pdf')).join(' ')
    expect(printed).toContain('42 of 1,000 plays through Jul 5, 2026')
    expect(foreignFigures(printed)).toEqual([])
    for (const text of [mail?.text, mail?.html, csv.toString(), printed]) expect(text).not.toMatch(/98,?76|The driver/)
  })

  test('ends with one click, not by opening the link, and naming the address again does not begin it', async () => {
    const [{ mail, ...message } = { mail: undefined, uid: '', kind: '', target: '' }] = await mailsOf(uid)
    const link = /http\S+unsubscribe-report\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    const url = link.replace(env.publicUrl, '')
    const opened = await app.inject({ url })
    expect([opened.statusCode, opened.body.includes('You get reports of')]).toEqual([200, true])
    const sending = { ...message, channel: 'mail' } as unknown as Parameters<typeof checkReportMail>[1]
    expect(await checkReportMail(db, sending)).toBeUndefined()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const clicked = await app.inject({ method: 'POST', url, headers: form, payload: 'List-Unsubscribe=One-Click' })
    expect(clicked.body).toContain('You are unsubscribed')
    expect(await checkReportMail(db, sending)).toBe('The recipient unsubscribed or was removed.')
    await save(uid, [{ email: 'bob@example.com', occasions: ['weekly'] }])
    const again = await save(uid, [
      { email: 'ann@example.com', occasions: ['weekly'] },
      { email: 'bob@example.com', occasions: ['weekly'] },
    ])
    expect(again.body.data.recipients.find(({ email }) => email === 'ann@example.com')?.unsubscribedAt).not.toBeNull()
    await run(MONDAY + 7 * DAY_MS)
    const second = (await mailsOf(uid)).slice(2)
    expect(second.map(({ recipient }) => recipient)).toEqual(['bob@example.com'])
    expect(second[0]?.mail.text).toContain('No shifts took place.')
    expect((await app.inject({ url: '/unsubscribe-report?token=x.y' })).statusCode).toBe(404)
  })
})

test('the last report comes on the morning after the last day, with all days', async () => {
  const { uid } = await addReported()
  await save(uid, [{ email: 'end@example.com', occasions: ['end'] }])
  const after = Date.parse('2026-07-20T20:00:00Z')
  await run(after)
  await run(after + DAY_MS)
  const mails = await mailsOf(uid)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.mail.subject).toContain('Final report, Jul 1, 2026 – Jul 19, 2026')
  expect(mails[0]?.mail.text).toContain('42 ad plays')
  const lines = (await deliveriesOf(db, 'all', [uid], after)).get(uid)?.lines ?? []
  expect(lines).toHaveLength(1)
  for (const line of lines) expect(mails[0]?.mail.text).toContain(`Booked in Austin: ${deliveredWords(line)}`)
})

test('publishing mails the numbers and the hash of that version, once, and not if it is not the public one', async () => {
  const { uid } = await addReported()
  await addPhoto(uid, austin)
  await save(uid, [{ email: 'pub@example.com', occasions: ['published'] }])
  await publish(uid)
  const event = { uid: '', place: 1, at: new Date().toISOString(), type: 'pop.published', object: '', clientUid: null }
  const handle = (version: number) =>
    publishedHandler.handle(db, { ...event, data: { programUid: uid, version } }, { env })
  await handle(2)
  expect(await mailsOf(uid)).toEqual([])
  await handle(1)
  await handle(1)
  const mails = await mailsOf(uid)
  expect(mails).toHaveLength(1)
  const { sha256 } = await db
    .selectFrom('pop_version')
    .select('sha256')
    .where('program_uid', '=', uid)
    .executeTakeFirstOrThrow()
  expect(mails[0]?.mail.text).toContain(sha256)
  expect(mails[0]?.mail.subject).toContain('Version 1 of the proof of play')
  expect(mails[0]?.mail.text).toContain('42 ad plays')
})

test('a preview shows what would be sent and sends nothing', async () => {
  const { uid } = await addReported()
  await save(uid, [{ email: 'pre@example.com', occasions: ['end'] }])
  const { body } = await call(campaignMails.preview, { params: { uid }, query: { occasion: 'end' } })
  expect(body.data.text).toContain('42 ad plays')
  expect(body.data.files.map(({ name }) => name.split('.').at(-1))).toEqual(['pdf', 'csv'])
  expect(await mailsOf(uid)).toEqual([])
  await run(Date.parse('2026-07-20T20:00:00Z'))
  const [sent] = await mailsOf(uid)
  expect(sent?.mail.subject).toBe(body.data.subject)
})

describe('a report that is sent by hand', () => {
  const sendNow = (uid: string, occasion: ProgramOccasion, token = people.admin.token) =>
    call(campaignMails.send, { params: { uid }, body: { occasion } }, { token })

  test('reaches those who get it, once in ten minutes, and does not keep the due one back', async () => {
    const { uid, pop } = await addReported()
    await save(uid, [
      { email: 'all@example.com', occasions: ['weekly', 'end'] },
      { email: 'left@example.com', occasions: ['end'] },
      { email: 'weekly@example.com', occasions: ['weekly'] },
    ])
    await unsubscribe(uid, 'left@example.com')
    const { token } = await world.addUser('client', undefined, pop.client.uid)
    expect((await sendNow(uid, 'end', token)).body.data).toEqual({ recipients: 1 })
    expect((await sendNow(uid, 'end')).body.data).toEqual({ recipients: 0 })
    const mails = await mailsOf(uid)
    expect(mails.map(({ recipient }) => recipient)).toEqual(['all@example.com'])
    expect(fileOf(mails[0]?.mail, '.csv').toString()).toContain('2026-07-01')
    const { sent } = (await call(campaignMails.get, { params: { uid } })).body.data
    expect(sent).toMatchObject([{ occasion: 'end', period: '2026-07-19', isByHand: true, recipients: 1 }])
    await run(Date.parse('2026-07-20T20:00:00Z'))
    const after = (await call(campaignMails.get, { params: { uid } })).body.data.sent
    expect(
      after
        .filter(({ occasion }) => occasion === 'end')
        .map(({ isByHand }) => isByHand)
        .toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual([false, true])
  })

  test('is refused in words where there is nothing to send, and to those who may not see the program', async () => {
    const { uid } = await addReported()
    const refused = async (occasion: ProgramOccasion) => (await sendNow(uid, occasion)).error.fields
    expect(await refused('end')).toEqual({ occasion: 'No one gets this report. Add a recipient and save first.' })
    await save(uid, [{ email: 'all@example.com', occasions: ['weekly', 'end', 'published'] }])
    expect(await refused('published')).toEqual({ occasion: 'No version is published yet.' })
    for (const [other, status] of [
      [people.client.token, 404],
      [people.driver.token, 403],
    ] as const)
      expect((await sendNow(uid, 'end', other)).status).toBe(status)
    expect(await mailsOf(uid)).toEqual([])
  })
})
