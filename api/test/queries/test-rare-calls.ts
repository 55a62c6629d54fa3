import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { ImportKindName } from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'
import { apiModules } from '../../src/app.ts'
import { giveTrackers } from '../../src/catalog/trucks/trackers.ts'
import { changeSettings, currentSettings } from '../../src/catalog/settings/index.ts'
import { addBookedLines, addFormerLines } from '../../src/demo/add-booked-lines.ts'
import { letDriversAct } from '../../src/demo/driver-phones.ts'
import { loadPast } from '../../src/demo/past-shifts.ts'
import { actHandlers } from '../../src/live/driver-app/act-handlers.ts'
import { fixesAround, playVerifiers } from '../../src/live/evidence/facts.ts'
import { loadInspection } from '../../src/live/inspections/queries.ts'
import { driverData } from '../../src/live/players/manifest.ts'
import { countOldAddressPlays, withAddressHours } from '../../src/live/plays/address-hours.ts'
import { dismissFiles, noteUnrecorded, recordFiles } from '../../src/live/plays/archive/files.ts'
import { findArchived } from '../../src/live/plays/archive/read.ts'
import { findCorrected, readCorrected } from '../../src/live/plays/feed/corrections.ts'
import { readPlayFeed } from '../../src/live/plays/feed/index.ts'
import { nextInTurn } from '../../src/live/plays/grading-queue.ts'
import { playTotals } from '../../src/live/plays/totals.ts'
import { LiveFleetReader } from '../../src/live/fleet/live-trucks.ts'
import { keepPlaces, storePlaces } from '../../src/live/telemetry/last-resort.ts'
import { FILE_SOURCE, GEOTAB_SOURCE, PHONE_SOURCE } from '../../src/live/telemetry/minute-rules.ts'
import { storeTelemetry } from '../../src/live/telemetry/store.ts'
import { fleetOf } from '../../src/live/players/test-fleet.ts'
import { watchJobs } from '../../src/platform/watcher/index.ts'
import { loadTypicalShifts } from '../../src/proof/impressions/planned.ts'
import { finishImpressions } from '../../src/proof/impressions/shift-impressions.ts'
import { impressionsOfShift, loadProgramImpressions } from '../../src/proof/impressions/totals.ts'
import { loadTimeQuestions } from '../../src/live/shift-times/questions.ts'
import { trackAnswer } from '../../src/outreach/feeds/positions.ts'
import { notify } from '../../src/outreach/notifications/fan-out.ts'
import { announcePlays } from '../../src/outreach/webhooks/plays.ts'
import { saveRotation } from '../../src/planning/rotation/save.ts'
import { loadFormerPlans } from '../../src/planning/shifts/shift-of-event.ts'
import { insertShifts, moveToZone, restoreShifts, updateShifts } from '../../src/planning/shifts/bulk-write.ts'
import { loadSavedShifts } from '../../src/planning/shifts/upload/saved-shifts.ts'
import { addShortRestRemarks } from '../../src/planning/shifts/upload/short-rests.ts'
import { addTravelRemarks } from '../../src/planning/shifts/upload/travel-remarks.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { noteUnknown } from '../../src/live/trackers/queries.ts'
import { importCalls } from '../../src/platform/imports/test-import.ts'
import { schemaFiles } from '../../src/platform/db/schema-files.ts'
import type { Db } from '../../src/platform/db/connection.ts'
import type { Scope } from '../../src/platform/db/records/scope.ts'
import type { DB } from '../../src/platform/db/schema.ts'
import { noteFinished } from '../../src/platform/outbox/queue.ts'
import { loadLive } from '../../src/proof/campaigns/link-page/content.ts'
import { trucksAt } from '../../src/proof/campaigns/link-page/past-trucks.ts'
import { loadDeliveryFacts } from '../../src/proof/delivery/facts.ts'
import { findMakeUps } from '../../src/proof/delivery/make-up.ts'
import { deliveryWatch } from '../../src/proof/delivery/watch.ts'
import { counterWatch, fleetWatch } from '../../src/live/fleet/alerts.ts'
import { movePhoto } from '../../src/proof/photos/order.ts'
import { loadShift, loadShiftsAround } from '../../src/proof/photos/placing-facts.ts'
import { loadRecentRoutes } from '../../src/proof/pop/publication/route-lines.ts'
import { loadApproaches } from '../../src/proof/reports/approaches.ts'

type Rows = object[]

/** Runs nothing: it answers each statement with the next of some rows, then with none. */
class AnsweringDriver extends DummyDriver {
  readonly #answers: Rows[]

  constructor(answers: readonly Rows[]) {
    super()
    this.#answers = [...answers]
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const answers = this.#answers
    return {
      executeQuery: async <Row>() =>
        ({ rows: answers.shift() ?? [], numAffectedRows: 1n }) as unknown as QueryResult<Row>,
      // oxlint-disable-next-line require-yield -- no statement of these calls is read row by row
      async *streamQuery() {},
    }
  }
}

