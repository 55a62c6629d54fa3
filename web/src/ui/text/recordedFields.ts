import { formatRadius } from '@roadshow/contract/platform/distance'
import { formatClock, formatDay, weekdayName } from '@roadshow/contract/platform/dates'
import { formatCount, formatDollars, formatPhone } from '@roadshow/contract/platform/figures'
import { locatedByLabel } from '@roadshow/contract/catalog/addresses'
import { artworkStatusLabel } from '@roadshow/contract/catalog/artwork'
import { bookedUnitLabel } from '@roadshow/contract/catalog/booked-lines'
import { deviceKindLabel } from '@roadshow/contract/catalog/devices'
import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { programStatusLabel } from '@roadshow/contract/catalog/programs'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import { truckKindLabel, truckStateLabel } from '@roadshow/contract/catalog/trucks'
import { payPeriodStateLabel } from '@roadshow/contract/pay/pay-periods'
import { payOptionLabel, shiftStatusLabel } from '@roadshow/contract/planning/shift-status'
import { rotationShareLabel } from '@roadshow/contract/planning/rotation-lines'
import { formatDistance } from '@roadshow/contract/platform/geo'
import { languageLabel } from '@roadshow/contract/platform/languages'
import { roleLabel } from '@roadshow/contract/platform/permissions'
import { photoStatusLabel } from '@roadshow/contract/proof/photos'

/** The words for values: for each key its own, or a sentence made of the value. */
export type Words = Record<string, string> | ((value: unknown) => string)

/** The label of every field that a history records, where the form of its record has none of its own. */
export const recordedLabels: Readonly<Record<string, string>> = {
  accuracyM: 'Accuracy',
  actId: 'Report number',
  address: 'Address',
  addressSet: 'SD addresses',
  amount: 'Amount',
  approvalReason: 'Reason for approval',
  approvedAt: 'Approved',
  approvedBy: 'Approved by',
  approvedHash: 'Approved files',
  artworkSet: 'Artwork set',
  assignee: 'Assigned to',
  at: 'Time',
  bookedLine: 'Booked line',
  caption: 'Caption',
  cents: 'Amount',
  client: 'Client',
  codeExpiresAt: 'Code valid until',
  comment: 'Comment',
  contacts: 'Contacts',
  counterJump: 'Play counter',
  coverPhoto: 'Cover photo',
  createdBy: 'Added by',
  decision: 'Decision',
  declineReason: 'Reason for declining',
  defects: 'Defects',
  depots: 'Depots',
  dispatchMessage: 'Message from dispatch',
  driver: 'Driver',
  driverAnswer: 'Driver’s answer',
  driverMessage: 'Message from the driver',
  driverSideArtwork: 'Driver side',
  earlierZones: 'Earlier time zones',
  eightHoursCents: '8-hour day',
  email: 'Email',
  endsAt: 'Until',
  endsOn: 'Ends on',
  endTime: 'End',
  eventId: 'Report number',
  figures: 'Delivered plays',
  geotabDeviceId: 'Geotab device',
  halfDayCents: 'Half day',
  fromTime: 'From',
  headline: 'Headline',
  height: 'Height',
  homeMarket: 'Home market',
  isActive: 'Active',
  isOnEveryTruck: 'On every truck',
  isShown: 'Shown',
  issueKind: 'Type of issue',
  key: 'Setting',
  kind: 'Type',
  label: 'Label',
  language: 'Language',
  latitude: 'Latitude',
  localDate: 'Date',
  locatedBy: 'Located by',
  logoFile: 'Logo',
  longitude: 'Longitude',
  macAddress: 'MAC address',
  market: 'Market',
  modules: 'Modules',
  name: 'Name',
  nameEs: 'Name in Spanish',
  note: 'Note',
  number: 'Number',
  openedAt: 'Opened',
  originalName: 'File name',
  outline: 'Outline',
  pairedAt: 'Paired',
  passengerSideArtwork: 'Passenger side',
  passwordSetAt: 'Password set',
  payOption: 'Pay option',
  payRates: 'Pay rates',
  payrollId: 'Payroll ID',
  phone: 'Phone',
  phoneAt: 'Time on the phone',
  phoneTakenAt: 'Time by the phone’s clock',
  photoFile: 'Photo',
  pitchUm: 'Pixel pitch',
  pixelMap: 'Pixel map',
  placeSource: 'Location from',
  plate: 'Plate',
  popUrl: 'POP address',
  position: 'Order',
  priceCents: 'Price',
  program: 'Program',
  proposal: 'Proposal',
  radiusM: 'Radius',
  raisedBy: 'Reported by',
  rearArtwork: 'Rear',
  reason: 'Reason',
  rejection: 'Rejected because',
  requestDismissed: 'Request dismissed',
  requestedTruck: 'Requested truck',
  requestNote: 'Note on the request',
  resolvedAt: 'Resolved',
  revokedAt: 'Revoked',
  role: 'Role',
  rotationLine: 'Rotation',
  share: 'Shown by',
  shift: 'Shift',
  shopTime: 'In the shop',
  shownVersion: 'Shown version',
  side: 'Side',
  sides: 'Sides',
  signedBy: 'Signed by',
  snoozedUntil: 'Snoozed until',
  spotSeconds: 'Spot length in seconds',
  startedAt: 'Started',
  startsAt: 'From',
  startsOn: 'Starts on',
  startTime: 'Start',
  state: 'State',
  status: 'Status',
  stoppedAt: 'Stopped',
  stops: 'Planned stops',
  takenAt: 'Taken',
  takenBy: 'Taken by',
  text: 'Text',
  timeSource: 'Time from',
  timeOff: 'Time off',
  timesReason: 'Reason for the corrected times',
  title: 'Title',
  toTime: 'To',
  tracker: 'Trackers',
  truck: 'Truck',
  twelveHoursCents: '12-hour day',
  unit: 'Unit',
  validFrom: 'Valid from',
  value: 'Value',
  vin: 'VIN',
  weekdays: 'Days',
  width: 'Width',
  zone: 'Time zone',
}

