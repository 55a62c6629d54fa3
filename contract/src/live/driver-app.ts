import * as z from '../platform/zod.ts'
import { instant, namedRef, paragraph, requiredLine, textLine, uid, version, day, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { clockStyles } from '../platform/dates.ts'
import { languages } from '../platform/languages.ts'
import { latitude, longitude } from '../platform/geo.ts'
import { truckSides } from '../catalog/pixel-maps.ts'
import { truckKinds } from '../catalog/trucks.ts'
import { clock, shiftAnswer, shiftStatus, stopVisit, timeSources } from '../planning/shifts.ts'
import { reportedIssueKinds } from '../catalog/truck-issues.ts'
import { timeAnswer, timeQuestion } from './shift-times.ts'

export type { ShiftAnswer } from '../planning/shifts.ts'

/** Where a phone was when something was done; null where the phone did not know. */
export const phonePlace = z
  .strictObject({ latitude, longitude, accuracyM: z.number().min(0).max(1_000_000) })
  .nullable()
  .prefault(null)

/** By the phone's clock. */
const at = instant

const ofShift = { actId: z.uuid('Not a valid id.'), at, shiftUid: uid, place: phonePlace }

export const inspectionResults = ['ok', 'defect', 'notApplicable'] as const
const inspectedItem = z.strictObject({
  /** The item as it stood on the list that was inspected. */
  itemUid: uid,
  result: z.enum(inspectionResults, 'Choose ok, defect or notApplicable.'),
  note: textLine(500).prefault(''),
  /** A stored file with the purpose `issue`. */
  photoFileUid: uid.nullable().prefault(null),
})

/**
 * What a driver did on the phone. It waits there until the server has answered, so it may arrive twice, weeks late or in
 * another order, and counts once.
 */
export const driverAct = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('start'), ...ofShift }),
  z.strictObject({ kind: z.literal('stop'), ...ofShift }),
  z.strictObject({
    kind: z.literal('answer'),
    ...ofShift,
    answer: shiftAnswer,
    reason: paragraph(300).prefault(''),
    /** The plan that the phone showed; without it, the plan of that moment is answered. */
    seen: z.strictObject({ date: day, start: clock, end: clock, truckUid: uid }).nullable().prefault(null),
  }),
  z.strictObject({ kind: z.literal('message'), ...ofShift, text: paragraph(500).min(1, 'Required.') }),
  /** The driver stands at another truck than planned and asks dispatch to change the shift. */
  z.strictObject({
    kind: z.literal('otherTruck'),
    ...ofShift,
    truckNumber: requiredLine(20),
    text: textLine(300).prefault(''),
  }),
  z.strictObject({
    kind: z.literal('issue'),
    ...ofShift,
    issueKind: z.enum(reportedIssueKinds),
    text: paragraph(500).prefault(''),
    photoFileUid: uid.nullable().prefault(null),
  }),
  z.strictObject({
    kind: z.literal('inspection'),
    ...ofShift,
    items: z.array(inspectedItem).min(1, 'Required.').max(60, 'At most 60 items.'),
    /** The driver's name, typed as a signature. */
    signedBy: requiredLine(120),
  }),
  /** Answers a question about the start or stop; a correction counts as the driver's own report of that time. */
  z.strictObject({ kind: z.literal('timeAnswer'), ...ofShift, ...timeAnswer }),
])
export type DriverAct = z.input<typeof driverAct>
export type DriverActKind = DriverAct['kind']

/** Why an act was not stored, or changes nothing; the app has the words in the driver's language. */
export const actProblems = [
  'shiftGone',
  'shiftOfAnother',
  'shiftCancelled',
  'shiftMoved',
  'tooEarly',
  'tooFarAway',
  'notStarted',
  'timesCorrected',
  'payLocked',
  'tooOld',
  'future',
  'fileMissing',
  'itemMissing',
  'idUsed',
  'invalid',
] as const
export type ActProblem = (typeof actProblems)[number]

const actResult = z.strictObject({
  actId: z.string(),
  /** After `accepted` and `duplicate` the phone deletes the act; `rejected` is shown to the driver; `later` is sent again. */
  result: z.enum(['accepted', 'duplicate', 'rejected', 'later']),
  /** Also of an accepted act that changes nothing, such as a start of a shift that was moved to another day. */
  problem: z.enum(actProblems).nullable(),
  /** In English, for logs and for words that the app does not have. */
  reason: z.string(),
})
export type ActResult = z.infer<typeof actResult>

export const MAX_ACTS = 50

const picture = z.strictObject({ side: z.enum(truckSides), url: z.string(), isVideo: z.boolean() })