const answering = (answers: readonly Rows[]): Db =>
  new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new AnsweringDriver(answers),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })

const UID = '01900000-0000-7000-8000-000000000001'
const AT = '2026-11-18T12:00:00.000Z'
const DAY = '2026-11-18'
const NOW = Date.parse(AT)
const HOUR = 3_600_000
const signal = new AbortController().signal
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost' }
const actor = {
  uid: UID,
  name: '',
  email: '',
  role: 'admin',
  modules: [],
  clientUid: null,
  sessionUid: '',
  address: '',
}
const scope = { rows: 'all', actor } as Scope
const named = [{ uid: UID, name: 'A name' }]
const storesOf = (db: Db) => ({ db, parquet: undefined as never })

const shift = { uid: UID, driverUid: UID, truckUid: UID, date: DAY, start: '08:00', end: '16:00', status: 'planned' }
const play = {
  micros: NOW * 1000,
  device: UID,
  playId: 'a play',
  truck: UID,
  startedAt: AT,
  isComplete: true,
  play: {},
}
const rotationLine = { artworkSetUid: UID, share: 'weight' as const, amount: 1, from: null, to: null, weekdays: [1] }
const stay = {
  row: 1,
  truckUid: UID,
  driverUid: UID,
  marketUid: UID,
  startsAt: NOW,
  endsAt: NOW,
  savedUid: undefined,
}
const line = {
  uid: UID,
  unit: 'hours',
  amount: 5000,
  priceCents: null,
  market: { uid: UID, name: '', zone: 'UTC' },
  startsOn: '2026-01-01',
  endsOn: '2026-12-31',
}
const span = { key: UID, program: UID, market: UID, from: DAY, to: DAY, through: DAY }
const times = {
  uid: UID,
  truckUid: UID,
  status: 'completed',
  startsAt: NOW - 9 * HOUR,
  endsAt: NOW - HOUR,
  startedAt: NOW - 8 * HOUR,
  stoppedAt: NOW - 2 * HOUR,
  startsCountFrom: null,
  answers: [],
  heldByOthers: [],
  isStartCorrected: false,
  isStopCorrected: false,
  isPayLocked: false,
}
const visit = { uid: UID, shiftUid: UID, addressUid: UID, enteredAt: AT, since: AT, until: AT, hours: '{}' }
const running = {
  truckUid: UID,
  shiftUid: UID,
  hasScreen: true,
  startedAt: NOW - 5 * HOUR,
  market: {},
  position: null,
  positionAt: null,
  playedAt: null,
  playerSeenAt: null,
}

const watched = { subject: UID, since: 0, goneSince: null, isRaised: false }
/** The program and its line, and seven statements that find nothing more, before the issues of lines are read. */
const behind = [[{ uid: UID, client: named[0] }], [{ ...named[0], line }], [], [], [], [], [], [], []]

