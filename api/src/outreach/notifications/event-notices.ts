import {
  type BookedLine,
  type DeliveredFigures,
  deliveredWords,
  DRIVER_PATH,
  figureWords,
  forecastWords,
  formatClock,
  formatDistance,
  formatMinutes,
  formatMoment,
  formatPercent,
  type LineDelivery,
  paceSentence,
  countOf,
} from '@roadshow/contract'
import { readSettings } from '../../catalog/settings/index.ts'
import { loadShiftStates, type ShiftState } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { EventHandler, GatheredData, OutboundEvent } from '../../platform/outbox/index.ts'
import { type DriverNotice, notifiedOf, notify, type StaffNotice } from './fan-out.ts'
import { inEachLanguage } from './words.ts'

interface Addressed {
  /** Names the cause, where it is not the single event. */
  key?: string
  /** Only these users. */
  only?: readonly string[]
  /** The end of something: only users with a notification of the object whose key begins with this. */
  endOf?: string
}

/** The notice that an event makes; its object is that of the event. */
type EventNotice = (Omit<StaffNotice, 'key' | 'object'> | Omit<DriverNotice, 'key' | 'object'>) & Addressed

type StaffWords = Pick<StaffNotice, 'kind' | 'subject' | 'text'> & Addressed

const MINUTE = 60_000
const GB = 1024 ** 3
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const inGb = (bytes: unknown) => `${(Number(bytes) / GB).toFixed(1)} GB`

/** Words that a driver wrote, as a line of their own. */
const quote = (text: unknown) => (textOf(text) === '' ? '' : `\n“${textOf(text)}”`)

/** What a driver has said several times within seconds, word for word as far as it is kept. */
function gatheredOf(data: OutboundEvent['data']): GatheredData {
  const { count, reports } = data as Partial<GatheredData>
  return count === undefined || reports === undefined ? { count: 1, reports: [data] } : { count, reports }
}

const QUOTED_MESSAGES = 5

/** Messages of a driver that came together, and how many more there are. */
function messageLines(data: OutboundEvent['data']): string[] {
  const { count, reports } = gatheredOf(data)
  const texts = reports.slice(0, QUOTED_MESSAGES).map(({ text }) => textOf(text))
  const more = count - texts.length
  return more > 0 ? [...texts, `${more} more in the details of the shift.`] : texts
}

/** What dispatch reads about a shift, by the type of the event. False if that is outdated by now. */
function shiftWords(
  { driver, program, market, truck, start, startsAt, startedAt, zone, status }: ShiftState,
  { uid, at, data }: OutboundEvent,
  noShowAfterMinutes: number,
): Record<string, StaffWords | false> {
  const name = `${truck.name}, ${formatClock(start)}`
  const plan = `${driver.name}, truck ${truck.name}, ${program.name}, ${market.name}: planned for ${formatMoment(startsAt, zone)}.`
  const minutes = Math.round((Date.parse(startedAt ?? at) - Date.parse(startsAt)) / MINUTE)
  const late = countOf(minutes, 'minute')
  const [from, wanted] = [textOf(data.from), textOf(data.truck)]
  const said = gatheredOf(data).count
  const repeated = said === 1 ? '' : `\nThis is the last of ${said} that came together.`
  return {
    'shift.late': status === 'planned' &&
      minutes < noShowAfterMinutes && {
        kind: 'shiftLate',
        key: `shift late ${uid}`,
        subject: `Late: ${name}`,
        text: `${plan}\n${late} after its planned start, it has not started.`,
      },
    'shift.noShow': status === 'planned' && {
      kind: 'noShow',
      key: `shift noShow ${uid}`,
      subject: `No-show: ${name}`,
      text: `${plan}\n${late} after its planned start, it has not started and counts as a no-show.`,
    },
    'shift.lateOver': startedAt !== null && {
      kind: 'shiftLate',
      key: `shift started ${uid}`,
      endOf: 'shift ',
      subject: `Started: ${name}`,
      text: `${plan}\nIt started ${formatMoment(startedAt, zone)}, ${late} late.`,
    },
    'shift.driverMessage': {
      kind: 'driverMessage',
      subject: `${said === 1 ? 'Message' : `${said} messages`} from ${from}: ${name}`,
      text: [...messageLines(data), plan].join('\n'),
    },
    'shift.truckRequested': {
      kind: 'truckRequested',
      subject: `${from} asks for truck ${wanted}: ${name}`,
      text: `${from} stands at truck ${wanted}. ${plan}${quote(data.text)}${repeated}`,
    },
    'shift.declined': {
      kind: 'shiftDeclined',
      key: `shift declined ${uid}`,
      subject: `Declined: ${name}`,
      text: `The driver declined a shift. ${plan}${quote(data.reason)}${repeated}`,
    },
  }
}

