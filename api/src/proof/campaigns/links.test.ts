import { addDays, API_BASE, auditLog, campaignLinks, DAY_MS, publicCampaign } from '@roadshow/contract'
import { writePages } from '@roadshow/test-kit/pages'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { DALLAS, fleetOf, northOf, zoneWhereItIs } from '../../live/players/test-fleet.ts'
import { connect } from '../../platform/db/connection.ts'
import { hashToken } from '../../platform/http/session.ts'
import { openPops } from '../pop/test-pop.ts'
import { hideCampaignToken } from './link-page/routes.ts'

const world = await openWorld()
const { db, call, people } = world
const fleet = fleetOf(world)
const pops = await openPops(world)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const now = Date.now()
const zone = zoneWhereItIs(12)
const today = zone.localTime(now).slice(0, 10)

const { pages, removePages } = await writePages()
const env = {
  brandName: 'Roadshow',
  publicUrl: 'http://localhost:3000',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
  allowIndexing: true,
}
const mailer = { send: async () => undefined }
const app = await buildApp({ db, pages, blobs: world.app.blobs, mailer, env })
// Another node has connections of its own.
const second = connect(world.url)
const otherNode = await buildApp({ db: second.db, pages, blobs: world.app.blobs, mailer, env })
afterAll(async () => {
  await app.close()
  await otherNode.close()
  await second.close()
  await removePages()
})

const market = await pops.addMarket('Link Dallas', [{ name: 'Secret yard', ...DALLAS, radiusM: 400 }])
await db.updateTable('market').set({ zone: zone.name }).where('uid', '=', market).execute()

async function addCampaign(name: string) {
  const client = await world.addClient(`${name} Inc`)
  const dates = { startsOn: addDays(today, -30), endsOn: addDays(today, 30) }
  return world.addProgram({ name, clientUid: client.uid, markets: [{ marketUid: market }], ...dates })
}

const acme = await addCampaign('Acme Tour')
const other = await addCampaign('Zyx Tour')

const create = async (given: object = {}, token = people.sales.token) =>
  call(campaignLinks.create, { body: { programUid: acme.uid, label: 'For the agency', ...given } }, { token })

/** A new link: its path, its token and its uid. */
async function addLink(given: object = {}) {
  const { url, link } = (await create(given)).body.data
  const token = url.split('/c/')[1] ?? ''
  return { path: `/c/${token}`, token, uid: link.uid, url, link }
}

const linksOf = async (uid = acme.uid) => (await call(campaignLinks.list, { params: { uid } })).body.data
const liveOf = (token: string) => call(publicCampaign.live, { params: { token } }, { token: '' })