/** Calls that need a situation which is rare or long to make, with what their first statements would answer. */
const rareCalls: [call: (db: Db) => unknown, ...answers: Rows[]][] = [
  [(db) => addBookedLines(db, DAY)],
  [(db) => addFormerLines(db, DAY)],
  [(db) => letDriversAct(db, NOW)],
  [(db) => loadPast(db)],
  [
    (db) => {
      const act = { kind: 'answer', actId: UID, at: AT, shiftUid: UID, answer: 'declined', reason: '', seen: shift }
      return actHandlers.answer(db, { act, at: AT, shift: { ...shift, isOwn: true }, scope } as never)
    },
  ],
  [(db) => loadFormerPlans(db, shift)],
  [(db) => fixesAround(db, [{ truckUid: UID, at: NOW }])],
  [(db) => playVerifiers(db, [{ truckUid: UID, at: NOW }])],
  [(db) => loadInspection(db, scope, UID), named],
  [(db) => driverData(db, UID), named],
  [(db) => noteUnrecorded(db, ['a blob'])],
  [(db) => recordFiles(db, [{ day: DAY, market: UID, blob: 'a blob', rows: 1, checksum: '', bytes: 1 } as never])],
  [(db) => dismissFiles(db, [{ blob: 'a blob' } as never])],
  [
    (db) => findArchived(db, { program: [UID], search: 'T-1', fromHour: 5, clocks: [] }, { from: AT, until: AT }),
    [{ market: UID, day: DAY, blob: 'a blob' }],
    [{ market: UID, day: DAY }],
  ],
  [(db) => findCorrected(db, UID, [play])],
  [(db) => readCorrected(db, UID, [play])],
  [
    (db) =>
      readPlayFeed(storesOf(db), {
        program: UID,
        after: { ...play, at: '2026-11-01T00:00:00Z' },
        limit: 1,
        order: 'changes',
      } as never),
    [{ until: AT }],
    [{ since: '2026-11-15T00:00:00Z' }],
  ],
  [
    (db) => withAddressHours(storesOf(db), { program: [UID], address: UID }),
    [{ since: AT }],
    [{ from: AT, until: AT }],
  ],
  [(db) => countOldAddressPlays(db, { program: [UID], address: UID }), [{ since: AT }]],
  [(db) => nextInTurn(db, { kept: 0, now: NOW } as never), [], [], [{ next: DAY }], [{ day: DAY }]],
  [(db) => playTotals(db, 'all', { by: 'span', spans: [span] })],
  [(db) => loadTimeQuestions(db, [UID]), [times], [{ now: NOW }]],
  [(db) => new LiveFleetReader().readMovement(db, NOW)],
  [(db) => trackAnswer(db, scope, UID, { limit: 1 }), named, [], [{ truck: named[0], hours: '{}', from: AT, to: AT }]],
  [(db) => announcePlays.run({ db, now: NOW, timeUp: signal, blobs: {}, env } as never), [], named],
  [(db) => giveTrackers(db, UID, [{ truckUid: UID, sourceUid: UID, externalId: 'an id' }])],
  [
    (db) => saveRotation(db, scope, UID, { version: 1, lines: [rotationLine] }),
    ...Array.from({ length: 9 }, () => named),
  ],
  [(db) => insertShifts(db, scope, [{} as never])],
  [(db) => updateShifts(db, scope, [{} as never])],
  [(db) => moveToZone(db, scope, [{ uid: UID, zone: 'UTC', startsAt: NOW, endsAt: NOW }])],
  [(db) => restoreShifts(db, scope, { rows: [{}], removed: [UID] })],
  [(db) => loadSavedShifts(db, [{ values: { ...shift, marketUid: UID } } as never], { markets: new Map() } as never)],
  [(db) => addShortRestRemarks(db, [], [stay])],
  [(db) => addTravelRemarks(db, [], [stay])],
  [
    (db) =>
      noteFinished(db, [{ message: { uid: UID, attempts: 1 }, outcome: 'delivered', answer: '', ms: 1 } as never]),
  ],
  [(db) => loadLive(db, { programUid: UID } as never)],
  [(db) => trucksAt(db, UID, NOW, NOW), [{ truck: UID, market: '', zone: 'UTC', since: NOW - HOUR, until: NOW }]],
  [(db) => loadDeliveryFacts(db, [{ programUid: UID, line: line as never }], NOW)],
  [(db) => findMakeUps(db, NOW, signal), [{ uid: UID, lineUid: UID, programUid: UID }], [{ ...named[0], line }]],
  [(db) => deliveryWatch.look({ db, now: NOW, env }), ...behind, [], [{ key: `line.behind ${UID}` }]],
  [(db) => deliveryWatch.look({ db, now: NOW, env }), ...behind, [{ line_uid: UID }]],
  [
    (db) => counterWatch.look({ db, now: NOW, env }),
    [{ truckUid: UID, truck: 'T-1', from: 3, to: 100_000, all: 1 }],
    [watched],
    [{ truck_uid: UID }],
  ],
  [(db) => fleetWatch.look({ db, now: NOW, env }), [], [running], [watched], [], [{ key: `truck.noGps ${UID}` }]],
  [
    (db) => movePhoto(db, scope, { uid: UID, before: DAY }),
    [{ program: named[0], market: named[0], urls: { large: '' } }],
    [],
    [{ before: 1, after: 1 }],
  ],
  [(db) => loadShift(db, UID)],
  [(db) => loadShiftsAround(db, NOW, { programUid: UID, marketUid: UID, driverUid: UID })],
  [(db) => loadRecentRoutes(db, UID, { most: 1, overAt: new Date(NOW) })],
  [
    (db) =>
      loadApproaches(storesOf(db), scope, {
        page: 1,
        pageSize: 1,
        program: UID,
        market: UID,
        from: DAY,
        to: DAY,
      } as never),
    named,
    [{ zone: 'UTC', from: AT, until: AT }],
    [{ ...visit, truck: named[0], $total: 1 }],
  ],
]

/** Makes the rare calls without a server. A call that its answers do not satisfy fails after its statements. */
async function makeRareCalls(): Promise<void> {
  for (const [call, ...answers] of rareCalls)
    await Promise.resolve()
      .then(() => call(answering(answers)))
      .catch(() => {})
}

