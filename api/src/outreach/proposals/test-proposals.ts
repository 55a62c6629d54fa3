import { addDays, addresses, artworkSets, localDay, programs, salesProposals } from '@roadshow/contract'
import { writePages } from '@roadshow/test-kit/pages'
import type { World } from '@roadshow/test-kit/world'
import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { buildApp } from '../../app.ts'
import { connect } from '../../platform/db/connection.ts'
import { uploadHelpers } from '../../platform/files/test-uploads.ts'

const env = {
  brandName: 'Roadshow',
  publicUrl: 'http://localhost:3000',
  contactEmail: 'sales@example.com',
  logLevel: 'silent',
  trustProxy: 0,
  checkReplies: true,
}

/** Two nodes that serve pages, and a client that reads and accepts proposals there. */
export async function openProposals(world: World) {
  const { db, call, people } = world
  const { pages, removePages } = await writePages()
  const mailer = { send: async () => undefined }
  const app = await buildApp({ db, pages, blobs: world.app.blobs, mailer, env })
  const second = connect(world.url)
  const otherNode = await buildApp({ db: second.db, pages, blobs: world.app.blobs, mailer, env })
  afterAll(async () => {
    await app.close()
    await otherNode.close()
    await second.close()
    await removePages()
  })
  const files = uploadHelpers(world)
  const today = localDay('America/Chicago')
  const dallas = await world.addMarket('Dallas')
  const days = { startsOn: addDays(today, 10), endsOn: addDays(today, 40) }

  let count = 0
  /** A draft with booked lines, of a client of its own. */
  async function addDraft(given: Partial<Parameters<World['addProgram']>[0]> = {}) {
    const name = given.name ?? `Draft ${++count}`
    const { uid: clientUid } = await world.addClient(`${name} Inc`)
    const line = { marketUid: dallas.uid, unit: 'hours' as const, amount: 100, ...days, priceCents: 1_250_000 }
    const program = { name, clientUid, status: 'draft' as const, note: 'Internal: ask for more', ...days }
    return world.addProgram({ ...program, markets: [{ marketUid: dallas.uid }], bookedLines: [line], ...given })
  }

  const picture = (background: string) =>
    sharp({ create: { width: 640, height: 320, channels: 3, background } })
      .png()
      .toBuffer()

  /** Artwork on the driver side, and two places. */
  async function dress(programUid: string) {
    const content = await picture('#c00')
    const { uid } = await files.stored(content, { name: 'secret-file-name.png', width: 640, height: 320 })
    const set = { programUid, name: 'Red set', driverSideArtworkUid: uid, note: 'Internal artwork note' }
    const made = await call(artworkSets.create, { body: set })
    expect(made.status, made.text).toBe(200)
    const place = { radiusM: 500, locatedBy: 'given' as const, longitude: -96.8 }
    const body = {
      programUid,
      name: 'Shops',
      note: 'Internal address note',
      addresses: [
        { ...place, label: 'Main Street', address: '1 Main St, Dallas', latitude: 32.78 },
        { ...place, label: 'Elm Street', address: '2 Elm St, Dallas', latitude: 32.8 },
      ],
    }
    const placed = await call(addresses.create, { body })
    expect(placed.status, placed.text).toBe(200)
  }

  const send = (uid: string, given: object = {}, token = people.sales.token) =>
    call(
      salesProposals.create,
      {
        params: { uid },
        body: { title: 'Summer offer', introduction: '', validUntil: addDays(today, 30), ...given },
      },
      { token },
    )

  /** Sends a proposal: its path, its token and its uid. */
  async function sent(uid: string, given: object = {}) {
    const { status, body, text } = await send(uid, given)
    expect(status, text).toBe(200)
    const { url, proposal } = body.data
    const token = url.split('/o/')[1] ?? ''
    return { url, proposal, token, path: `/o/${token}` }
  }

  const listOf = async (uid: string) => (await call(salesProposals.list, { params: { uid } })).body.data

  const accept = (url: string, form: Record<string, string>, node = app) =>
    node.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })

  /** Changes a program as staff do. */
  async function change(uid: string, given: object) {
    const { client, markets, bookedLines, ...program } = (await call(programs.get, { params: { uid } })).body.data
    const { createdAt: _, updatedAt: __, ...kept } = program
    const body = {
      ...kept,
      clientUid: client.uid,
      markets: markets.map((market) => ({ marketUid: market.uid })),
      bookedLines: bookedLines.map(({ market, uid: ___, ...line }) => ({ ...line, marketUid: market.uid })),
      ...given,
    }
    const saved = await call(programs.update, { body })
    expect(saved.status, saved.text).toBe(200)
  }

  return { app, otherNode, dallas, today, days, addDraft, dress, send, sent, listOf, accept, change }
}