describe('a link', () => {
  test('lasts 30 days and delays positions by 15 minutes unless it is said otherwise', async () => {
    const { link, url, token } = await addLink()
    expect(url).toBe(`http://localhost:3000/c/${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(link).toMatchObject({ label: 'For the agency', state: 'open', delayMinutes: 15, views: 0, endedAt: null })
    expect(Math.round((Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / DAY_MS)).toBe(30)
    const stored = await sql<{
      row: string
    }>`select l::text as row from campaign_link l where uid = ${link.uid}`.execute(db)
    expect(stored.rows[0]?.row).toContain(hashToken(token).toString('hex'))
    expect(stored.rows[0]?.row).not.toContain(token)
    expect(JSON.stringify(await linksOf())).not.toContain(token)
  })

  test('is refused beyond a year, for an unknown program, and with a delay that is none', async () => {
    const refused = async (given: object) => {
      const { status, error } = await create(given)
      return [status, Object.keys(error.fields ?? {})]
    }
    expect(await refused({ expiresInDays: 366 })).toEqual([400, ['expiresInDays']])
    expect(await refused({ expiresInDays: 0 })).toEqual([400, ['expiresInDays']])
    expect(await refused({ delayMinutes: 0 })).toEqual([400, ['delayMinutes']])
    expect(await refused({ programUid: people.admin.uid })).toEqual([400, ['programUid']])
  })

  test('is made, listed and revoked by staff with the module only', async () => {
    const { uid } = await addLink()
    const client = await world.addUser('client', ['pop'], acme.client.uid)
    const without = await world.addUser('sales', ['clients'])
    for (const { token } of [client, without, people.driver]) {
      expect((await create({}, token)).status).toBe(403)
      expect((await call(campaignLinks.list, { params: { uid: acme.uid } }, { token })).status).toBe(403)
      expect((await call(campaignLinks.end, { params: { uid } }, { token })).status).toBe(403)
    }
    expect((await call(campaignLinks.list, { params: { uid: people.admin.uid } })).status).toBe(404)
  })

  test('is only ever viewed and ended, and ends with its author', async () => {
    const { uid } = await addLink()
    const change = (set: object) => db.updateTable('campaign_link').set(set).where('uid', '=', uid).execute()
    await expect(change({ expires_at: new Date(now + 1e9) })).rejects.toThrow('only ever viewed and ended')
    await expect(change({ delay_minutes: 5 })).rejects.toThrow('only ever viewed and ended')
    await expect(change({ ended_at: new Date() })).rejects.toThrow('campaign_link_end_has_author')
    await call(campaignLinks.end, { params: { uid } })
    await expect(change({ ended_at: null, ended_by: null })).rejects.toThrow('only ever viewed and ended')
  })

  test('stands in the audit log without its address', async () => {
    const { uid, token } = await addLink({ label: 'Audited' })
    await call(campaignLinks.end, { params: { uid } })
    await call(campaignLinks.end, { params: { uid } })
    const log = await call(auditLog.list, {
      query: { kind: ['campaignLinkCreated', 'campaignLinkEnded'], search: 'Audited' },
    })
    expect(log.body.data.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['campaignLinkEnded', 'Acme Tour: Audited'],
      ['campaignLinkCreated', 'Acme Tour: Audited'],
    ])
    expect(log.text).not.toContain(token)
    expect(hideCampaignToken(`/c/${token}?x=1`)).toBe('/c/…?x=1')
    expect(hideCampaignToken(`${API_BASE}/shared-campaigns/${token}/live`)).toBe(`${API_BASE}/shared-campaigns/…/live`)
  })
})

describe('the page of a link', () => {
  const truckAt = async (programUid: string, number: string, from = now - 3 * HOUR) => {
    const truckUid = await fleet.addTruck({ number })
    const span = { from, to: now + 3 * HOUR, fixedZone: zone }
    const shift = await fleet.addShift({ truckUid, programUid, marketUid: market, ...span })
    return { truckUid, shift }
  }
  const minutesAgo = (minutes: number) => new Date(now - minutes * MINUTE).toISOString()

  test('counts its views, is never listed or stored, and says what the campaign did', async () => {
    const { path: url } = await addLink({ label: 'Counted' })
    const page = await app.inject({ url })
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(page.body).toContain('<title>Acme Tour · Acme Tour Inc · Roadshow</title>')
    expect(page.body).toContain('miles this week')
    // No shifts are no zeros.
    expect(page.body).toContain('no shifts this week yet')
    expect(page.body).not.toContain('0.0')
    await app.inject({ url })
    await app.inject({ url, method: 'HEAD' })
    expect((await linksOf()).find(({ label }) => label === 'Counted')).toMatchObject({
      views: 2,
      lastViewedAt: expect.any(String) as string,
    })
  })

  test('shows where trucks were a set time ago, not now, not near depots and not where the shift began', async () => {
    const program = await addCampaign('Delay Tour')
    const { token, path: url } = await addLink({ programUid: program.uid, delayMinutes: 30 })
    const { truckUid } = await truckAt(program.uid, 'PLATE-1')
    await fleet.addPosition(truckUid, minutesAgo(179), northOf(DALLAS, 900))
    await fleet.addPosition(truckUid, minutesAgo(40), northOf(DALLAS, 5000))
    await fleet.addPosition(truckUid, minutesAgo(10), northOf(DALLAS, 9000))
    const live = (await liveOf(token)).body.data
    expect(live.trucks).toMatchObject([{ market: 'Link Dallas', latitude: northOf(DALLAS, 5000).latitude }])
    expect(live.sentence).toContain('1 truck on the road in Link Dallas.')
    expect((await app.inject({ url })).body).toContain('<circle')
    // Near where the shift began, and near the yard.
    for (const meters of [1000, 300]) {
      await fleet.addPosition(truckUid, minutesAgo(35 - meters / 1000), northOf(DALLAS, meters))
      const hidden = (await liveOf(token)).body.data
      expect(hidden.trucks, String(meters)).toEqual([])
      expect(hidden.sentence).toContain('One position is not shown.')
    }
  })

  test('shows nothing of a truck outside the hours of the campaign’s shifts', async () => {
    const program = await addCampaign('Hours Tour')
    const { token } = await addLink({ programUid: program.uid })
    const { truckUid } = await truckAt(program.uid, 'PLATE-2', now - 10 * MINUTE)
    // On the road before the shift, which began less than the delay ago.
    await fleet.addPosition(truckUid, minutesAgo(20), northOf(DALLAS, 7000))
    await fleet.addPosition(truckUid, minutesAgo(5), northOf(DALLAS, 8000))
    expect((await liveOf(token)).body.data.trucks).toEqual([])
  })

  test('has no name of drivers, users, trucks, yards or other clients in any byte', async () => {
    const { token, path: url, uid } = await addLink({ label: 'Label for staff' })
    const own = await truckAt(acme.uid, 'PLATE-OWN')
    const foreign = await truckAt(other.uid, 'PLATE-ZYX')
    for (const { truckUid } of [own, foreign]) {
      await fleet.addPosition(truckUid, minutesAgo(30), northOf(DALLAS, 4000))
      await fleet.addPosition(truckUid, minutesAgo(20), northOf(DALLAS, 5000))
    }
    const photo = await pops.addPhoto(acme.uid, market, { caption: 'Downtown', taken_by: own.shift.driver.uid })
    const waiting = await pops.addPhoto(acme.uid, market, { status: 'waiting', caption: 'Not for the public' })
    const strange = await pops.addPhoto(other.uid, market, { caption: 'Of another client' })
    const bytes = [(await app.inject({ url })).body, (await liveOf(token)).text]
    expect(bytes[0]).toContain('Downtown')
    const words = ['PLATE-OWN', 'PLATE-ZYX', 'Secret yard', 'Zyx', 'The driver', 'The sales', 'The admin', 'priceCents']
    const texts = ['Label for staff', 'Not for the public', 'Of another client', waiting.key, strange.key]
    const uids = [own.truckUid, own.shift.uid, own.shift.driver.uid, acme.uid, acme.client.uid, other.uid, uid]
    const secrets = [...words, ...texts, ...uids, people.admin.uid]
    for (const text of bytes) for (const secret of secrets) expect(text).not.toContain(secret)
    const pictureOf = (key: string) =>
      call(publicCampaign.picture, { params: { token, key, size: 'small' } }, { token: '' })
    const shown = await pictureOf(photo.key)
    expect([shown.status, shown.headers['content-type'], shown.headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'private, max-age=600, immutable',
    ])
    for (const { key } of [waiting, strange]) expect((await pictureOf(key)).status).toBe(404)
  })
})

describe('a link that ended', () => {
  test('answers 404 at once on every node: page, figures and pictures', async () => {
    const { token, path: url, uid } = await addLink()
    const photo = await pops.addPhoto(acme.uid, market)
    const urls = [
      url,
      `${API_BASE}/shared-campaigns/${token}/live`,
      `${API_BASE}/shared-campaigns/${token}/pictures/${photo.key}/small`,
    ]
    const statuses = async () =>
      (await Promise.all([app, otherNode].flatMap((node) => urls.map((each) => node.inject({ url: each }))))).map(
        ({ statusCode }) => statusCode,
      )
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200])
    await call(campaignLinks.end, { params: { uid } })
    expect(await statuses()).toEqual([404, 404, 404, 404, 404, 404])
    const page = await otherNode.inject({ url })
    expect(page.body).toContain('This link has ended.')
    expect(page.body).not.toContain('Acme')
    expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'private, no-store' })
  })

  test('answers like one that never was: expired, of a deleted program, or unknown', async () => {
    const program = await addCampaign('Deleted Tour')
    const { path: deleted } = await addLink({ programUid: program.uid })
    await db.updateTable('client_program').set({ deleted_at: new Date() }).where('uid', '=', program.uid).execute()
    const expired = 'x'.repeat(43)
    await db
      .insertInto('campaign_link')
      .values({
        program_uid: acme.uid,
        token_hash: hashToken(expired),
        created_by: people.admin.uid,
        created_at: new Date(now - 2 * DAY_MS),
        expires_at: new Date(now - 1000),
      })
      .execute()
    expect((await linksOf()).map(({ state }) => state)).toContain('expired')
    const unknown = await app.inject({ url: '/c/unknown' })
    expect(unknown.statusCode).toBe(404)
    for (const url of [deleted, `/c/${expired}`, '/c/', `/c/${'🚚'.repeat(3)}`]) {
      const { statusCode, body } = await app.inject({ url: encodeURI(url) })
      expect([statusCode, body], url).toEqual([404, unknown.body])
    }
    expect((await liveOf(expired)).status).toBe(404)
  })
})
