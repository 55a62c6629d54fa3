import { type Shift, shiftStatusLabel, takesTruck } from '@roadshow/contract'

const MAX_OCTETS = 75

/** Text as a value: what has a meaning in iCalendar is escaped. */
const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')

/** `20260701T130000Z` */
const utc = (instant: string) => `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** A line in pieces of at most 75 octets; a character is never cut in two, and each further piece begins with a space. */
function folded(line: string): string {
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

const descriptionOf = ({ start, end, zone, client, artworkSet, addressSet, note, status, reason }: Shift) =>
  [
    `${start}–${end} (${zone})`,
    `Client: ${client.name}`,
    ...(artworkSet ? [`Artwork: ${artworkSet.name}`] : []),
    ...(addressSet ? [`SD addresses: ${addressSet.name}`] : []),
    `Status: ${shiftStatusLabel[status]}`,
    ...(reason ? [`Reason: ${reason}`] : []),
    ...(note ? ['', note] : []),
  ].join('\n')

interface Calendar {
  brandName: string
  /** Where people reach the console. */
  publicUrl: string
  /** Whose shifts these are. */
  name: string
}

const eventOf = (shift: Shift, publicUrl: string): string[] => [
  'BEGIN:VEVENT',
  `UID:${shift.uid}@${new URL(publicUrl).hostname}`,
  // The same as long as the shift is: a reader that compares sees no change where there is none.
  `DTSTAMP:${utc(shift.updatedAt)}`,
  `LAST-MODIFIED:${utc(shift.updatedAt)}`,
  `CREATED:${utc(shift.createdAt)}`,
  `SEQUENCE:${shift.version}`,
  `STATUS:${takesTruck(shift.status) ? 'CONFIRMED' : 'CANCELLED'}`,
  `DTSTART:${utc(shift.startsAt)}`,
  `DTEND:${utc(shift.endsAt)}`,
  `SUMMARY:${escaped(`${shift.truck.name}, ${shift.program.name}`)}`,
  `LOCATION:${escaped(shift.market.name)}`,
  `DESCRIPTION:${escaped(descriptionOf(shift))}`,
  `URL:${publicUrl}/schedule/program-user-schedule?date=${shift.date}`,
  'END:VEVENT',
]

/** Shifts as an iCalendar object (RFC 5545). */
export function icsOf(shifts: readonly Shift[], { brandName, publicUrl, name }: Calendar): string {
  const title = escaped(`${brandName}: ${name}`)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(brandName)}//Shifts//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...shifts.flatMap((shift) => eventOf(shift, publicUrl)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}
