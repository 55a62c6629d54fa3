import * as z from './platform/zod.ts'
import { artworkInput, artworkSet } from './catalog/artwork.ts'
import { day, one, page, uid, version } from './platform/common.ts'
import { FILLED_MONDAY, FILLED_TODAY } from './platform/constants.ts'
import { dependentsEndpoint, restoreEndpoint } from './platform/deletion.ts'
import { endpoint } from './platform/endpoint.ts'
import { fileRef } from './platform/files.ts'
import { fleet, overviewShift } from './live/fleet.ts'
import { pop, popPhoto, pops } from './proof/pop.ts'
import { program, programInput, programs } from './catalog/programs.ts'
import { sdReport } from './proof/sd-report.ts'
import { shift, shiftDetails } from './planning/shift-schemas.ts'
import { shiftUpload } from './planning/shift-upload.ts'
import { shifts } from './planning/shifts.ts'

/**
 * The OLD calls: the records of the new ones in the flat rows of the classic screens. Queries and bodies are those of the
 * new calls wherever nothing is flattened in them, so that both take and refuse the same.
 */

/** Driver, truck, program and market of a shift: names beside uids, instead of nested records. */
const parties = {
  truckUid: uid,
  truckNumber: z.string(),
  /** Null for clients, who never see drivers. */
  driverUid: uid.nullable(),
  driverName: z.string().nullable(),
  programUid: uid,
  programName: z.string(),
  clientUid: uid,
  clientName: z.string(),
  marketUid: uid,
  marketName: z.string(),
}
const nested = { truck: true, driver: true, program: true, client: true, market: true } as const

const oldOverviewShift = overviewShift.omit(nested).extend(parties)
export type OldOverviewShift = z.infer<typeof oldOverviewShift>

/** A photo as a plain table shows it. */
const overviewPhoto = popPhoto
  .omit({ program: true, market: true, truck: true, shift: true, takenBy: true, urls: true })
  .extend({
    programUid: uid,
    programName: z.string(),
    marketUid: uid.nullable(),
    marketName: z.string().nullable(),
    truckUid: uid.nullable(),
    truckNumber: z.string().nullable(),
    shiftUid: uid.nullable(),
    takenByUid: uid.nullable(),
    takenByName: z.string().nullable(),
    smallUrl: z.string(),
    mediumUrl: z.string(),
    largeUrl: z.string(),
  })
export type OldOverviewPhoto = z.infer<typeof overviewPhoto>

export const oldOverview = {
  shifts: endpoint({
    method: 'GET',
    path: 'old-overview/shifts',
    access: fleet.shifts.access,
    ownRows: 'hours',
    summary: 'The shifts of a day with their live state, as flat rows; today’s unless another day is asked for.',
    follows: ['shifts', 'fleet', 'photos'],
    atLeastEvery: 30,
    query: fleet.shifts.query,
    reply: page(oldOverviewShift),
  }),
  photos: endpoint({
    method: 'GET',
    path: 'old-overview/pop-photos',
    access: pops.newest.access,
    ownRows: 'hours',
    summary: 'The newest photos, as flat rows.',
    follows: ['photos', 'pops'],
    atLeastEvery: 30,
    query: pops.newest.query,
    reply: page(overviewPhoto),
  }),
}

const dailyShift = shift.omit({ ...nested, artworkSet: true, addressSet: true, stops: true }).extend({
  ...parties,
  artworkSetUid: uid.nullable(),
  artworkSetName: z.string().nullable(),
  addressSetUid: uid.nullable(),
  addressSetName: z.string().nullable(),
})
export type DailyShift = z.infer<typeof dailyShift>

/** What was planned beside what happened. Figures of the road are null without GPS data from the truck. */
const dailyDetails = dailyShift.extend({
  plannedMinutes: z.int(),
  actualMinutes: z.int().nullable(),
  lateMinutes: z.int().nullable(),
  plays: z.int(),
  playsVerified: z.int(),
  playsConflict: z.int(),
  metres: z.number().nullable(),
  metresSource: z.enum(['gps', 'odometer']).nullable(),
  estimatedMetres: z.number().nullable(),
  coverage: z.number().nullable(),
  issues: z.int(),
  openIssues: z.int(),
  reports: shiftDetails.shape.reports,
  photos: z.int(),
})
export type DailyDetails = z.infer<typeof dailyDetails>

