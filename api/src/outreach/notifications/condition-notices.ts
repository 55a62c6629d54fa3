import {
  type BookedUnit,
  deliveredWords,
  DRIVER_PATH,
  forecastWords,
  formatClock,
  formatMoment,
  paceSentence,
  pluralize,
} from '@roadshow/contract'
import { readSettings } from '../../catalog/settings/index.ts'
import { loadShiftStates, type ShiftState } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { EventHandler, OutboundEvent } from '../../platform/outbox/index.ts'
import { type FanOutContext, notify, type StaffNotice } from './fan-out.ts'
import { inEachLanguage } from './words.ts'

const MINUTE = 60_000

/** Everyone who got a notification of an object under a key. */
const toldOf = async (db: Db, object: string, keyBegins: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('notification')
    .select('user_uid as userUid')
    .distinct()
    .where('object', '=', object)
    .where('key', 'like', `${keyBegins}%`)
    .execute()
  return rows.map(({ userUid }) => userUid)
}

const describe = ({ driver, program, market, truck, start, startsAt, zone }: ShiftState) => ({
  name: `${truck.name}, ${formatClock(start)}`,
  text: `${driver.name}, truck ${truck.name}, ${program.name}, ${market.name}: planned for ${formatMoment(startsAt, zone)}.`,
})

/** The notice about a shift, with its driver, truck and program. */
const shiftNotice = (
  uid: string,
  shift: ShiftState,
  words: Pick<StaffNotice, 'kind' | 'key' | 'subject' | 'text'>,
): StaffNotice => ({
  ...words,
  path: `/schedule/program-schedule?open=${uid}`,
  object: `shift ${uid}`,
  programUid: shift.program.uid,
  shiftUid: uid,
})

const minutesLate = (shift: ShiftState, at: number) => Math.round((at - Date.parse(shift.startsAt)) / MINUTE)

/** Tells dispatch of a shift that has not started, unless it has meanwhile or is a no-show by now. */
async function tellUnstarted(db: Db, context: FanOutContext, { type, uid, object, at }: OutboundEvent): Promise<void> {
  const shiftUid = object.slice('shift '.length)
  const shift = (await loadShiftStates(db, [shiftUid])).get(shiftUid)
  if (shift?.status !== 'planned') return
  const { name, text } = describe(shift)
  const late = minutesLate(shift, Date.parse(at))
  if (type === 'shift.late') {
    if (late >= (await readSettings(db)).noShowAfterMinutes) return
    const words = { subject: `Late: ${name}`, text: `${text}\nIt has not started ${pluralize(late, 'minute')} later.` }
    await notify(db, context, shiftNotice(shiftUid, shift, { kind: 'shiftLate', key: `shift late ${uid}`, ...words }))
    return
  }
  const words = {
    subject: `No-show: ${name}`,
    text: `${text}\nIt has not started ${pluralize(late, 'minute')} later and counts as a no-show.`,
  }
  await notify(db, context, shiftNotice(shiftUid, shift, { kind: 'noShow', key: `shift noShow ${uid}`, ...words }))
}

/** Notifies of a late start everyone who was notified that the shift was late. */
async function tellStarted(db: Db, context: FanOutContext, { uid, object }: OutboundEvent): Promise<void> {
  const shiftUid = object.slice('shift '.length)
  const shift = (await loadShiftStates(db, [shiftUid])).get(shiftUid)
  if (!shift?.startedAt) return
  const { name, text } = describe(shift)
  const notice = shiftNotice(shiftUid, shift, {
    kind: 'shiftLate',
    key: `shift started ${uid}`,
    subject: `Started: ${name}`,
    text: `${text}\nIt started ${formatMoment(shift.startedAt, shift.zone)}, ${pluralize(minutesLate(shift, Date.parse(shift.startedAt)), 'minute')} late.`,
  })
  await notify(db, context, notice, { only: await toldOf(db, object, 'shift ') })
}

const startHandler: EventHandler = {
  types: ['shift.late', 'shift.noShow', 'shift.lateOver'],
  handle: (db, event, context) =>
    event.type === 'shift.lateOver' ? tellStarted(db, context, event) : tellUnstarted(db, context, event),
}

/** Words that a driver wrote, as a line of their own. */
const quote = (text: unknown) => (typeof text === 'string' && text !== '' ? `\n“${text}”` : '')

