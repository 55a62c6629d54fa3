import { editSettings } from './settings-access.ts'
import * as z from '../platform/zod.ts'
import { day, queryNumber, requiredLine, uid } from '../platform/common.ts'
import { DEFAULT_ZONE } from '../platform/constants.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef } from '../platform/files.ts'
import { radius } from '../platform/geo.ts'
import { historyPage } from '../platform/history.ts'
import { role, roles } from '../platform/permissions.ts'
import type { Role } from '../platform/permissions.ts'
import { isZone } from './markets.ts'
import { payCalendarKind } from './pay-calendars.ts'
import type { PayCalendarKind } from './pay-calendars.ts'

interface Setting<T extends z.ZodType = z.ZodType> {
  group:
    | 'Company'
    | 'Shifts'
    | 'Pay'
    | 'Alerts'
    | 'Screens'
    | 'Proof of play'
    | 'Dates and times'
    | 'Keeping data'
    | 'Signing in'
  label: string
  /** A sentence about its effect. */
  changes: string
  /** The unit that people read and type. Miles are stored in meters; roles and artwork are chosen from a list, a day from a calendar. */
  unit:
    | ('hours' | 'minutes' | 'days' | 'miles' | 'percent')
    | ('roles' | 'day' | 'artwork' | 'switch' | 'payCalendar' | 'name' | 'color' | 'zone' | 'logo')
  schema: T
  /** The value until it is changed. */
  standard: z.output<T>
}

const whole = (min: number, max: number) => {
  const message = `Must be a whole number from ${min} to ${max}.`
  return z.int(message).min(min, message).max(max, message)
}
const hours = (min: number, max: number) => {
  const message = `Must be a number from ${min} to ${max}, in steps of a quarter.`
  return z.number(message).min(min, message).max(max, message).multipleOf(0.25, message)
}

const someRoles = z
  .array(role)
  .max(roles.length, 'Each role once.')
  .transform((given) => roles.filter((each) => given.includes(each)))
const noRoles: Role[] = []
const admins: Role[] = ['admin']

const dayOrNone = day.nullable()
const noDay: string | null = null

const onOrOff = z.boolean('Must be true or false.')
const isOff: boolean = false

const usualCalendar: PayCalendarKind = 'weekly'

const uidOrNone = uid.nullable()
const noArtwork: string | null = null

const noName: string | null = null
const companyName = z
  .union([z.literal('').transform(() => null), requiredLine(60)], 'At most 60 characters.')
  .nullable()
