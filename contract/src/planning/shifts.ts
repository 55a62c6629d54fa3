import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  instant,
  textLine,
  listQuery,
  namedRef,
  one,
  page,
  paragraph,
  uid,
  version,
} from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'
import { issueKind, issueStatus } from '../live/issues.ts'
import { daysBetween } from './shift-time.ts'
import { truckStates } from '../catalog/trucks.ts'

export const shiftStatuses = ['planned', 'out', 'completed', 'cancelled', 'noShow'] as const
export const shiftStatus = z.enum(shiftStatuses, 'Choose planned, out, completed, cancelled or noShow.')
export type ShiftStatus = z.infer<typeof shiftStatus>
export const shiftStatusLabel: Record<ShiftStatus, string> = {
  planned: 'Planned',
  out: 'Out',
  completed: 'Completed',
  cancelled: 'Cancelled',
  noShow: 'No-show',
}

/** What a shift may become next. What did not happen after all can be planned again. */
export const shiftMoves: Record<ShiftStatus, readonly ShiftStatus[]> = {
  planned: ['out', 'completed', 'cancelled', 'noShow'],
  out: ['completed', 'planned'],
  completed: ['out'],
  cancelled: ['planned'],
  noShow: ['planned'],
}
/** What a driver may do with a shift of their own. */
export const driverMoves: Partial<Record<ShiftStatus, readonly ShiftStatus[]>> = {
  planned: ['out'],
  out: ['completed'],
}
/** Shifts that take their truck and driver; the others leave them free. */
export const blocksTruck = (status: ShiftStatus): boolean => status !== 'cancelled' && status !== 'noShow'
/** Moves that need a reason. */
export const needsReason = (status: ShiftStatus): boolean => !blocksTruck(status)