/** A tracker reports two fixes, a status and its odometer of a truck on a shift. */
async function storeTrackerData(world: World): Promise<void> {
  const { truckUid } = await fleetOf(world).addRunning()
  const truck = 'a tracker'
  await world.db.updateTable('truck').set({ geotab_device_id: truck }).where('uid', '=', truckUid).execute()
  const now = Date.now()
  const fixes = [9, 8].map((minutes) => {
    const place = { latitude: 32.78 - minutes / 1000, longitude: -96.8 }
    return { truck, at: now - minutes * 60_000, ...place, speedKmh: 30 }
  })
  const statuses = fixes.slice(1).map((fix) => ({ ...fix, heading: 90, isDriving: true }))
  const readings = [{ truck, at: now - 9 * 60_000, metres: 1000 }]
  const report = (from: string | undefined, to: string) =>
    storeTelemetry(world.db, { cursor: { entity: 'any', from, to }, now, fixes, statuses, readings })
  await report(undefined, '1')
  // The same again: a copy fails, and each position is compared with the stored one.
  await report('1', '2')
  await storeOtherSources(world, truckUid, now)
}

/** In one minute the phone speaks first, then a tracker, then the same one better, and at last MyGeotab. */
async function storeOtherSources({ db }: World, truckUid: string, now: number): Promise<void> {
  const { uid: tracker } = await db
    .insertInto('position_source')
    .values({ name: 'a tracker', kind: 'json', key_hash: Buffer.alloc(32), key_start: '' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const minute = Math.floor(now / 60_000) * 60_000
  const say = (source: string, second: number, accuracyM: number | null) => {
    const fix = {
      truck: truckUid,
      at: minute - 60_000 + second * 1000,
      latitude: 32.79,
      longitude: -96.8,
      speedKmh: 30,
    }
    return storeTelemetry(db, {
      source,
      areUids: true,
      now,
      fixes: [{ ...fix, accuracyM }],
      statuses: [],
      readings: [],
    })
  }
  const places = [{ truckUid, at: minute - 60_000, latitude: 32.79, longitude: -96.8 }]
  await keepPlaces(db, PHONE_SOURCE, places)
  await storePlaces(db, now + 24 * HOUR)
  await say(tracker, 1, 500)
  await say(GEOTAB_SOURCE, 2, null)
  await say(tracker, 3, null)
  await say(PHONE_SOURCE, 4, 5)
  await say(FILE_SOURCE, 5, null)
  await noteUnknown(db, { uid: tracker }, new Map([['unknown', 1]]))
}

/** Records come from files, others stand on them, and it is undone. */
async function importRecords(world: World): Promise<void> {
  const files: [ImportKindName, string][] = [
    ['markets', 'Market,ZIP\n"Houston, TX",77002'],
    ['clients', 'Client\nA client'],
    ['users', 'Name,Email,Role\nDana Reed,dana@example.com,driver'],
    ['pay-rates', 'Driver,Effective,Half day,8 hours,12 hours\ndana@example.com,1/1/2026,90,175,250'],
    ['trucks', 'Truck,Home market\nT-90,"Houston, TX"'],
    ['trucks', 'Truck,Note\nT-90,Back in May'],
    [
      'programs',
      'Program,Client,Starts,Ends,Market,Unit,Amount\nSummer,A client,6/1/2026,8/31/2026,"Houston, TX",truck-days,12',
    ],
  ]
  for (const [kind, file] of files) await importCalls(world, kind).both(file)
  for (const [kind] of files) {
    const [run] = await world.db.selectFrom('import_run').select('uid').where('kind', '=', kind).execute()
    await importCalls(world, kind).undo(run?.uid ?? null)
  }
}

/** Runs statements that calls and jobs of a day do not: those of rare situations, of the start, and of turned-on parts. */
export async function runRareStatements(world: World): Promise<void> {
  const { db } = world
  await makeRareCalls()
  await storeTrackerData(world)
  await importRecords(world)
  const notice = {
    kind: 'truckDark',
    key: 'a key',
    path: '/',
    object: 'truck',
    subject: 'Subject',
    text: 'Text',
  } as const
  await notify(db, { env }, notice)
  await schemaFiles(world.url)
  await migrate(world.url)
  const { version, values } = await currentSettings(db)
  const asAdmin = { ...scope, actor: { ...scope.actor, uid: world.people.admin.uid } }
  await changeSettings(db, asAdmin, version, { ...values, showImpressions: true })
  await finishImpressions(db, UID)
  await loadProgramImpressions(db, UID)
  await loadTypicalShifts(db, [UID])
  const [shift] = await db.selectFrom('shift').select('uid').where('deleted_at', 'is', null).limit(1).execute()
  await impressionsOfShift(db, asAdmin, shift?.uid ?? '')
  const context = { db, now: Date.now(), env, blobs: undefined as never, log: () => {}, signal }
  for (const job of watchJobs(apiModules.flatMap(({ watches = [] }) => watches))) await job.run(context as never)
}
