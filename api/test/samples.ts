import { createECDH } from 'node:crypto'
import {
  addresses,
  adLog,
  apiKeys,
  artworkSets,
  auth,
  campaignLinks,
  campaignMails,
  clientMails,
  clients,
  DAY_MS,
  defaultSettings,
  delivery,
  devices,
  driverApp,
  driverProfile,
  type Endpoint,
  files,
  fleet,
  impressions,
  imports,
  incidents,
  inspectionItems,
  inspections,
  issueWork,
  markets,
  notifications,
  payReview,
  payroll,
  pixel,
  pops,
  preferences,
  replays,
  rotations,
  programs,
  push,
  salesProposals,
  screenPairings,
  screens,
  secondFactors,
  sentPositions,
  services,
  settings,
  setup,
  outOfServices,
  shiftPlanChanges,
  shiftDrivers,
  shiftFill,
  shifts,
  shiftSuggestions,
  shiftTimes,
  shiftUpload,
  singleSignOn,
  trucks,
  users,
  webhooks,
  sources as trackerSources,
  trackFiles,
  truckTrackers,
  errorLog,
} from '@roadshow/contract'
import { endpointName, legacyBodies } from '../src/legacy/test-samples.ts'
import { softwarePasskey } from '@roadshow/test-kit/passkey'
import type { World } from '@roadshow/test-kit/world'

export { endpointName }

/** What calls cannot do without in their query, of records that are there. */
export async function neededQueries({
  addMarket,
  addProgram,
  call,
}: World): Promise<(endpoint: Endpoint) => Record<string, string>> {
  const market = await addMarket('A reported market')
  const program = await addProgram({ markets: [{ marketUid: market.uid }] })
  const body = { number: 'A reported truck', kind: 'led', state: 'active' } as const
  const truck = (await call(trucks.create, { body })).body.data
  const samples = {
    program: program.uid,
    market: market.uid,
    truck: truck.uid,
    address: program.uid,
    from: '2026-02-02',
    to: '2026-02-08',
    date: '2026-02-02',
    start: '08:00',
    end: '16:00',
    seller: '123',
    zone: 'America/Denver',
    impressionsPerPlay: '12',
    as: 'gpx',
  }
  const alsoNeeded: Record<string, Record<string, string>> = {
    // Without a market nothing is suggested.
    [shiftSuggestions.list.path]: { market: market.uid },
    // A truck or a shift.
    [replays.get.path]: { truck: truck.uid },
    [replays.track.path]: { truck: truck.uid },
  }
  return ({ query, path }) => {
    const isNeeded = ([name]: [string, string]) => query?.shape[name] && !query.shape[name].safeParse(undefined).success
    return { ...Object.fromEntries(Object.entries(samples).filter(isNeeded)), ...alsoNeeded[path] }
  }
}

const inspectionItem = {
  name: 'Ladder',
  nameEs: 'Escalera',
  position: 140,
  isActive: true,
  issueKind: 'other',
} as const

const NEW_PASSKEY = { challenge: 'x', rp: { id: 'localhost' }, user: { id: 'x' } }

/** A browser's subscription, as browsers write it. */
const browserSample = () => ({
  endpoint: 'https://push.example/a-browser',
  keys: {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: Buffer.alloc(16, 1).toString('base64url'),
  },
})

