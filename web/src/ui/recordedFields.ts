import { locatedByLabel } from '@roadshow/contract/catalog/addresses'
import { artworkStatusLabel } from '@roadshow/contract/catalog/artwork'
import { deviceKindLabel } from '@roadshow/contract/catalog/devices'
import { programStatusLabel } from '@roadshow/contract/catalog/programs'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import { truckKindLabel, truckStateLabel } from '@roadshow/contract/catalog/trucks'
import { payPeriodStateLabel } from '@roadshow/contract/pay/pay-periods'
import { payOptionLabel, shiftStatusLabel } from '@roadshow/contract/planning/shift-status'
import { formatDistance } from '@roadshow/contract/platform/geo'
import { roleLabel } from '@roadshow/contract/platform/permissions'
import { photoStatusLabel } from '@roadshow/contract/proof/photos'

/** The words for values: for each key its own, or a sentence made of the value. */
export type Words = Record<string, string> | ((value: unknown) => string)

/** The label of every field that a history records, where the form of its record has none of its own. */
export const recordedLabels: Readonly<Record<string, string>> = {
  address: 'Address',
  addressSet: 'SD addresses',
  approvedAt: 'Approved',
  approvedBy: 'Approved by',
  approvedHash: 'Approved files',
  artworkSet: 'Artwork set',
  caption: 'Caption',
  cents: 'Amount',
  client: 'Client',
  codeExpiresAt: 'Code until',
  contacts: 'Contacts',
  coverPhoto: 'Cover photo',
  createdBy: 'Added by',
  decision: 'Decision',
  depots: 'Depots',
  driver: 'Driver',
  driverSideArtwork: 'Driver side',
  eightHoursCents: '8-hour day',
  email: 'Email',
  endTime: 'End',
  endsOn: 'Ends on',
  eventId: 'Report number',
  geotabDeviceId: 'Geotab device',
  halfDayCents: 'Half day',
  headline: 'Headline',
  height: 'Height',
  homeMarket: 'Home market',
  isShown: 'Shown',
  key: 'Setting',
  kind: 'Kind',
  label: 'Label',
  latitude: 'Latitude',
  localDate: 'Date',
  locatedBy: 'Located by',
  logoFile: 'Logo',
  longitude: 'Longitude',
  macAddress: 'MAC address',
  market: 'Market',
  modules: 'Modules',
  name: 'Name',
  note: 'Note',
  number: 'Number',
  openedAt: 'Opened',
  originalName: 'File name',
  outline: 'Outline',
  pairedAt: 'Paired',
  passengerSideArtwork: 'Passenger side',
  payOption: 'Pay option',
  payRates: 'Pay rates',
  payrollId: 'Payroll ID',
  phone: 'Phone',
  photoFile: 'Photo',
  pitchUm: 'Pixel pitch',
  pixelMap: 'Pixel map',
  placeSource: 'Location from',
  plate: 'Plate',
  popUrl: 'POP address',
  program: 'Program',
  radiusM: 'Radius',
  raisedBy: 'Raised by',
  rearArtwork: 'Rear',
  reason: 'Reason',
  resolvedAt: 'Resolved',
  revokedAt: 'Revoked',
  role: 'Role',
  shift: 'Shift',
  shownVersion: 'Shown version',
  sides: 'Sides',
  startTime: 'Start',
  startedAt: 'Started',
  spotSeconds: 'Spot length in seconds',
  startsOn: 'Starts on',
  state: 'State',
  status: 'Status',
  stoppedAt: 'Stopped',
  takenAt: 'Taken',
  takenBy: 'Taken by',
  text: 'Text',
  timeSource: 'Time from',
  timesReason: 'Reason for the corrected times',
  truck: 'Truck',
  twelveHoursCents: '12-hour day',
  validFrom: 'Valid from',
  value: 'Value',
  vin: 'VIN',
  width: 'Width',
  zone: 'Time zone',
}

const money = (cents: unknown) => (Number(cents) / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const source = { exif: 'Camera', typed: 'Entered by hand' }

/** The words for values of recorded fields, where the form of the record has none of its own. */
export const recordedWords: Readonly<Record<string, Words>> = {
  cents: money,
  decision: { pay: 'Pay', doNotPay: 'Do not pay' },
  eightHoursCents: money,
  halfDayCents: money,
  kind: { ...issueKindLabel, ...truckKindLabel, ...deviceKindLabel },
  locatedBy: locatedByLabel,
  payOption: payOptionLabel,
  pitchUm: (micrometers) => `${Number(micrometers) / 1000} mm`,
  placeSource: source,
  radiusM: (meters) => formatDistance(Number(meters)),
  raisedBy: { server: 'The system', driver: 'The driver' },
  role: roleLabel,
  state: { ...truckStateLabel, ...payPeriodStateLabel },
  status: {
    ...artworkStatusLabel,
    ...programStatusLabel,
    ...issueStatusLabel,
    ...shiftStatusLabel,
    ...photoStatusLabel,
  },
  timeSource: source,
  twelveHoursCents: money,
}