const dailyQuery = shifts.list.query.omit({ from: true, to: true, uid: true }).extend({ date: day })

const viewDay = { module: 'dailySchedule', needs: 'view' } as const
const planDay = { module: 'dailySchedule', needs: 'edit', reach: 'all' } as const

export const dailySchedule = {
  list: endpoint({
    method: 'GET',
    path: 'daily-schedule/run',
    access: viewDay,
    ownRows: 'records',
    summary: 'The shifts of one day, as flat rows. A driver sees their own.',
    follows: ['shifts'],
    atLeastEvery: 30,
    query: dailyQuery,
    filledIn: { date: FILLED_TODAY },
    reply: page(dailyShift),
  }),
  details: endpoint({
    method: 'GET',
    path: 'daily-schedule/details/run',
    access: viewDay,
    ownRows: 'hours',
    summary: 'The shifts of one day with what was planned beside what happened, as flat rows.',
    follows: ['shifts'],
    query: dailyQuery,
    filledIn: { date: FILLED_TODAY },
    reply: page(dailyDetails),
  }),
  create: endpoint({
    method: 'POST',
    path: 'daily-schedule/',
    access: planDay,
    summary: 'Plans a shift. One that overlaps another of its truck or driver answers 409 and names it.',
    body: shifts.create.body,
    reply: one(dailyShift),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'daily-schedule/',
    access: planDay,
    summary: 'Changes a shift. An old version answers 409, as does an overlap.',
    body: shifts.update.body,
    reply: one(dailyShift),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: 'daily-schedule/{uid}',
    access: planDay,
    summary: 'Deletes a planned shift.',
    params: shifts.remove.params,
    query: shifts.remove.query,
    reply: shifts.remove.reply,
  }),
  dependents: dependentsEndpoint({ path: 'daily-schedule', access: planDay }),
  restore: restoreEndpoint({ path: 'daily-schedule', access: planDay }),
  upload: endpoint({
    ...shiftUpload.upload,
    path: 'daily-schedule/upload',
    access: planDay,
  }),
}

const { to: _to, ...weekQuery } = shifts.byDriver.query.shape

const driverWeek = z.strictObject({
  driverUid: uid.nullable(),
  driverName: z.string().nullable(),
  shifts: z.array(dailyShift),
})
export type DriverWeek = z.infer<typeof driverWeek>

export const userSchedule = {
  list: endpoint({
    method: 'GET',
    path: 'user-schedule/run',
    access: { module: 'userSchedule', needs: 'view' },
    ownRows: 'records',
    summary: 'Drivers with their shifts of the seven days from a day on. A driver sees only their own.',
    follows: ['shifts'],
    atLeastEvery: 30,
    query: z.strictObject(weekQuery),
    filledIn: { from: FILLED_MONDAY },
    reply: page(driverWeek),
  }),
}

/** A client program with its client and the first of its artwork sets, which is the one that was made first. */
const oldProgram = program.omit({ client: true }).extend({
  clientUid: uid,
  clientName: z.string(),
  artworkSetUid: uid.nullable(),
  artworkSetName: z.string().nullable(),
  artworkSetStatus: artworkSet.shape.status.nullable(),
  artworkSetNote: z.string().nullable(),
  artworkSetVersion: version.nullable(),
  driverSideArtwork: fileRef.nullable(),
  passengerSideArtwork: fileRef.nullable(),
  rearArtwork: fileRef.nullable(),
})
export type OldProgram = z.infer<typeof oldProgram>

const ofProgram = artworkInput.omit({ programUid: true })
/** Without it the artwork stays as it is. */
const artworkOfNew = ofProgram.optional()
const artworkOfSaved = ofProgram
  .extend({
    /** The first set as it was read; null where the program had none, and gets this one. */
    seen: z.strictObject({ uid, version }).nullable(),
  })
  .optional()