const COLOR_MESSAGE = 'Must be a color such as #1F6FB2.'
const color = z
  .string(COLOR_MESSAGE)
  .regex(/^#[0-9a-fA-F]{6}$/, COLOR_MESSAGE)
  .transform((given) => given.toUpperCase())
  .nullable()
const zone = z.string('Choose a time zone such as America/Chicago.').max(60).refine(isZone, {
  error: 'Choose a time zone such as America/Chicago.',
})
const usualZone: string = DEFAULT_ZONE

/** Every setting of the business with its label, effect, limits and default. */
export const settingTable = {
  companyName: {
    group: 'Company',
    label: 'Company name',
    changes:
      'The name on every page, mail, PDF and public proof-of-play page. Published versions keep the name they were published under. Without one it is the name that the server was started with.',
    unit: 'name',
    schema: companyName,
    standard: noName,
  },
  companyLogoUid: {
    group: 'Company',
    label: 'Company logo',
    changes: 'Stands beside the name in the header and on the sign-in page.',
    unit: 'logo',
    schema: uidOrNone,
    standard: noName,
  },
  companyColor: {
    group: 'Company',
    label: 'Company color',
    changes: 'The line under the header, on the sign-in page and in emails.',
    unit: 'color',
    schema: color,
    standard: noName,
  },
  companyZone: {
    group: 'Company',
    label: 'Time zone of the office',
    changes:
      'What “today” means where no market says so, and when daily emails go out unless people choose another zone. Shifts have the zone of their market.',
    unit: 'zone',
    schema: zone,
    standard: usualZone,
  },
  restGapHours: {
    group: 'Shifts',
    label: 'Rest between shifts',
    changes: 'Planning a driver sooner than this after their last shift shows a warning.',
    unit: 'hours',
    schema: hours(0, 24),
    standard: 10,
  },
  payCalendar: {
    group: 'Pay',
    label: 'Pay calendar',
    changes:
      'Drivers are paid in these periods, and only they can be approved. Periods that are approved or locked stay as they are.',
    unit: 'payCalendar',
    schema: payCalendarKind,
    standard: usualCalendar,
  },
  payCalendarFrom: {
    group: 'Pay',
    label: 'Pay periods begin on',
    changes: 'A day on which a period begins, for periods of one or two weeks. Without a day, weeks begin on Mondays.',
    unit: 'day',
    schema: dayOrNone,
    standard: noDay,
  },
  halfDayUpToHours: {
    group: 'Pay',
    label: 'Half day up to',
    changes: 'Payroll proposes the half-day rate for shifts up to this length.',
    unit: 'hours',
    schema: hours(0.25, 24),
    standard: 5,
  },
  eightHoursUpToHours: {
    group: 'Pay',
    label: '8-hour day up to',
    changes:
      'Payroll proposes the 8-hour day rate for shifts up to this length, and the 12-hour day rate for longer ones.',
    unit: 'hours',
    schema: hours(0.25, 24),
    standard: 9,
  },
  overtimeAfterHours: {
    group: 'Pay',
    label: 'Overtime after',
    changes: 'Payroll marks weeks in which a driver works more hours than this, with the overtime owed.',
    unit: 'hours',
    schema: hours(0, 168),
    standard: 40,
  },
  payOvertime: {
    group: 'Pay',
    label: 'Pay overtime owed',
    changes:
      'Overtime owed is part of drivers’ totals and of payroll files, in periods that are approved from now on. Otherwise it is shown for information.',
    unit: 'switch',
    schema: onOrOff,
    standard: isOff,
  },
  silentAfterMinutes: {
    group: 'Alerts',
    label: 'Silent after',
    changes: 'A truck without a position for this long is shown as silent.',
    unit: 'minutes',
    schema: whole(1, 1440),
    standard: 10,
  },
  noGpsAfterMinutes: {
    group: 'Alerts',
    label: 'No GPS after',
    changes: 'A shift that has run this long without a position raises an issue.',
    unit: 'minutes',
    schema: whole(1, 1440),
    standard: 15,
  },
  noPlaysAfterMinutes: {
    group: 'Alerts',
    label: 'No plays after',
    changes: 'A running shift whose player has logged nothing for this long raises an issue.',
    unit: 'minutes',
    schema: whole(1, 1440),
    standard: 15,
  },
  outsideMarketByMetres: {
    group: 'Alerts',
    label: 'Outside market by more than',
    changes: 'A truck counts as outside its market when it is farther from the border than this.',
    unit: 'miles',
    schema: radius(0, 100_000),
    standard: 1_000,
  },
  outsideMarketForMinutes: {
    group: 'Alerts',
    label: 'Outside market for',
    changes: 'A truck that stays outside its market this long during a shift raises an issue.',
    unit: 'minutes',
    schema: whole(1, 1440),
    standard: 10,
  },
  playerOfflineAfterMinutes: {
    group: 'Alerts',
    label: 'Player offline after',
    changes: 'A player that has not been in touch for this long during a shift raises an issue.',
    unit: 'minutes',
    schema: whole(1, 1440),
    standard: 10,
  },
  noShowAfterMinutes: {
    group: 'Alerts',
    label: 'No-show after',
    changes: 'A shift that has not started this long after its planned start is reported as a no-show.',
    unit: 'minutes',
    schema: whole(5, 1440),
    standard: 60,
  },
  behindPercent: {
    group: 'Alerts',
    label: 'Campaign behind by more than',
    changes:
      'A campaign that has delivered this much less than was booked for its days so far raises an issue; one that has delivered this much more is ahead.',
    unit: 'percent',
    schema: whole(1, 90),
    standard: 10,
  },
  alertRepeatMinutes: {
    group: 'Alerts',
    label: 'Repeat urgent alerts after',
    changes:
      'An urgent alert that no one has started work on is sent again after this time, up to three times; 0 for never.',
    unit: 'minutes',
    schema: whole(0, 1440),
    standard: 30,
  },
  alertEscalateMinutes: {
    group: 'Alerts',
    label: 'Escalate urgent alerts after',
    changes: 'An urgent alert that no one has started work on for this long goes to the roles below; 0 for never.',
    unit: 'minutes',
    schema: whole(0, 1440),
    standard: 60,
  },
  alertEscalateTo: {
    group: 'Alerts',
    label: 'Escalate to',
    changes: 'Users of these roles who see the Overview get urgent alerts that no one has started work on.',
    unit: 'roles',
    schema: someRoles,
    standard: admins,
  },
  fallbackArtworkUid: {
    group: 'Screens',
    label: 'House artwork',
    changes:
      'LED trucks show this approved artwork set in a shift that has no approved artwork; without one they stay black.',
    unit: 'artwork',
    schema: uidOrNone,
    standard: noArtwork,
  },
  showImpressions: {
    group: 'Proof of play',
    label: 'Estimated impressions',
    changes:
      'Shifts, programs and new versions of POPs show impressions that are modeled from the trucks’ tracks, not measured. The method is in the tab Impressions.',
    unit: 'switch',
    schema: onOrOff,
    standard: isOff,
  },
  is24HourClock: {
    group: 'Dates and times',
    label: '24-hour clock',
    changes:
      'Times of day count to 24 instead of AM and PM. People can choose their own clock in the menu behind their name.',
    unit: 'switch',
    schema: onOrOff,
    standard: isOff,
  },
  keepPositionsDays: {
    group: 'Keeping data',
    label: 'Keep positions',
    changes: 'Older positions of trucks are deleted; miles and published pages keep their figures.',
    unit: 'days',
    schema: whole(30, 3650),
    standard: 400,
  },
  keepPlaysDays: {
    group: 'Keeping data',
    label: 'Keep plays',
    changes:
      'Older plays are deleted, in the database and in the archive; counts by the hour and published pages keep their figures.',
    unit: 'days',
    schema: whole(30, 3650),
    standard: 800,
  },
  holdPlaysFrom: {
    group: 'Keeping data',
    label: 'Legal hold on plays from',
    changes: 'All plays of this day and later are kept, however old they get, until you clear the day.',
    unit: 'day',
    schema: dayOrNone,
    standard: noDay,
  },
  keepInspectionsDays: {
    group: 'Keeping data',
    label: 'Keep inspections',
    changes:
      'Older inspection reports of drivers are deleted. If 49 CFR 396.11 applies to your trucks, keep them for at least three months.',
    unit: 'days',
    schema: whole(100, 3650),
    standard: 400,
  },
  keepWebLogDays: {
    group: 'Keeping data',
    label: 'Keep web log',
    changes: 'Older errors reported by the console are deleted.',
    unit: 'days',
    schema: whole(1, 365),
    standard: 30,
  },
  keepAuditLogDays: {
    group: 'Keeping data',
    label: 'Keep audit log',
    changes: 'Older sign-ins, exports and other entries of the audit log are deleted.',
    unit: 'days',
    schema: whole(400, 3650),
    standard: 400,
  },
  keepHistoryDays: {
    group: 'Keeping data',
    label: 'Keep history',
    changes: 'Older changes are deleted from the history of every record, and the history says so.',
    unit: 'days',
    schema: whole(1095, 7300),
    standard: 3650,
  },
  secondFactorRoles: {
    group: 'Signing in',
    label: 'Second factor needed for',
    changes:
      'Users of these roles must set up a passkey or an authenticator app before they can continue, even if they are already signed in.',
    unit: 'roles',
    schema: someRoles,
    standard: noRoles,
  },
} as const satisfies Record<string, Setting>

export type SettingKey = keyof typeof settingTable
export type Settings = { [Key in SettingKey]: z.output<(typeof settingTable)[Key]['schema']> }
export const settingKeys = Object.keys(settingTable) as SettingKey[]

const ofEach = <T>(give: (key: SettingKey) => T) =>
  Object.fromEntries(settingKeys.map((key) => [key, give(key)])) as Record<SettingKey, T>

export const defaultSettings = ofEach((key) => settingTable[key].standard) as Settings

const shape = ofEach((key) => settingTable[key].schema) as { [Key in SettingKey]: (typeof settingTable)[Key]['schema'] }
const values = z.strictObject(shape)
/** Grows with every change of any setting. */
const version = z.int32('Must be a whole number.').min(1, 'Must be at least 1.')

const isOrdered = (given: Settings) => given.halfDayUpToHours < given.eightHoursUpToHours
const notOrdered = { path: ['eightHoursUpToHours'], error: 'Must be more than the half-day limit.' }

const hasFirstDay = (given: Settings) => given.payCalendar !== 'everyTwoWeeks' || given.payCalendarFrom !== null
const noFirstDay = { path: ['payCalendarFrom'], error: 'Enter a day on which a two-week pay period begins.' }

/** The settings as a form checks them. */
export const settingValues = values.refine(isOrdered, notOrdered).refine(hasFirstDay, noFirstDay)
export const settingsInput = values.extend({ version }).refine(isOrdered, notOrdered).refine(hasFirstDay, noFirstDay)

// Only admins reach the module users at all.
const view = { module: 'users', needs: 'view' } as const
/** With the logo, so that a form can show it. */
const reply = z.strictObject({ data: z.strictObject({ version, values, logo: fileRef.optional() }) })

export const settings = {
  get: endpoint({
    method: 'GET',
    path: 'settings/',
    access: view,
    summary: 'The settings of the business. A setting that was never changed has its default.',
    follows: ['settings'],
    added: true,
    reply,
  }),
  update: endpoint({
    method: 'PUT',
    path: 'settings/',
    access: editSettings,
    summary: 'Changes settings. An old version answers 409.',
    added: true,
    body: settingsInput,
    reply,
  }),
  history: endpoint({
    method: 'GET',
    path: 'settings/history',
    access: view,
    summary: 'Every change of a setting, newest first.',
    follows: ['settings'],
    added: true,
    query: z.strictObject({
      page: queryNumber(1, 1_000_000).prefault('1'),
      pageSize: queryNumber(1, 200).prefault('50'),
    }),
    reply: historyPage,
  }),
}