const jumpWords = { open: 'not decided', missing: 'missing', set: 'the counter was set' }
const jumpText = (jump: unknown) => {
  const { from, to, answer } = jump as { from: number; to: number; answer: keyof typeof jumpWords }
  return `${formatCount(from)}–${formatCount(to)}: ${jumpWords[answer]}`
}
const money = (cents: unknown) => formatDollars(Number(cents))
const clockText = (time: unknown) => formatClock(String(time).slice(0, 5))
const source = { exif: 'Camera', phone: 'Phone', typed: 'Entered by hand' }

/** The words for values of recorded fields, where the form of the record has none of its own. */
export const recordedWords: Readonly<Record<string, Words>> = {
  accuracyM: (meters) => `within ${formatDistance(Number(meters))}`,
  cents: money,
  counterJump: jumpText,
  decision: { pay: 'Pay', doNotPay: 'Do not pay' },
  driverAnswer: { confirmed: 'Confirmed', declined: 'Declined' },
  earlierZones: (zones) =>
    (zones as { zone: string; until: string }[])
      .map(({ zone, until }) => `${zone} before ${formatDay(until)}`)
      .join('\n'),
  eightHoursCents: money,
  fromTime: clockText,
  halfDayCents: money,
  issueKind: issueKindLabel,
  kind: { ...issueKindLabel, ...truckKindLabel, ...deviceKindLabel },
  language: languageLabel,
  locatedBy: locatedByLabel,
  payOption: payOptionLabel,
  phone: (phone) => formatPhone(String(phone)),
  pitchUm: (micrometers) => `${Number(micrometers) / 1000} mm`,
  placeSource: source,
  priceCents: money,
  radiusM: (meters) => formatRadius(Number(meters)),
  raisedBy: { server: 'The system', driver: 'The driver', staff: 'Dispatch' },
  role: roleLabel,
  share: rotationShareLabel,
  side: truckSideLabel,
  state: { ...truckStateLabel, ...payPeriodStateLabel },
  status: {
    ...artworkStatusLabel,
    ...programStatusLabel,
    ...issueStatusLabel,
    ...shiftStatusLabel,
    ...photoStatusLabel,
  },
  timeSource: source,
  toTime: clockText,
  twelveHoursCents: money,
  unit: bookedUnitLabel,
  weekdays: (days) => (days as number[]).map((day) => weekdayName(day)).join(', '),
}