async function ofShift(event: OutboundEvent, db: Db): Promise<EventNotice | undefined> {
  const { type, object, data } = event
  const shiftUid = object.slice('shift '.length)
  const shift = (await loadShiftStates(db, [shiftUid])).get(shiftUid)
  if (!shift) return undefined
  if (type !== 'shift.dispatchMessage') {
    const words = shiftWords(shift, event, (await readSettings(db)).noShowAfterMinutes)[type]
    const path = `/schedule/program-schedule?open=${shiftUid}`
    return words ? { ...words, path, programUid: shift.program.uid, shiftUid } : undefined
  }
  const driverUid = textOf(data.driverUid)
  // A driver who lost the shift meanwhile learns nothing more about it.
  if (shift.driver.uid !== driverUid) return undefined
  return {
    kind: 'dispatchMessage',
    ...inEachLanguage((words) => ({
      subject: words.messageSubject(shift),
      text: `${textOf(data.text)}\n${words.messageShift(shift)}`,
    })),
    path: `${DRIVER_PATH}/shifts/${shiftUid}`,
    shiftUid,
    only: [driverUid],
  }
}

async function ofDevice({ type, object, data }: OutboundEvent, db: Db): Promise<EventNotice | undefined> {
  const device = await db
    .selectFrom('device as d')
    .innerJoin('truck as t', 't.uid', 'd.truck_uid')
    .select(['t.uid as truckUid', 't.number as truck'])
    .where('d.uid', '=', object.slice('device '.length))
    .executeTakeFirst()
  if (!device) return undefined
  const { truck, truckUid } = device
  const { seenAt, startsAt, zone } = data as { seenAt?: string; startsAt?: string; zone?: string }
  const since = seenAt && zone ? ` It was last in touch ${formatMoment(seenAt, zone)}.` : ''
  const next = startsAt && zone ? ` Its next shift begins ${formatMoment(startsAt, zone)}.` : ''
  const isOffline = type === 'device.offline'
  return {
    kind: 'deviceOffline',
    subject: isOffline ? `${truck}: player offline` : `${truck}: player no longer offline`,
    text: isOffline
      ? `The player of truck ${truck} is offline.${since}${next}`
      : `The player of truck ${truck} is back, or its truck has no shift soon.`,
    path: `/trucks?open=${truckUid}`,
    ...(!isOffline && { endOf: 'device.offline ' }),
  }
}

/** What an event says of a program that is behind: of its booked lines, or of its planned hours where nothing is booked. */
type BehindData =
  | { lines: BehindLine[]; plannedHours?: undefined }
  | { lines?: undefined; plannedHours: number; drivenHours: number }

type BehindLine = { market: string } & Pick<BookedLine, 'unit' | 'amount' | 'startsOn' | 'endsOn'> &
  Pick<LineDelivery, 'delivered' | 'pace' | 'forecast' | 'through'>

/** A line that is behind, in the words of the program's page. */
function behindLineText({ market, unit, amount, startsOn, endsOn, pace, ...known }: BehindLine): string {
  const told = { ...known, line: { unit, amount, startsOn, endsOn }, state: 'behind' as const, shiftsWithoutData: 0 }
  return `${market}: ${paceSentence(pace)}, ${deliveredWords(told)}. ${forecastWords(told)}`
}

const behindText = (behind: BehindData): string =>
  behind.lines
    ? behind.lines.map(behindLineText).join('\n')
    : `Of ${behind.plannedHours} shift hours planned until now, ${behind.drivenHours} were driven (${formatPercent(behind.drivenHours / behind.plannedHours)}).`

/** A published proof of performance, to the client's users first of all. */
async function ofReport({ data }: OutboundEvent, db: Db): Promise<EventNotice | undefined> {
  const programUid = textOf(data.programUid)
  const program = await db.selectFrom('client_program').select('name').where('uid', '=', programUid).executeTakeFirst()
  return (
    program && {
      kind: 'reportReady',
      subject: `${program.name}: report ready`,
      text: `A new version of the POP of ${program.name} is published.`,
      path: `/client-pop?open=${programUid}`,
      programUid,
    }
  )
}

interface DropData {
  programUid: string
  program: string
  causeId: number
  shiftUid: string | null
  lost: DeliveredFigures
  sentences: string[]
}

const LISTED_DROPS = 5

function amountLost(amount: number, figure: keyof DeliveredFigures, word: string): string {
  if (figure === 'metres') return formatDistance(amount)
  return figure === 'seconds' ? formatMinutes(Math.ceil(amount / 60)) : countOf(amount, word)
}

