import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addDays, API_BASE, localDay, type UploadTarget } from '@roadshow/contract'
import { reportIssue, reportPlays } from './test-fleet.ts'
import { afternoonZone } from './test-player.ts'
import { addUser, callAs, dataOf, expect, png, unique } from './world.ts'

const HTML = '<img src=x onerror=ran()>'

/** Begins with Z, so that the first pages of lists stay as they are. */
const named = (word: string) => unique(`Zz${HTML}${word}`)

/** One hostile text for each thing that people name or describe. */
export const hostileTexts = () => ({
  client: named('client'),
  contact: named('contact'),
  clientNote: named('client note'),
  market: named('market'),
  depot: named('depot'),
  program: named('program'),
  programNote: named('program note'),
  pixelMap: named('pixel map'),
  pixelNote: named('pixel note'),
  // A truck's number has at most 20 characters.
  truck: `Z<p onclick=1>${randomUUID().slice(0, 5)}`,
  truckNote: named('truck note'),
  driver: named('driver'),
  reader: named('reader'),
  file: `${named('file')}.png`,
  artwork: named('artwork'),
  artworkNote: named('artwork note'),
  addresses: named('addresses'),
  // The name of a place is a cell of its own in files, where a program would take it for a formula.
  place: `=1+1${named('place')}`,
  street: named('street'),
  shiftNote: named('shift note'),
  stop: named('stop'),
  stopNote: named('stop note'),
  issue: named('issue'),
  issueNote: named('issue note'),
  issueComment: named('issue comment'),
  caption: named('caption'),
  photoFile: `${named('photo')}.png`,
  headline: named('headline'),
  popText: named('pop text'),
  popMarket: named('market headline'),
  popNote: named('version note'),
  adjustment: named('adjustment'),
  webError: named('web error'),
  apiKey: named('key'),
  webhook: named('webhook'),
  passkey: named('passkey'),
})
export type HostileTexts = ReturnType<typeof hostileTexts>

const CHICAGO = { latitude: 41.88, longitude: -87.63 }
// Its shift of today has begun and is not over.
const ZONE = afternoonZone()
export const TODAY = localDay(ZONE)

interface Row {
  uid: string
  version: number
}

const post = <T = Row>(page: Page, call: string, body: object) => dataOf<T>(callAs(page, 'POST', call, body))
const put = <T = Row>(page: Page, call: string, body: object) => dataOf<T>(callAs(page, 'PUT', call, body))

/** A file for a side of a truck, sent as the browser sends it. */
async function uploadArtwork(page: Page, name: string) {
  const { buffer } = png('side.png', 1280, 384, [90, 60, 60])
  const announced = { purpose: 'artwork', name, contentType: 'image/png', size: buffer.length }
  const target = await post<UploadTarget>(page, 'blob-storage/get-upload-sas', announced)
  const sent = await page.request.put(`${target.url}&offset=0`, { headers: target.headers, data: buffer })
  expect(sent.status()).toBe(200)
  return post<{ uid: string; sha256: string }>(page, 'blob-storage/complete', { fileUid: target.fileUid })
}

async function addCatalog(page: Page, text: HostileTexts) {
  const market = await post(page, 'markets/', {
    name: text.market,
    zone: ZONE,
    ...CHICAGO,
    radiusM: 50_000,
    depots: [{ name: text.depot, ...CHICAGO, radiusM: 500 }],
  })
  const client = await post(page, 'clients/', {
    name: text.client,
    contacts: [{ name: text.contact, title: text.contact }],
    note: text.clientNote,
  })
  const popUrl = unique('zz hostile')
  const program = await post(page, 'client-programs/', {
    clientUid: client.uid,
    name: text.program,
    popUrl,
    status: 'active',
    startsOn: addDays(TODAY, -10),
    endsOn: addDays(TODAY, 30),
    markets: [{ marketUid: market.uid }],
    bookedLines: [
      {
        marketUid: market.uid,
        unit: 'truckDays',
        amount: 40,
        startsOn: addDays(TODAY, -10),
        endsOn: addDays(TODAY, 30),
      },
    ],
    note: text.programNote,
  })
  const side = { y: 0, width: 640, height: 384 }
  const pixelMap = await post(page, 'pixel/', {
    name: text.pixelMap,
    note: text.pixelNote,
    width: 1920,
    height: 384,
    pitchUm: 5000,
    sides: { driverSide: { x: 0, ...side }, passengerSide: { x: 640, ...side }, rear: { x: 1280, ...side } },
  })
  const truck = await post(page, 'trucks/', {
    number: text.truck,
    kind: 'led',
    state: 'active',
    homeMarketUid: market.uid,
    pixelMapUid: pixelMap.uid,
    note: text.truckNote,
  })
  return { market, client, program, pixelMap, truck, popUrl }
}

