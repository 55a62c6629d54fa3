import { blocksTruck, DRIVER_PATH, formatClocks, type Language, type Shift } from '@roadshow/contract'
import { calendarWords } from './words.ts'

const MAX_OCTETS = 75

/** Escapes the characters that have a meaning in iCalendar. */
const escapeText = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')

/** `20260701T130000Z` */
const formatUtc = (instant: string) => `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** Folds a line into pieces of at most 75 octets without splitting a character; further pieces start with a space. */
function foldLine(line: string): string {
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const sign of line) {
    const length = Buffer.byteLength(sign)
    if (octets + length > MAX_OCTETS) {
      pieces.push(piece)
      piece = ' '
      octets = 1
    }
    piece += sign
    octets += length
  }
  return [...pieces, piece].join('\r\n')
}

function descriptionOf(shift: Shift, language: Language): string {
  const { start, end, zone, client, artworkSet, addressSet, note, status, reason } = shift
  const words = calendarWords[language]
  return [
    `${formatClocks({ start, end }, language)} (${zone})`,
    words.client(client.name),
    ...(artworkSet ? [words.artwork(artworkSet.name)] : []),
    ...(addressSet ? [words.addresses(addressSet.name)] : []),
    words.status(words.statuses[status]),
    ...(reason ? [words.reason(reason)] : []),
    ...(note ? ['', note] : []),
  ].join('\n')
}

interface Calendar {
  brandName: string
  /** The address of the console. */
  publicUrl: string
  /** The name of the driver. */
  name: string
  language: Language
  /** Whether the driver uses the drivers' app, where the shifts then open. */
  hasDriverApp: boolean
}

type EventOptions = Pick<Calendar, 'publicUrl' | 'language' | 'hasDriverApp'>

const linkTo = ({ uid, date }: Shift, { publicUrl, hasDriverApp }: EventOptions): string =>
  hasDriverApp ? `${publicUrl}${DRIVER_PATH}/shifts/${uid}` : `${publicUrl}/schedule/program-user-schedule?date=${date}`

const eventOf = (shift: Shift, options: EventOptions): string[] => [
  'BEGIN:VEVENT',
  `UID:${shift.uid}@${new URL(options.publicUrl).hostname}`,
  // Equal as long as the shift is unchanged, so that calendar apps see no change.
  `DTSTAMP:${formatUtc(shift.updatedAt)}`,
  `LAST-MODIFIED:${formatUtc(shift.updatedAt)}`,
  `CREATED:${formatUtc(shift.createdAt)}`,
  `SEQUENCE:${shift.version}`,
  `STATUS:${blocksTruck(shift.status) ? 'CONFIRMED' : 'CANCELLED'}`,
  `DTSTART:${formatUtc(shift.startsAt)}`,
  `DTEND:${formatUtc(shift.endsAt)}`,
  `SUMMARY:${escapeText(`${shift.truck.name}, ${shift.program.name}`)}`,
  `LOCATION:${escapeText(shift.market.name)}`,
  `DESCRIPTION:${escapeText(descriptionOf(shift, options.language))}`,
  `URL:${linkTo(shift, options)}`,
  'END:VEVENT',
]

/** Renders shifts as an iCalendar object (RFC 5545). */
export function renderCalendar(shifts: readonly Shift[], calendar: Calendar): string {
  const { brandName, name, language } = calendar
  const title = escapeText(`${brandName}: ${name}`)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(brandName)}//Shifts//${language.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...shifts.flatMap((shift) => eventOf(shift, calendar)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}