/** What a program has lost: once for each program and cause, with the shift whose times can be corrected. */
function ofDrop({ type, uid, data }: OutboundEvent): EventNotice {
  const { programUid, program, causeId, shiftUid, lost, sentences } = data as unknown as DropData
  const { figure, word } = figureWords.find((each) => lost[each.figure] > 0) ?? figureWords[0]
  const more = sentences.length - LISTED_DROPS
  const ending = more > 0 ? [`${countOf(more, 'more day')} in the History of the program.`] : []
  return {
    kind: 'playsDropped',
    key: `${type} ${programUid} ${causeId || uid}`,
    subject: `${program} lost ${amountLost(lost[figure], figure, word)}`,
    text: [...sentences.slice(0, LISTED_DROPS), ...ending].join('\n'),
    path: shiftUid ? `/schedule/program-schedule?open=${shiftUid}` : `/client-programs?open=${programUid}&tab=history`,
    programUid,
    shiftUid,
  }
}

/** What each type of event tells; undefined if there is nothing to tell. */
const noticeOf: Record<string, (event: OutboundEvent, db: Db) => EventNotice | Promise<EventNotice | undefined>> = {
  'shift.late': ofShift,
  'shift.noShow': ofShift,
  'shift.lateOver': ofShift,
  'shift.driverMessage': ofShift,
  'shift.truckRequested': ofShift,
  'shift.declined': ofShift,
  'shift.dispatchMessage': ofShift,
  'device.offline': ofDevice,
  'device.online': ofDevice,
  'pop.published': ofReport,
  'figures.dropped': ofDrop,
  'photo.waiting': ({ data }) => ({
    kind: 'photoWaiting',
    subject: `${textOf(data.program)}: photos to approve`,
    text: `${data.photos === 1 ? '1 photo waits' : `${Number(data.photos)} photos wait`} for approval.`,
    path: `/client-pop?open=${textOf(data.programUid)}`,
    programUid: textOf(data.programUid),
  }),
  'delivery.behind': ({ data }) => ({
    kind: 'campaignBehind',
    subject: `${textOf(data.program)} is behind`,
    text: behindText(data as BehindData),
    path: `/client-programs?open=${textOf(data.programUid)}`,
    programUid: textOf(data.programUid),
  }),
  'proposal.accepted': ({ data }) => ({
    kind: 'proposalAccepted',
    subject: `${textOf(data.program)}: proposal accepted`,
    text: `${textOf(data.acceptedBy)} accepted the proposal “${textOf(data.title)}”.`,
    path: `/client-programs?open=${textOf(data.programUid)}&tab=proposals`,
    programUid: textOf(data.programUid),
  }),
  'backup.failed': ({ data }) => ({
    kind: 'backupFailed',
    subject: 'Backup failed',
    text: `A backup could not be completed: ${textOf(data.reason)}`,
    path: '/notifications',
  }),
  'backup.damaged': ({ data }) => ({
    kind: 'backupFailed',
    subject: 'Backup failed its check',
    text: `The backup in ${textOf(data.folder)} failed its check: ${textOf(data.reason)}`,
    path: '/notifications',
  }),
  'storage.filling': ({ data }) => ({
    kind: 'storageFull',
    subject: `Storage filling up on ${textOf(data.host)}`,
    text: `The disk of ${textOf(data.folder)} on ${textOf(data.host)} has ${inGb(data.freeBytes)} of ${inGb(data.totalBytes)} left.`,
    path: '/notifications',
  }),
  'storage.freed': ({ object }) => ({
    kind: 'storageFull',
    subject: 'Storage has room again',
    text: `The disk has room again: ${object.replace(/^storage /, '')}.`,
    path: '/notifications',
    endOf: 'storage.filling ',
  }),
  'webhook.paused': ({ data }) => ({
    kind: 'webhookPaused',
    subject: `Webhook paused: ${textOf(data.url)}`,
    text: `No more events are sent to ${textOf(data.url)}. ${textOf(data.sentence)}`.trim(),
    path: '/notifications',
  }),
}

export const eventNoticeHandler: EventHandler = {
  types: Object.keys(noticeOf),
  async handle(db, event, context) {
    const { type, uid, object } = event
    const made = await noticeOf[type]?.(event, db)
    if (!made) return
    const { only, endOf, ...notice } = made
    const told = endOf ? await notifiedOf(db, object, `${endOf}%`) : only
    await notify(db, context, { key: `${type} ${uid}`, object, ...notice }, { only: told })
  },
}