async function addSets(page: Page, text: HostileTexts, { uid: programUid, version }: Row) {
  const file = await uploadArtwork(page, text.file)
  const artwork = await post<Row & { filesHash: string }>(page, 'artwork-sets/', {
    programUid,
    name: text.artwork,
    driverSideArtworkUid: file.uid,
    passengerSideArtworkUid: file.uid,
    rearArtworkUid: file.uid,
    note: text.artworkNote,
  })
  await post(page, 'artwork-sets/approve', {
    uid: artwork.uid,
    filesHash: artwork.filesHash,
    reason: 'Screens of any size show it.',
  })
  await put(page, `client-programs/${programUid}/rotation`, { lines: [{ artworkSetUid: artwork.uid }], version })
  const place = { label: text.place, address: text.street, ...CHICAGO, radiusM: 5000, locatedBy: 'given' }
  const addresses = await post<Row & { addresses: { uid: string }[] }>(page, 'gps-address-sets/', {
    programUid,
    name: text.addresses,
    addresses: [place],
  })
  return { file, artwork, addresses }
}

/** Two people who sign in: the driver of the shift, and someone at the client. */
async function addPeople(page: Page, text: HostileTexts, clientUid: string) {
  const add = async (name: string, fields: object) => {
    const { userUid, email } = await addUser(page, { ...fields, name })
    return { uid: userUid, email }
  }
  const payRates = [{ validFrom: '2019-01-01', payHalfDay: 12_000, payEightHours: 22_000, payTwelveHours: 33_000 }]
  const driver = await add(text.driver, {
    role: 'driver',
    modules: ['schedule', 'pop', 'payroll', 'userSchedule'],
    payRates,
  })
  const reader = await add(text.reader, { role: 'client', modules: ['clients', 'schedule', 'pop'], clientUid })
  return { driver, reader }
}

async function publishPop(page: Page, text: HostileTexts, programUid: string, marketUid: string) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? ''
  const answer = await page.request.post(`${API_BASE}/client-pop/`, {
    headers: { authorization: `Bearer ${token}` },
    multipart: {
      data: JSON.stringify({ programUid, marketUid, caption: text.caption, takenAt: new Date().toISOString() }),
      photos: png(text.photoFile, 900, 600, [200, 60, 60]),
    },
  })
  const { data } = (await answer.json()) as { data: { photo: Row }[] }
  const uids = data.map(({ photo }) => photo.uid)
  expect(uids).toHaveLength(1)
  await put(page, 'client-pop/photos/status', { uids, status: 'approved' })
  const get = () => dataOf<Row>(callAs(page, 'GET', `client-pop/${programUid}`))
  await put(page, 'client-pop/', {
    uid: programUid,
    version: (await get()).version,
    headline: text.headline,
    text: text.popText,
  })
  await put(page, 'client-pop/pop-market', {
    uid: programUid,
    version: (await get()).version,
    markets: [{ marketUid, headline: text.popMarket, text: text.popMarket }],
  })
  await post(page, 'client-pop/program-pop', {
    uid: programUid,
    version: (await get()).version,
    note: text.popNote,
  })
  return { photo: uids[0] ?? '' }
}