/** A shift as its driver's phone shows and keeps it. */
export const driverAppShift = z.strictObject({
  uid,
  version,
  status: shiftStatus,
  date: day,
  start: z.string(),
  end: z.string(),
  zone: z.string(),
  startsAt: instant,
  endsAt: instant,
  /** From when on it may start. */
  opensAt: instant,
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
  /** What set them. Missing in days that a phone kept of an earlier version. */
  startSetBy: z.enum(timeSources).nullable().optional(),
  stopSetBy: z.enum(timeSources).nullable().optional(),
  truck: z.strictObject({ uid, number: z.string(), plate: z.string(), kind: z.enum(truckKinds) }),
  program: z.string(),
  client: z.string(),
  market: z.string(),
  /** The yard where the truck stands: the market's first depot; null where none is known. */
  yard: z.strictObject({ name: z.string(), latitude: z.number(), longitude: z.number() }).nullable(),
  note: z.string(),
  /** The planned stops in their order, with what the truck's track says about them. */
  stops: z.array(stopVisit),
  /** What each side of the truck must show. The addresses are signed and expire; the app keeps the pictures. */
  artwork: z.strictObject({ name: z.string(), pictures: z.array(picture) }).nullable(),
  contacts: z.array(z.strictObject({ name: z.string(), role: z.string(), phone: z.string() })),
  answer: z.strictObject({ answer: shiftAnswer, reason: z.string(), at: instant }).nullable(),
  /** Of this shift's truck on this shift. */
  inspection: z.strictObject({ uid, at: instant, defects: z.int() }).nullable(),
  issues: z.array(
    z.strictObject({
      uid,
      kind: z.string(),
      text: z.string(),
      status: z.enum(['open', 'inProgress', 'resolved']),
      openedAt: instant,
    }),
  ),
  messages: z.array(z.strictObject({ uid, text: z.string(), at: instant, isOwn: z.boolean(), by: z.string() })),
  /** Set once the driver has asked for another truck and dispatch has not changed the shift since. */
  askedTruck: z.string().nullable(),
  /** Missing in days that a phone kept of an earlier version, like what follows. */
  timeQuestions: z.array(timeQuestion).optional(),
  /** By the track of the truck until now; null without GPS data. */
  metres: z.number().nullable().optional(),
  /** Photos of the driver that have arrived. */
  photos: z.int().optional(),
})
export type DriverAppShift = z.infer<typeof driverAppShift>

export type { Language } from '../platform/languages.ts'

const driverDay = z.strictObject({
  serverTime: instant,
  driver: namedRef.extend({
    language: z.enum(languages).nullable(),
    /** Absent in a day that an older server sent. */
    clock: z.enum(clockStyles).optional(),
  }),
  /** Running and upcoming shifts of the next two weeks, and those that ended in the last two days; by start. */
  shifts: z.array(driverAppShift),
  /** Days off that are not over, of the next two months; the last day is null until further notice. Missing in earlier versions. */
  daysOff: z.array(z.strictObject({ uid, from: day, to: day.nullable() })).optional(),
  /** The inspection list, in its order. */
  inspectionItems: z.array(
    z.strictObject({ uid, name: z.string(), nameEs: z.string(), isOnEveryTruck: z.boolean().optional() }),
  ),
  /** What the account may send and open: the app offers nothing else. Missing in days of an earlier version. */
  may: z
    .strictObject({
      /** Starts, stops, answers, messages, problems, inspections. */
      act: z.boolean(),
      photos: z.boolean(),
      /** Pictures of problems and defects. */
      pictures: z.boolean(),
      pay: z.boolean(),
      calendar: z.boolean(),
    })
    .optional(),
})
export type DriverDay = z.infer<typeof driverDay>
export type DriverMay = NonNullable<DriverDay['may']>

const except = ['admin', 'sales', 'client'] as const
const view = { module: ['schedule', 'userSchedule', 'dailySchedule'], needs: 'view', except } as const
const drive = { module: 'schedule', needs: 'edit', except } as const

/** The calls of the driver's phone. */
export const driverApp = {
  day: endpoint({
    method: 'GET',
    path: 'driver-app/day',
    access: view,
    keys: false,
    ownRows: 'records',
    summary: 'What a driver’s phone shows and keeps: their shifts with truck, yard, artwork, contacts and messages.',
    added: true,
    reply: one(driverDay),
  }),
  acts: endpoint({
    method: 'POST',
    path: 'driver-app/acts',
    access: drive,
    keys: false,
    ownRows: 'records',
    summary:
      'What a driver did on the phone, now or while it was offline. Each act has an id and counts once; each is answered by itself.',
    added: true,
    repeatable: true,
    body: z.strictObject({
      /** By the phone's clock at the moment of sending: with it, times of a wrong clock are set right. */
      sentAt: at,
      acts: z.array(z.unknown()).min(1, 'Required.').max(MAX_ACTS, `At most ${MAX_ACTS} acts.`),
    }),
    reply: one(z.strictObject({ results: z.array(actResult), serverTime: instant })),
  }),
}
