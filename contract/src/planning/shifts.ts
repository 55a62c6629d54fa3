import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  chosenInstant,
  listQuery,
  namedRef,
  NO_EXPORT,
  one,
  page,
  requiredLine,
  textLine,
  uid,
  version,
} from '../platform/common.ts'
import { FILLED_WEEK } from '../platform/constants.ts'
import { dependentsEndpoint, removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { concernsDays } from '../platform/follows.ts'
import { historyEndpoint } from '../platform/history.ts'
import { programStatus } from '../catalog/programs.ts'
import { truckStates } from '../catalog/trucks.ts'
import { withStopsInside } from './planned-stops.ts'
import {
  dayRange,
  driverShifts,
  inactiveProgramConsent,
  lateArrivals,
  MAX_BOARD_DAYS,
  MAX_COPY_DAYS,
  refusalGroup,
  shift,
  shiftBoard,
  shiftClash,
  shiftDetails,
  shiftFilterQuery,
  shiftInput,
  shiftTrack,
  withDifferentHours,
  withOrderedDays,
} from './shift-schemas.ts'
import { planAccess, viewShifts } from './shift-access.ts'
import { needsReason, shiftStatus } from './shift-status.ts'

export * from './driver-marks.ts'
export * from './planned-stops.ts'
export * from './shift-access.ts'
export * from './shift-schemas.ts'
export * from './shift-status.ts'

/** Planners choose trucks, drivers and programs by name, without access to their full lists. */
const options = listQuery(['name'], { uid: anyOf(uid).optional() }).omit(NO_EXPORT)

const view = viewShifts
const plan = planAccess
const drive = { module: ['schedule', 'clients'], needs: 'edit' } as const
// Planners on the old daily schedule choose from the same options.
const choose = { ...plan, module: [...plan.module, 'dailySchedule'] } as const

export const shifts = {
  list: endpoint({
    method: 'GET',
    path: 'program-schedule/run',
    access: view,
    ownRows: 'records',
    summary: 'Shifts, searched in truck, driver, program, client and note. A driver sees their own.',
    follows: ['shifts'],
    concerns: concernsDays,
    atLeastEvery: 120,
    query: listQuery(['startsAt', 'localStart', 'status', 'updatedAt'], {
      ...shiftFilterQuery,
      from: day.optional(),
      to: day.optional(),
      uid: anyOf(uid).optional(),
    }),
    reply: page(shift),
  }),
  details: endpoint({
    method: 'GET',
    path: 'program-schedule/details/run',
    access: view,
    ownRows: 'hours',
    summary: 'Shifts with planned and actual figures.',
    follows: ['shifts'],
    concerns: concernsDays,
    atLeastEvery: 120,
    query: listQuery(['startsAt', 'localStart', 'status', 'updatedAt'], {
      ...shiftFilterQuery,
      from: day.optional(),
      to: day.optional(),
      uid: anyOf(uid).optional(),
    }),
    reply: page(shiftDetails),
  }),
  workTotals: endpoint({
    method: 'GET',
    path: 'program-schedule/details/totals',
    access: view,
    ownRows: 'hours',
    summary: 'Miles, hours and days of the shifts that took place, of those that a list with these filters shows.',
    follows: ['shifts'],
    concerns: concernsDays,
    atLeastEvery: 120,
    added: true,
    query: z.strictObject({ ...shiftFilterQuery, from: day.optional(), to: day.optional() }),
    reply: one(
      z.strictObject({
        shifts: z.int(),
        metres: z.number(),
        seconds: z.int(),
        days: z.int(),
        shiftsWithoutGps: z.int(),
      }),
    ),
  }),
  byDriver: endpoint({
    method: 'GET',
    path: 'program-user-schedule/run',
    access: view,
    ownRows: 'records',
    summary: 'Drivers with their shifts between two days, this week’s by default. A driver sees only their own.',
    follows: ['shifts', 'outOfService'],
    concerns: concernsDays,
    atLeastEvery: 120,
    query: withOrderedDays(
      z.strictObject({
        ...dayRange,
        page: listQuery(['name'], {}).shape.page,
        pageSize: listQuery(['name'], {}).shape.pageSize,
        search: textLine(200).optional(),
        market: shiftFilterQuery.market,
        program: shiftFilterQuery.program,
        driver: shiftFilterQuery.driver,
      }),
      MAX_BOARD_DAYS,
    ),
    filledIn: FILLED_WEEK,
    reply: page(driverShifts),
  }),
  get: endpoint({
    method: 'GET',
    path: 'program-schedule/{uid}',
    access: view,
    ownRows: 'records',
    summary: 'One shift.',
    follows: ['shifts'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(shift),
  }),
  track: endpoint({
    method: 'GET',
    path: 'program-schedule/{uid}/track',
    // It begins before the shift, where the truck may have been on another client's.
    access: { ...view, reach: 'all' },
    summary:
      'The positions, odometer readings and hours of a shift, complete, from which its miles, hours and impressions can be computed again.',
    follows: ['shifts'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(shiftTrack),
  }),
  board: endpoint({
    method: 'GET',
    path: 'program-schedule/board',
    access: { ...view },
    ownRows: 'records',
    summary:
      'Every shift between two local days in short, with the trucks, drivers, programs and markets of the plan. Filters mark the shifts and trucks that they find and hide none.',
    follows: ['shifts', 'outOfService'],
    concerns: concernsDays,
    atLeastEvery: 120,
    added: true,
    query: withOrderedDays(z.strictObject({ ...dayRange, ...shiftFilterQuery }), MAX_BOARD_DAYS),
    filledIn: FILLED_WEEK,
    reply: one(shiftBoard),
  }),
  create: endpoint({
    method: 'POST',
    path: 'program-schedule/',
    access: plan,
    summary:
      'Plans a shift. One that overlaps another of its truck or driver answers 409 and names it. A shift of a draft or paused program needs `allowInactiveProgram`; one of a completed program is refused.',
    body: withStopsInside(withDifferentHours(shiftInput.extend(inactiveProgramConsent))),
    reply: one(shift),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'program-schedule/',
    access: plan,
    summary:
      'Changes a shift. An old version answers 409, as does an overlap. Without a list of stops, the shift keeps its planned stops.',
    body: withStopsInside(withDifferentHours(shiftInput.extend({ uid, version, ...inactiveProgramConsent }))),
    reply: one(shift),
  }),
  remove: removeEndpoint({ path: 'program-schedule', access: plan, summary: 'Deletes a planned shift.' }),
  dependents: dependentsEndpoint({ path: 'program-schedule', access: plan }),
  restore: restoreEndpoint({ path: 'program-schedule', access: plan }),
  move: endpoint({
    method: 'PUT',
    path: 'program-schedule/status',
    access: drive,
    ownRows: 'records',
    summary:
      'Starts, completes, cancels or reopens a shift. A shift starts from 2 hours before its planned start. Drivers start and complete their own; staff who complete a shift that never started give a reason.',
    added: true,
    body: z
      .strictObject({
        uid,
        version,
        status: shiftStatus,
        reason: textLine(300).prefault(''),
        ...inactiveProgramConsent,
      })
      .refine(({ status, reason }) => !needsReason(status) || reason !== '', {
        path: ['reason'],
        error: 'Enter a reason.',
      }),
    reply: one(shift),
  }),
  correctTimes: endpoint({
    method: 'PUT',
    path: 'program-schedule/times',
    access: plan,
    summary:
      'Corrects the actual start and end of a shift, with a reason that the history keeps. Reports of the driver no longer change corrected times. Without an end the shift is out.',
    added: true,
    body: z.strictObject({
      uid,
      version,
      startedAt: chosenInstant,
      stoppedAt: chosenInstant.nullable().prefault(null),
      reason: requiredLine(300),
    }),
    reply: one(shift),
  }),
  clashes: endpoint({
    method: 'POST',
    path: 'program-schedule/clashes',
    access: plan,
    summary: 'Checks whether a shift can be saved: its problems and the shifts it overlaps. Saves nothing.',
    added: true,
    repeatable: true,
    body: withDifferentHours(shiftInput.extend({ uid: uid.optional() })),
    reply: one(
      z.strictObject({
        problems: z.record(z.string(), z.string()),
        clashes: z.array(shiftClash),
        shortRestHours: z.number().nullable(),
        /** Sentences about ways to and from other shifts for which the time is too short. */
        lateArrivals: z.array(z.string()),
        /** `Summer is paused.` Null for an active program. */
        inactiveProgram: z.string().nullable(),
      }),
    ),
  }),
  copy: endpoint({
    method: 'POST',
    path: 'program-schedule/copy',
    access: plan,
    summary: 'Copies the shifts between two days to other days. Shifts that do not fit are skipped, grouped by reason.',
    added: true,
    body: withOrderedDays(
      z.strictObject({
        ...dayRange,
        /** The new date of the first day. */
        onto: day,
        market: z.array(uid).max(100).prefault([]),
        client: z.array(uid).max(100).prefault([]),
        program: z.array(uid).max(100).prefault([]),
        truck: z.array(uid).max(100).prefault([]),
        driver: z.array(uid).max(100).prefault([]),
        /** False only shows what would happen. */
        save: z.boolean(),
        /** Without it, shifts of draft and paused programs are skipped. */
        ...inactiveProgramConsent,
      }),
      MAX_COPY_DAYS,
    ).refine(({ from, onto }) => from !== onto, { path: ['onto'], error: 'Choose other days.' }),
    reply: one(
      z.strictObject({
        copied: z.int(),
        /** The shifts that do not fit, by the uid of the shift that was to be copied. */
        refused: z.array(refusalGroup),
        /** The shifts of draft and paused programs among those that could be copied. */
        inactive: z.int(),
        lateArrivals,
        /** The act to undo; null if nothing was saved. */
        undoUid: uid.nullable(),
      }),
    ),
  }),
  trucks: endpoint({
    method: 'GET',
    path: 'program-schedule/trucks',
    access: choose,
    summary: 'Trucks by number, for planning, without retired trucks unless their uids are given.',
    follows: ['trucks'],
    added: true,
    query: options,
    reply: page(namedRef.extend({ state: z.enum(truckStates) })),
  }),
  drivers: endpoint({
    method: 'GET',
    path: 'program-schedule/drivers',
    access: choose,
    summary: 'Drivers by name, for planning.',
    follows: ['users'],
    added: true,
    query: options,
    reply: page(namedRef),
  }),
  programs: endpoint({
    method: 'GET',
    path: 'program-schedule/programs',
    access: choose,
    summary: 'Programs by name with their markets, for planning.',
    follows: ['programs', 'artwork', 'addresses', 'markets'],
    added: true,
    query: options,
    reply: page(namedRef.extend({ client: z.string(), status: programStatus, markets: z.array(namedRef) })),
  }),
  history: historyEndpoint('program-schedule', view, { ownRows: 'records' }),
}

/** Events about shifts that the server sends to web pages. */
export interface ShiftEvents {
  /** Shifts changed between two local days; pages that show them load them again. */
  'shifts-changed': (days: { from: string; to: string }) => void
}