/** An endpoint that gets the issue, and what of it is found in the lists of messages. */
async function addWebhook(page: Page, text: HostileTexts) {
  const { webhook } = await post<{ webhook: Row }>(page, 'webhooks/', {
    url: 'https://hooks.example.com/in',
    description: text.webhook,
    events: ['issue.opened'],
  })
  const rowsOf = (call: string) => dataOf<Row[]>(callAs(page, 'GET', call))
  return async () => {
    const found = { webhook: webhook.uid, delivery: '', mail: '' }
    const look = async () => {
      const [mail] = await rowsOf(`messages/run?channel=mail&search=${encodeURIComponent(text.truck)}`)
      found.mail = mail?.uid ?? ''
      // Issues of other journeys reach it as well.
      for (const { uid } of await rowsOf(`webhook-deliveries/run?webhookUid=${webhook.uid}&pageSize=50`)) {
        const { body } = await dataOf<{ body: string }>(callAs(page, 'GET', `webhook-deliveries/${uid}`))
        if (body.includes(text.issue)) found.delivery = uid
      }
      return found.mail !== '' && found.delivery !== ''
    }
    await expect.poll(look, { timeout: 30_000 }).toBe(true)
    await dataOf(callAs(page, 'POST', `webhooks/${webhook.uid}/pause`))
    return found
  }
}

/** A business in which every name and text that people type is hostile. The page is signed in as an admin. */
export async function addHostileWorld(page: Page, text: HostileTexts) {
  const catalog = await addCatalog(page, text)
  const { market, client, program, truck } = catalog
  const { file, artwork, addresses } = await addSets(page, text, program)
  const people = await addPeople(page, text, client.uid)
  const shift = await post(page, 'program-schedule/', {
    truckUid: truck.uid,
    driverUid: people.driver.uid,
    programUid: program.uid,
    marketUid: market.uid,
    artworkSetUid: artwork.uid,
    addressSetUid: addresses.uid,
    date: TODAY,
    start: '00:00',
    end: '23:00',
    note: text.shiftNote,
    stops: [{ name: text.stop, note: text.stopNote, ...CHICAGO, radiusM: 400, from: '01:00', to: '22:00' }],
  })
  await page.goto('/pixel')
  const findMessages = await addWebhook(page, text)
  await reportIssue(page, truck.uid, { kind: 'screen', text: text.issue })
  const play = {
    playId: randomUUID(),
    sequence: 1,
    artworkSetUid: artwork.uid,
    sha256: file.sha256,
    side: 'rear' as const,
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    durationMs: 8000,
    place: CHICAGO,
    addressUid: addresses.addresses[0]?.uid ?? null,
  }
  const health = { at: new Date().toISOString(), gpsFix: true, appVersion: `1${HTML}` }
  await reportPlays(page, truck.uid, [play], health)
  const { photo } = await publishPop(page, text, program.uid, market.uid)
  const { data: issues } = (await (
    await callAs(page, 'GET', `overview/truck-issues?search=${encodeURIComponent(text.truck)}`)
  ).json()) as { data: Row[] }
  const issue = issues[0]
  if (!issue) throw new Error('The issue is open.')
  await put(page, 'issues/resolved-status', {
    uid: issue.uid,
    version: issue.version,
    status: 'inProgress',
    note: text.issueNote,
  })
  await post(page, `issues/${issue.uid}/comments`, { text: text.issueComment })
  await post(page, 'payroll/adjustments/', {
    driverUid: people.driver.uid,
    date: TODAY,
    cents: 1000,
    note: text.adjustment,
    shiftUid: shift.uid,
  })
  await post(page, 'web-log/', {
    errorOrigin: text.webError,
    error: { message: text.webError, stack: text.webError },
  })
  await post(page, 'api-keys/', {
    name: text.apiKey,
    modules: ['pop'],
    access: 'read',
    clientUid: client.uid,
    expiresInDays: 1,
  })
  const messages = await findMessages()
  return { ...catalog, ...people, artwork, addresses, shift, issue, photo, messages }
}
export type HostileWorld = Awaited<ReturnType<typeof addHostileWorld>>