/** A body that each call takes, so that one thing at a time can be made wrong with it. */
export async function sampleBodies({
  addClient,
  addMarket,
  addProgram,
  call,
  db,
  people,
}: World): Promise<Record<string, Record<string, unknown>>> {
  const sides = {
    driverSide: { x: 0, y: 0, width: 10, height: 10 },
    passengerSide: { x: 10, y: 0, width: 10, height: 10 },
    rear: { x: 20, y: 0, width: 10, height: 10 },
  }
  const truckBody = { plate: '', vin: '', kind: 'led', state: 'active', homeMarketUid: null, note: '' } as const
  const dates = { status: 'draft' as const, startsOn: '2026-01-01', endsOn: '2026-12-31', markets: [], note: '' }
  const person = { name: 'A person', phone: '', role: 'driver', modules: ['pop'], clientUid: null, payRates: [] }
  const canvas = { width: 30, height: 10, pitchUm: 4000, sides, note: '' }

  const truck = (await call(trucks.create, { body: { ...truckBody, number: 'T-1' } })).body.data
  const client = await addClient('A client')
  const programBody = { ...dates, clientUid: client.uid, name: 'A program', popUrl: 'a-program' }
  const program = (await call(programs.create, { body: programBody })).body.data
  const market = await addMarket('A market')
  const ofProgram = { programUid: program.uid, note: '' }
  const art = (await call(artworkSets.create, { body: { ...ofProgram, name: 'A set' } })).body.data
  const incident = { title: 'A late upload', text: '', startsAt: '2026-07-01T12:00:00Z', endsAt: null }
  const outage = (await call(incidents.create, { body: incident })).body.data
  const ladder = (await call(inspectionItems.create, { body: inspectionItem })).body.data
  const places = (await call(addresses.create, { body: { ...ofProgram, name: 'Places' } })).body.data
  const map = (await call(pixel.create, { body: { ...canvas, name: 'A map' } })).body.data

  const { inputs } = (await call(impressions.methods, {})).body.data
  const running = await addProgram({ markets: [{ marketUid: market.uid }] })
  const shiftBody = {
    truckUid: truck.uid,
    driverUid: people.driver.uid,
    programUid: running.uid,
    marketUid: market.uid,
    date: '2026-02-01',
    start: '08:00',
    end: '16:00',
    note: '',
    artworkSetUid: null,
    addressSetUid: null,
    payOption: null,
    stops: [{ name: 'Stadium', latitude: 41.8623, longitude: -87.6167, radiusM: 402, from: '10:00', to: '12:00' }],
  }

  const bodies: [Endpoint, Record<string, unknown>][] = [
    [auth.authenticate, { email: 'nobody@example.com', password: 'x', clientType: 'web' }],
    [auth.forgotPasswordMail, { email: 'nobody@example.com' }],
    [auth.checkPasswordLink, { token: 'x' }],
    [auth.passwordReset, { token: 'x', password: 'a fresh password' }],
    [secondFactors.finishSignIn, { token: 'x', code: '123456' }],
    [secondFactors.challengeSecondStep, { token: 'x' }],
    [secondFactors.signInWithPasskey, { passkey: softwarePasskey().answer({ challenge: 'x', rpId: 'localhost' }) }],
    [secondFactors.prove, { password: 'x' }],
    [secondFactors.addPasskey, { name: 'A passkey', passkey: softwarePasskey().create(NEW_PASSKEY) }],
    [secondFactors.addCodeApp, { code: '123456' }],
    [singleSignOn.begin, { next: '/' }],
    [singleSignOn.finish, { callback: '?code=x&state=x' }],
    [singleSignOn.confirmByPassword, { password: 'x' }],
    [singleSignOn.confirmByMail, { token: 'x' }],
    [singleSignOn.backChannelLogout, { logout_token: 'x' }],
    [trucks.create, { ...truckBody, number: 'T-2' }],
    [trucks.update, { ...truckBody, number: 'T-1', uid: truck.uid, version: 1 }],
    [users.create, { ...person, photoFileUid: null, email: 'new@example.com' }],
    [users.update, { ...person, photoFileUid: null, email: 'old@example.com', userUid: people.driver.uid, version: 1 }],
    [users.sendInvitations, { userUids: [people.driver.uid] }],
    [users.invite, { clientUid: client.uid, name: 'A person', email: 'invited@example.com' }],
    [apiKeys.create, { name: 'A program', modules: ['pop'], access: 'read', clientUid: null, expiresInDays: 30 }],
    [errorLog.report, { errorOrigin: 'x', error: 'x', meta: {}, token: '' }],
    [clients.create, { name: 'Another client', logoFileUid: null, contacts: [], note: '' }],
    [clients.update, { name: 'A client', logoFileUid: null, contacts: [], note: '', uid: client.uid, version: 1 }],
    [programs.create, { ...programBody, name: 'Another', popUrl: 'another' }],
    [programs.update, { ...programBody, uid: program.uid, version: 1 }],
    [programs.copy, { uid: program.uid, name: 'A copy', popUrl: 'a-copy', startsOn: '2026-02-01' }],
    [markets.create, { name: 'Another market', state: 'TX', zone: 'America/Chicago' }],
    [markets.update, { name: 'A market', state: '', zone: 'America/Chicago', uid: market.uid, version: 1 }],
    [markets.changeZone, { zone: 'America/Denver', from: '2099-01-01', version: 1 }],
    [artworkSets.create, { ...ofProgram, name: 'Another set' }],
    [artworkSets.update, { ...ofProgram, name: 'A set', uid: art.uid, version: 1 }],
    [artworkSets.approve, { uid: art.uid, filesHash: 'a'.repeat(64) }],
    [artworkSets.withdraw, { uid: art.uid }],
    [rotations.save, { lines: [{ artworkSetUid: art.uid, from: '16:00', to: '22:00', weekdays: [5, 6] }], version: 1 }],
    [addresses.create, { ...ofProgram, name: 'More places', addresses: [] }],
    [addresses.update, { ...ofProgram, name: 'Places', addresses: [], uid: places.uid, version: 1 }],
    [addresses.checkImport, { programUid: program.uid }],
    [addresses.geocode, { addresses: ['75201'] }],
    [files.getUploadSas, { purpose: 'logo', name: 'a.png', contentType: 'image/png', size: 100 }],
    [files.deleteBlob, { fileUid: truck.uid }],
    [files.complete, { fileUid: truck.uid }],
    [settings.update, { ...defaultSettings, version: 1 }],
    [setup.passStep, { step: 'company' }],
    [setup.dismiss, { isDismissed: true }],
    [
      setup.emptyDemo,
      { confirm: 'no', name: 'An admin', email: 'admin@example.com', password: 'four unrelated words' },
    ],
    [impressions.addMethod, { basedOn: 2, note: 'A note', inputs, traffic: 'keep', trafficFile: '' }],
    [devices.create, { truckUid: truck.uid, kind: 'player', macAddress: 'AA:BB:CC:DD:EE:FF' }],
    [screens.command, { kind: 'showScreen', seconds: null }],
    [adLog.answerJump, { from: 1, to: 20_000, answer: 'set' }],
    [screenPairings.open, { macAddress: 'AA:BB:CC:DD:EE:FE' }],
    [screenPairings.collect, { secret: 'x'.repeat(43) }],
    [screenPairings.claim, { truckUid: truck.uid, code: 'ABCDEFGH' }],
    [devices.pair, { macAddress: 'AA:BB:CC:DD:EE:FF', code: 'ABCDEFGH' }],
    [driverProfile.update, { phone: '555-0100', language: 'es' }],
    [incidents.create, incident],
    [incidents.update, { ...incident, endsAt: '2026-07-01T13:00:00Z', uid: outage.uid, version: 1 }],
    [inspectionItems.create, { ...inspectionItem, name: 'Ladders' }],
    [inspectionItems.update, { ...inspectionItem, uid: ladder.uid, version: 1 }],
    [inspections.certify, { uid: truck.uid, itemUid: truck.uid, outcome: 'repaired' }],
    [pixel.create, { ...canvas, name: 'Another map' }],
    [pixel.update, { ...canvas, name: 'A map', uid: map.uid, version: 1 }],
  ]
  const issue = await db
    .insertInto('truck_issue')
    .values({ truck_uid: truck.uid, kind: 'other', raised_by: 'driver' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const size = { width: 4, height: 3, bytes: 10, sha256: 'b'.repeat(64) }
  const photo = await db
    .insertInto('pop_photo')
    .values({
      program_uid: running.uid,
      key: 'a'.repeat(32),
      original_name: 'a.jpg',
      original_sha256: 'a'.repeat(64),
      sizes: JSON.stringify({
        small: size,
        medium: size,
        large: size,
      }),
      blur: '',
      position: 1,
    })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const webhookBody = { url: 'https://partner.example/roadshow', description: '', events: ['pop.published' as const] }
  const endpoint = (await call(webhooks.create, { body: webhookBody })).body.data.webhook
  const validUntil = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10)
  const proposalBody = { title: 'Offer', introduction: 'Dear client', validUntil, showsPrices: true }
  const photoBody = { caption: '', status: 'waiting', marketUid: null, shiftUid: null }
  const planned = (await call(shifts.create, { body: shiftBody })).body.data
  const stretchBody = {
    truckUid: shiftBody.truckUid,
    from: '2031-02-03',
    startTime: '08:00',
    to: '2031-02-09',
  }
  const away = { ...stretchBody, from: '2031-03-03', to: '2031-03-09' }
  const stretch = (await call(outOfServices.create, { body: away })).body.data
  const week = { from: '2020-02-03', to: '2020-02-09', cents: 0 }
  const period = (await call(payroll.approve, { body: week })).body.data
  bodies.push(
    [shifts.create, { ...shiftBody, date: '2026-02-02' }],
    [shifts.update, { ...shiftBody, uid: planned.uid, version: 1 }],
    [shifts.move, { uid: planned.uid, version: 1, status: 'out', reason: '' }],
    [
      shifts.correctTimes,
      { uid: planned.uid, version: 1, startedAt: planned.startsAt, stoppedAt: null, reason: 'Forgot' },
    ],
    [shifts.clashes, { ...shiftBody, date: '2026-02-03' }],
    [shiftPlanChanges.apply, { act: { kind: 'delete', shifts: [{ uid: planned.uid, version: 1 }] }, save: false }],
    [shiftPlanChanges.undo, { uid: planned.uid }],
    [outOfServices.check, stretchBody],
    [
      outOfServices.create,
      { ...stretchBody, reason: 'Brakes', shifts: [{ uid: planned.uid, version: 1, toUid: null }] },
    ],
    [outOfServices.update, { ...stretchBody, uid: stretch.uid, version: 1, reason: '', shifts: [] }],
    [
      shiftFill.start,
      {
        programUid: running.uid,
        markets: [{ marketUid: market.uid, trucks: 1 }],
        from: '2026-02-01',
        to: '2026-02-01',
        weekdays: [7],
        start: '08:00',
        end: '16:00',
        relax: [],
      },
    ],
    [
      shiftFill.accept,
      {
        uid: planned.uid,
        shifts: [{ key: '1', truckUid: truck.uid, driverUid: people.driver.uid, start: '08:00', end: '16:00' }],
      },
    ],
    [shifts.copy, { from: '2026-02-01', to: '2026-02-01', onto: '2026-03-01', save: false }],
    [
      driverApp.acts,
      {
        sentAt: '2026-02-01T12:00:00Z',
        acts: [
          {
            kind: 'start',
            actId: 'c2a8f0a4-6a4e-4a57-9c55-0d6a3f9a2b11',
            at: '2026-02-01T12:00:00Z',
            shiftUid: planned.uid,
          },
        ],
      },
    ],
    [shiftDrivers.write, { text: 'Bring a jacket' }],
    [shiftDrivers.dismissTruckRequest, { requestUid: planned.uid }],
    [shiftTimes.answer, { time: 'start', about: planned.startsAt, seenAt: planned.startsAt, isCorrected: false }],
    [shiftUpload.upload, { save: false }],
    [imports.run, { kind: 'trucks', save: false }],
    [imports.undo, { kind: 'trucks', uid: truck.uid }],
    [payroll.override, { shiftUid: planned.uid, version: null, option: 'halfDay', note: 'Short' }],
    [
      payReview.decide,
      {
        from: '2026-02-01',
        to: '2026-02-07',
        shifts: [{ uid: planned.uid, version: null }],
        decision: 'pay',
        note: '',
      },
    ],
    [payroll.adjust, { driverUid: people.driver.uid, date: '2026-02-01', cents: 100, note: 'Tip', shiftUid: null }],
    [payroll.approve, { from: '2020-01-06', to: '2020-01-12', cents: 0 }],
    [payroll.move, { uid: period.uid, version: 1, state: 'locked', reason: '' }],
    [pops.update, { uid: running.uid, version: 1, headline: '', text: '', coverPhotoUid: null, shownUntil: null }],
    [pops.saveMarkets, { uid: running.uid, version: 1, markets: [{ marketUid: market.uid, headline: '', text: '' }] }],
    [pops.publish, { uid: running.uid, version: 1, note: '' }],
    [pops.withdraw, { uid: running.uid, version: 1, isShown: false }],
    [campaignMails.save, { before: [], recipients: [{ email: 'ann@example.com', occasions: ['weekly'] }] }],
    [campaignMails.send, { occasion: 'weekly' }],
    [clientMails.save, { before: [], recipients: [{ email: 'ann@example.com', occasions: ['monthly'] }] }],
    [clientMails.send, { month: '2026-01' }],
    [pops.setPassword, { uid: running.uid, version: 1, password: 'seven wet boots' }],
    [pops.addPhotos, { programUid: running.uid, caption: '' }],
    [pops.updatePhoto, { ...photoBody, uid: photo.uid, version: 1 }],
    [pops.setPhotoStatus, { uids: [photo.uid], status: 'approved' }],
    [pops.movePhoto, { uid: photo.uid, before: null }],
    [notifications.markRead, { uids: [issue.uid] }],
    [notifications.markAllRead, { until: '2026-02-01T12:00:00.000Z' }],
    [
      notifications.saveSettings,
      {
        zone: 'America/Chicago',
        quietHours: { from: '22:00', to: '06:00' },
        urgentPasses: true,
        digestAt: '08:00',
        choices: [],
      },
    ],
    [preferences.save, { clock: '24h', rowsPerPage: '25' }],
    [push.subscribe, browserSample()],
    [push.confirm, { endpoint: browserSample().endpoint }],
    [campaignLinks.create, { programUid: program.uid, label: 'For the agency', expiresInDays: 30, delayMinutes: 15 }],
    [salesProposals.create, proposalBody],
    [salesProposals.preview, proposalBody],
    [trackerSources.create, { name: 'Our Traccar', kind: 'traccar' }],
    [trackerSources.rename, { name: 'Our other Traccar' }],
    [
      truckTrackers.add,
      {
        sourceUid: (await call(trackerSources.create, { body: { name: 'Phones', kind: 'osmand' } })).body.data.source
          .uid,
        externalId: 'VAN-1',
      },
    ],
    [trackFiles.upload, { save: false }],
    [trackerSources.addPolled, { name: 'Samsara', kind: 'samsara', secret: 'samsara_api_x' }],
    [trackerSources.saveAccount, { server: 'api.samsara.com', secret: 'samsara_api_x' }],
    [services.testConnection, { key: 'storage' }],
    [sentPositions.send, { positions: [{ tracker: 'VAN-1', at: 1_790_000_000, latitude: 32.78, longitude: -96.8 }] }],
    [webhooks.create, { ...webhookBody, clientUid: client.uid }],
    [webhooks.update, { ...webhookBody, uid: endpoint.uid, version: 1 }],
    [webhooks.resume, { waiting: 'send' }],
    [webhooks.rotateSecret, { overlapHours: 24 }],
    [fleet.resolve, { uid: issue.uid, version: 1, status: 'resolved', note: '' }],
    [issueWork.raise, { truckUid: truck.uid, shiftUid: null, kind: 'other', text: 'A flat tire', photoFileUids: [] }],
    [issueWork.assign, { uid: issue.uid, version: 1, assigneeUid: people.sales.uid }],
    [issueWork.snooze, { uid: issue.uid, version: 1, until: new Date(Date.now() + 3_600_000).toISOString() }],
    [delivery.planShifts, { uid: issue.uid, keys: ['1'] }],
    [issueWork.comment, { text: 'The shop has it', photoFileUids: [] }],
  )
  const samples = Object.fromEntries(bodies.map(([endpoint, body]) => [endpointName(endpoint), body]))
  Object.assign(samples, legacyBodies(samples))
  return samples
}