/** What a driver wrote or asked for on the phone, to dispatch. */
const driverWordHandler: EventHandler = {
  types: ['shift.driverMessage', 'shift.truckRequested'],
  async handle(db, { type, uid, object, data }, context) {
    const shiftUid = object.slice('shift '.length)
    const shift = (await loadShiftStates(db, [shiftUid])).get(shiftUid)
    if (!shift) return
    const { name, text } = describe(shift)
    const from = textOf(data.from)
    const words: Pick<StaffNotice, 'kind' | 'subject' | 'text'> =
      type === 'shift.driverMessage'
        ? { kind: 'driverMessage', subject: `Message from ${from}: ${name}`, text: `${textOf(data.text)}\n${text}` }
        : {
            kind: 'truckRequested',
            subject: `${from} asks for truck ${textOf(data.truck)}: ${name}`,
            text: `${from} stands at truck ${textOf(data.truck)}. ${text}${quote(data.text)}`,
          }
    await notify(db, context, shiftNotice(shiftUid, shift, { key: `${type} ${uid}`, ...words }))
  },
}

/** A message of dispatch, to the driver it was written to. */
const dispatchWordHandler: EventHandler = {
  types: ['shift.dispatchMessage'],
  async handle(db, { type, uid, object, data }, context) {
    const shiftUid = object.slice('shift '.length)
    const shift = (await loadShiftStates(db, [shiftUid])).get(shiftUid)
    const driverUid = textOf(data.driverUid)
    // A driver who lost the shift meanwhile learns nothing more about it.
    if (shift?.driver.uid !== driverUid) return
    await notify(
      db,
      context,
      {
        kind: 'dispatchMessage',
        key: `${type} ${uid}`,
        ...inEachLanguage((words) => ({
          subject: words.messageSubject(shift),
          text: `${textOf(data.text)}\n${words.messageShift(shift)}`,
        })),
        path: `${DRIVER_PATH}/shifts/${shiftUid}`,
        object,
        shiftUid,
      },
      { only: [driverUid] },
    )
  },
}

/** The event has the shift and the driver's words. */
const declineHandler: EventHandler = {
  types: ['shift.declined'],
  async handle(db, { uid, object, data }, context) {
    const shiftUid = object.slice('shift '.length)
    const shift = (await loadShiftStates(db, [shiftUid])).get(shiftUid)
    if (!shift) return
    const { name, text } = describe(shift)
    const said = quote(data.reason)
    const words = { subject: `Declined: ${name}`, text: `The driver declines a shift. ${text}${said}` }
    await notify(
      db,
      context,
      shiftNotice(shiftUid, shift, { kind: 'shiftDeclined', key: `shift declined ${uid}`, ...words }),
    )
  },
}

const deviceHandler: EventHandler = {
  types: ['device.offline', 'device.online'],
  async handle(db, { type, uid, object, data }, context) {
    const deviceUid = object.slice('device '.length)
    const device = await db
      .selectFrom('device as d')
      .innerJoin('truck as t', 't.uid', 'd.truck_uid')
      .select(['t.uid as truckUid', 't.number as truck'])
      .where('d.uid', '=', deviceUid)
      .executeTakeFirst()
    if (!device) return
    const isOffline = type === 'device.offline'
    const { seenAt, startsAt, zone } = data as { seenAt?: string; startsAt?: string; zone?: string }
    const since = seenAt && zone ? ` It was last in touch ${formatMoment(seenAt, zone)}.` : ''
    const next = startsAt && zone ? ` Its next shift begins ${formatMoment(startsAt, zone)}.` : ''
    const notice: StaffNotice = {
      kind: 'deviceOffline',
      key: `${type} ${uid}`,
      subject: isOffline ? `${device.truck}: player offline` : `${device.truck}: player no longer offline`,
      text: isOffline
        ? `The player of truck ${device.truck} is offline.${since}${next}`
        : `The player of truck ${device.truck} is back, or its truck has no shift soon.`,
      path: `/trucks?open=${device.truckUid}`,
      object,
    }
    await notify(db, context, notice, isOffline ? {} : { only: await toldOf(db, object, 'device.offline ') })
  },
}

/** What an event says of a program that is behind: of its booked lines, or of its planned hours where nothing is booked. */
type BehindData =
  | { lines: BehindLine[]; plannedHours?: undefined }
  | { lines?: undefined; plannedHours: number; drivenHours: number }

interface BehindLine {
  market: string
  unit: BookedUnit
  amount: number
  delivered: number
  pace: number | null
  forecast: number | null
  through: string | null
  startsOn: string
  endsOn: string
}

/** A line that is behind, in the words of the program's page. */
function behindLineText({ market, unit, amount, startsOn, endsOn, pace, ...known }: BehindLine): string {
  const told = { ...known, line: { unit, amount, startsOn, endsOn }, state: 'behind' as const, shiftsWithoutData: 0 }
  return `${market}: ${paceSentence(pace)}, ${deliveredWords(told)}. ${forecastWords(told)}`
}