export const payOptions = ['halfDay', 'eightHours', 'twelveHours'] as const
export const payOption = z.enum(payOptions, 'Choose halfDay, eightHours or twelveHours.')
export type PayOption = z.infer<typeof payOption>
export const payOptionLabel: Record<PayOption, string> = {
  halfDay: 'Half day',
  eightHours: 'Eight hours',
  twelveHours: 'Twelve hours',
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/
const clock = z.string('Must be a time such as 08:00.').regex(CLOCK, 'Must be a time such as 08:00.')

const shift = z.strictObject({
  uid,
  truck: namedRef,
  driver: namedRef,
  program: namedRef,
  client: namedRef,
  market: namedRef,
  /** The local day on which it starts, its start and its end, in the market's zone. */
  date: day,
  start: clock,
  end: clock,
  zone: z.string(),
  startsAt: instant,
  endsAt: instant,
  artworkSet: namedRef.nullable(),
  addressSet: namedRef.nullable(),
  /** Null: payroll proposes it from the hours. */
  payOption: payOption.nullable(),
  note: z.string(),
  status: shiftStatus,
  /** Why it was cancelled, or nobody came. */
  reason: z.string(),
  /** When it really began and ended. */
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
  /** Hours since the driver's last shift ended, where that is less than the settings ask for. */
  shortRestHours: z.number().nullable(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type Shift = z.infer<typeof shift>

export const shiftInput = z.strictObject({
  truckUid: z.uuid('Choose a truck.'),
  driverUid: z.uuid('Choose a driver.'),
  programUid: z.uuid('Choose a client program.'),
  marketUid: z.uuid('Choose a market.'),
  date: day,
  start: clock,
  end: clock,
  artworkSetUid: z.uuid('Choose an artwork set.').nullable().prefault(null),
  addressSetUid: z.uuid('Choose an SD address set.').nullable().prefault(null),
  payOption: payOption.nullable().prefault(null),
  note: paragraph(2000).prefault(''),
})
export type ShiftInput = z.input<typeof shiftInput>

const sameHours = { path: ['end'], error: 'Must not be the start itself.' }
const withHours = <T extends z.ZodType<{ start: string; end: string }>>(input: T) =>
  input.refine(({ start, end }) => start !== end, sameHours)

/** At most as many days as people plan on one screen. */
export const MAX_BOARD_DAYS = 35
/** At most as many as a copied week of a large fleet. */
const MAX_COPY_DAYS = 14

const span = { from: day, to: day }
const inOrder = <T extends z.ZodType<{ from: string; to: string }>>(input: T, most: number) =>
  input.refine(({ from, to }) => from <= to && daysBetween(from, to) < most, {
    path: ['to'],
    error: `Must be at most ${most - 1} days after the first day, and not before it.`,
  })

/** What list, board and user schedule are narrowed by. */
const filters = {
  market: anyOf(uid).optional(),
  client: anyOf(uid).optional(),
  program: anyOf(uid).optional(),
  truck: anyOf(uid).optional(),
  driver: anyOf(uid).optional(),
  status: anyOf(shiftStatus).optional(),
}

/** A shift as a board needs it: short, for there are thousands. What it refers to stands beside. */
const boardShift = z.strictObject({
  uid,
  version,
  truckUid: uid,
  driverUid: uid,
  programUid: uid,
  marketUid: uid,
  date: day,
  start: clock,
  end: clock,
  startsAt: instant,
  endsAt: instant,
  status: shiftStatus,
  shortRestHours: z.number().nullable(),
})
export type BoardShift = z.infer<typeof boardShift>

const board = z.strictObject({
  trucks: z.array(
    z.strictObject({ uid, number: z.string(), state: z.enum(truckStates), homeMarketUid: uid.nullable() }),
  ),
  drivers: z.array(namedRef),
  programs: z.array(namedRef.extend({ client: z.string(), startsOn: day, endsOn: day })),
  markets: z.array(namedRef.extend({ zone: z.string() })),
  shifts: z.array(boardShift),
})
export type ShiftBoard = z.infer<typeof board>

/** A shift that is in the way of another. */
const clash = z.strictObject({ uid, over: z.enum(['truck', 'driver']), name: z.string() })
export type ShiftClash = z.infer<typeof clash>

/** A shift of a user schedule: what a driver needs to be at the right place. */
const driverDay = z.strictObject({ driver: namedRef, shifts: z.array(shift) })
export type DriverShifts = z.infer<typeof driverDay>

const skipped = z.strictObject({ name: z.string(), reason: z.string() })

/** Who plans chooses trucks, drivers and programs by name, without the lists that hold everything else about them. */
const choices = listQuery(['name'], { uid: anyOf(uid).optional() }).omit({ format: true })

const view = { module: ['schedule', 'clients'], needs: 'view' } as const
// A driver changes nothing of a plan, not even of their own shifts.
const plan = { module: ['schedule', 'clients'], needs: 'edit', reach: 'all' } as const
const drive = { module: ['schedule', 'clients'], needs: 'edit' } as const
// Whoever plans chooses from the same, also by the old daily schedule.
const choose = { ...plan, module: [...plan.module, 'dailySchedule'] } as const

export const shifts = {
  list: endpoint({
    method: 'GET',
    path: 'program-schedule/run',
    access: view,
    summary: 'Shifts, searched in truck, driver, program, client and note. A driver sees their own.',
    query: listQuery(['startsAt', 'status', 'updatedAt'], {
      ...filters,
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
    summary: 'Shifts with what was planned beside what happened.',
    query: listQuery(['startsAt', 'status', 'updatedAt'], {
      ...filters,
      from: day.optional(),
      to: day.optional(),
      uid: anyOf(uid).optional(),
    }),
    reply: page(
      shift.extend({
        plannedMinutes: z.int(),
        /** Null until it has begun and ended. */
        actualMinutes: z.int().nullable(),
        /** How many minutes after its planned start it began; negative when earlier. */
        lateMinutes: z.int().nullable(),
        plays: z.strictObject({ count: z.int(), verified: z.int(), conflict: z.int() }),
        /** Null while nothing was heard of its truck. */
        distance: z
          .strictObject({
            metres: z.number(),
            source: z.enum(['gps', 'odometer']),
            /** The part of it that spans silence. */
            estimatedMetres: z.number(),
            /** Which share of the shift the truck was heard in, from 0 to 1. */
            coverage: z.number(),
          })
          .nullable(),
        issues: z.array(z.strictObject({ uid, kind: issueKind, status: issueStatus, openedAt: instant })),
        photos: z.int(),
      }),
    ),
  }),
  byDriver: endpoint({
    method: 'GET',
    path: 'program-user-schedule/run',
    access: view,
    summary: 'Drivers with their shifts between two days. A driver sees only their own.',
    query: inOrder(
      z.strictObject({
        ...span,
        page: listQuery(['name'], {}).shape.page,
        pageSize: listQuery(['name'], {}).shape.pageSize,
        search: textLine(200).optional(),
        market: filters.market,
        program: filters.program,
        driver: filters.driver,
      }),
      MAX_BOARD_DAYS,
    ),
    reply: page(driverDay),
  }),
  get: endpoint({
    method: 'GET',
    path: 'program-schedule/{uid}',
    access: view,
    summary: 'One shift.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(shift),
  }),
  board: endpoint({
    method: 'GET',
    path: 'program-schedule/board',
    access: { ...view },
    summary: 'Every shift between two local days in short, with the trucks, drivers, programs and markets of the plan.',
    added: true,
    query: inOrder(z.strictObject({ ...span, ...filters }), MAX_BOARD_DAYS),
    reply: one(board),
  }),
  create: endpoint({
    method: 'POST',
    path: 'program-schedule/',
    access: plan,
    summary: 'Plans a shift. One that overlaps another of its truck or driver answers 409 and names it.',
    body: withHours(shiftInput),
    reply: one(shift),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'program-schedule/',
    access: plan,
    summary: 'Changes a shift. An old version answers 409, as does an overlap.',
    body: withHours(shiftInput.extend({ uid, version })),
    reply: one(shift),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: 'program-schedule/{uid}',
    access: plan,
    summary: 'Deletes a planned shift.',
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ uid })),
  }),
  move: endpoint({
    method: 'PUT',
    path: 'program-schedule/status',
    access: drive,
    summary: 'Starts, completes, cancels or reopens a shift. A driver starts and completes their own.',
    added: true,
    body: z
      .strictObject({ uid, version, status: shiftStatus, reason: textLine(300).prefault('') })
      .refine(({ status, reason }) => !needsReason(status) || reason !== '', {
        path: ['reason'],
        error: 'Say why.',
      }),
    reply: one(shift),
  }),
  clashes: endpoint({
    method: 'POST',
    path: 'program-schedule/clashes',
    access: plan,
    summary: 'Tells whether a shift could be saved: what is wrong with it, what it collides with. Saves nothing.',
    added: true,
    repeatable: true,
    body: withHours(shiftInput.extend({ uid: uid.optional() })),
    reply: one(
      z.strictObject({
        problems: z.record(z.string(), z.string()),
        clashes: z.array(clash),
        shortRestHours: z.number().nullable(),
      }),
    ),
  }),
  copy: endpoint({
    method: 'POST',
    path: 'program-schedule/copy',
    access: plan,
    summary: 'Copies the shifts between two days to other days. What does not fit is left out and named.',
    added: true,
    body: inOrder(
      z.strictObject({
        ...span,
        /** Where the first day goes. */
        onto: day,
        market: z.array(uid).max(100).prefault([]),
        client: z.array(uid).max(100).prefault([]),
        program: z.array(uid).max(100).prefault([]),
        truck: z.array(uid).max(100).prefault([]),
        driver: z.array(uid).max(100).prefault([]),
        /** False only tells what would happen. */
        save: z.boolean(),
      }),
      MAX_COPY_DAYS,
    ).refine(({ from, onto }) => from !== onto, { path: ['onto'], error: 'Choose other days.' }),
    reply: one(z.strictObject({ copied: z.int(), skipped: z.array(skipped) })),
  }),
  trucks: endpoint({
    method: 'GET',
    path: 'program-schedule/trucks',
    access: choose,
    summary: 'Trucks by number, for those who plan: retired ones are left out.',
    added: true,
    query: choices,
    reply: page(namedRef.extend({ state: z.enum(truckStates) })),
  }),
  drivers: endpoint({
    method: 'GET',
    path: 'program-schedule/drivers',
    access: choose,
    summary: 'Drivers by name, for those who plan.',
    added: true,
    query: choices,
    reply: page(namedRef),
  }),
  programs: endpoint({
    method: 'GET',
    path: 'program-schedule/programs',
    access: choose,
    summary: 'Programs by name with their markets, for those who plan.',
    added: true,
    query: choices,
    reply: page(namedRef.extend({ client: z.string(), markets: z.array(namedRef) })),
  }),
  history: historyEndpoint('program-schedule', view),
}