const oldProgramInput = programInput.safeExtend({ artwork: artworkOfNew })
export type OldProgramInput = z.input<typeof oldProgramInput>

const { program: _program, ...sdQuery } = sdReport.list.query.shape

const viewPrograms = { module: 'programByClient', needs: 'view' } as const
const editPrograms = { module: 'programByClient', needs: 'edit' } as const

export const oldPrograms = {
  list: endpoint({
    method: 'GET',
    path: 'programs/run',
    access: viewPrograms,
    ownRows: 'records',
    summary:
      'Client programs with client and first artwork set inlined. A user of role client sees their own client’s.',
    follows: ['programs'],
    query: programs.list.query,
    reply: page(oldProgram),
  }),
  create: endpoint({
    method: 'POST',
    path: 'programs/',
    access: editPrograms,
    summary: 'Adds a client program with its markets and, where artwork is given, its first set; both or neither.',
    body: oldProgramInput,
    reply: one(oldProgram),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'programs/',
    access: editPrograms,
    summary:
      'Changes a client program and, where artwork is given, its first set; both or neither. An old version of either answers 409.',
    body: programInput.safeExtend({ uid, version, artwork: artworkOfSaved }),
    reply: one(oldProgram),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: 'programs/{uid}',
    access: editPrograms,
    summary: 'Deletes a client program; its history is kept.',
    params: programs.remove.params,
    query: programs.remove.query,
    reply: programs.remove.reply,
  }),
  dependents: dependentsEndpoint({ path: 'programs', access: editPrograms }),
  restore: restoreEndpoint({ path: 'programs', access: editPrograms }),
  sdReport: endpoint({
    method: 'GET',
    path: 'programs/smart-directional-report/{programUid}',
    follows: [],
    fromReplica: true,
    access: viewPrograms,
    ownRows: 'hours',
    summary: 'What came of each SD address of a program in a market: approaches, plays, missed. Most plays first.',
    params: z.strictObject({ programUid: uid }),
    query: z.strictObject(sdQuery).refine(({ from, to }) => from <= to, {
      path: ['to'],
      message: 'Must not be before the first day.',
    }),
    filledIn: sdReport.list.filledIn,
    reply: sdReport.list.reply,
  }),
}

/** How many photos of each program an old list of POPs carries; `client-pop/photos/run` has them all. */
export const OLD_POP_PHOTOS = 24

/** The POP of a program, whose uid it has, with its markets, and its first photos as the new calls give them. */
const oldPop = pop.omit({ client: true, photos: true }).extend({
  clientUid: uid,
  clientName: z.string(),
  /** How many there are. */
  photoCount: z.int(),
  photos: z.array(popPhoto),
})
export type OldPop = z.infer<typeof oldPop>

export const oldPops = {
  list: endpoint({
    method: 'GET',
    path: 'pop/run',
    access: pops.list.access,
    ownRows: 'records',
    summary: `The POPs of programs with their text, their markets and the first ${OLD_POP_PHOTOS} photos of each.`,
    follows: ['pops', 'photos'],
    atLeastEvery: 30,
    query: pops.list.query,
    reply: page(oldPop),
  }),
  addPhotos: endpoint({
    ...pops.addPhotos,
    path: 'pop/',
  }),
  update: endpoint({
    method: 'PUT',
    path: 'pop/',
    access: pops.update.access,
    summary: pops.update.summary,
    body: pops.update.body,
    reply: one(oldPop),
  }),
  saveMarkets: endpoint({
    method: 'PUT',
    path: 'pop/pop-market',
    access: pops.saveMarkets.access,
    summary: pops.saveMarkets.summary,
    body: pops.saveMarkets.body,
    reply: one(oldPop),
  }),
  publish: endpoint({
    ...pops.publish,
    path: 'pop/program-pop',
  }),
  milesDriven: endpoint({
    ...pops.milesDriven,
    path: 'pop/miles-driven',
  }),
}

export const legacy = { oldOverview, dailySchedule, userSchedule, oldPrograms, oldPops }