const behindText = (behind: BehindData): string =>
  behind.lines
    ? behind.lines.map(behindLineText).join('\n')
    : `Of ${behind.plannedHours} shift hours planned until now, ${behind.drivenHours} were driven (${Math.floor((100 * behind.drivenHours) / behind.plannedHours)}%).`

const programHandler: EventHandler = {
  types: ['photo.waiting', 'delivery.behind'],
  async handle(db, { type, uid, object, data }, context) {
    const { programUid, program, photos, ...behind } = data as BehindData & {
      programUid: string
      program: string
      photos: number
    }
    const count = photos === 1 ? '1 photo waits' : `${photos} photos wait`
    const isPhoto = type === 'photo.waiting'
    await notify(db, context, {
      kind: isPhoto ? 'photoWaiting' : 'campaignBehind',
      key: `${type} ${uid}`,
      subject: isPhoto ? `${program}: photos to approve` : `${program} is behind`,
      text: isPhoto ? `${count} for approval.` : behindText(behind),
      path: isPhoto ? `/client-pop?open=${programUid}` : `/client-programs?open=${programUid}`,
      object,
      programUid,
    })
  },
}

/** A published proof of performance, to the client's users first of all. */
const reportHandler: EventHandler = {
  types: ['pop.published'],
  async handle(db, { uid, object, data }, context) {
    const programUid = typeof data.programUid === 'string' ? data.programUid : object.replace(/^\w+ /, '')
    const program = await db
      .selectFrom('client_program')
      .select('name')
      .where('uid', '=', programUid)
      .executeTakeFirst()
    if (!program) return
    await notify(db, context, {
      kind: 'reportReady',
      key: `pop.published ${uid}`,
      subject: `${program.name}: report ready`,
      text: `A new version of the proof of performance of ${program.name} is published.`,
      path: `/client-pop?open=${programUid}`,
      object: `program ${programUid}`,
      programUid,
    })
  },
}

/** A proposal that a client accepted, to the one who sent it and to everyone else who may change programs. */
const proposalHandler: EventHandler = {
  types: ['proposal.accepted'],
  async handle(db, { uid, object, data }, context) {
    const { programUid, program, title, acceptedBy } = data as Record<string, string>
    await notify(db, context, {
      kind: 'proposalAccepted',
      key: `proposal.accepted ${uid}`,
      subject: `${textOf(program)}: proposal accepted`,
      text: `${textOf(acceptedBy)} accepted the proposal “${textOf(title)}”.`,
      path: `/client-programs?open=${textOf(programUid)}&tab=proposals`,
      object,
      programUid: programUid ?? null,
    })
  },
}

const GB = 1024 ** 3
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const inGb = (bytes: unknown) => `${(Number(bytes) / GB).toFixed(1)} GB`

const operationHandler: EventHandler = {
  types: ['backup.failed', 'storage.filling', 'storage.freed', 'webhook.paused'],
  async handle(db, { type, uid, object, data }, context) {
    const words: Record<string, Pick<StaffNotice, 'kind' | 'subject' | 'text'>> = {
      'backup.failed': {
        kind: 'backupFailed',
        subject: 'Backup failed',
        text: `A backup could not be completed: ${textOf(data.reason)}`,
      },
      'storage.filling': {
        kind: 'storageFull',
        subject: `Storage filling up on ${textOf(data.host)}`,
        text: `The disk of ${textOf(data.folder)} on ${textOf(data.host)} has ${inGb(data.freeBytes)} of ${inGb(data.totalBytes)} left.`,
      },
      'webhook.paused': {
        kind: 'webhookPaused',
        subject: `Webhook paused: ${textOf(data.url)}`,
        text: `No more events are sent to ${textOf(data.url)}. ${textOf(data.sentence)}`.trim(),
      },
      'storage.freed': {
        kind: 'storageFull',
        subject: 'Storage has room again',
        text: `The disk has room again: ${object.replace(/^storage /, '')}.`,
      },
    }
    const said = words[type]
    if (!said) return
    const audience = type === 'storage.freed' ? { only: await toldOf(db, object, 'storage.filling ') } : {}
    await notify(db, context, { ...said, key: `${type} ${uid}`, path: '/notifications', object }, audience)
  },
}

export const conditionHandlers = [
  startHandler,
  declineHandler,
  driverWordHandler,
  dispatchWordHandler,
  deviceHandler,
  programHandler,
  reportHandler,
  proposalHandler,
  operationHandler,
]
