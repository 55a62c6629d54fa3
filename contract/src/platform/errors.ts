import * as z from './zod.ts'
import { DEFAULT_ERROR } from './constants.ts'

/** Every error the API can answer: its status and its sentence for a person. */
export const errors = {
  badInput: [400, 'Some of what was sent is not right. Please check the marked fields.'],
  badJson: [400, 'The request body is not valid JSON.'],
  badText: [400, 'The text contains characters that cannot be stored.'],
  badRequest: [400, 'The request could not be read.'],
  signedOut: [401, 'You are not signed in, or your session has ended. Please sign in again.'],
  wrongPassword: [401, 'The email address or the password is not right.'],
  deviceUnknown: [401, 'No device with this MAC address is known here.'],
  deviceKey: [401, 'The key of this device is not right. Please pair it again.'],
  deviceRevoked: [401, 'The key of this device was taken back. Please pair it again.'],
  deviceKind: [403, 'A device of this kind may not use this channel.'],
  forbidden: [403, 'You may not do this.'],
  notFound: [404, 'There is nothing here. It may have been deleted.'],
  noSuchCall: [404, 'There is no such call.'],
  staleVersion: [409, 'Someone changed this record meanwhile. Reload it to see what changed.'],
  numberTaken: [409, 'Another truck has this number.'],
  plateTaken: [409, 'Another truck has this plate.'],
  vinTaken: [409, 'Another truck has this VIN.'],
  geotabTaken: [409, 'Another truck has this Geotab device.'],
  macTaken: [409, 'Another device has this MAC address.'],
  pixelMapTaken: [409, 'Another pixel map has this name.'],
  pixelMapUsed: [409, 'Trucks still use this pixel map.'],
  pairingRefused: [403, 'The code is not right, has expired or was used already. Ask for a new one.'],
  clientNameTaken: [409, 'Another client has this name.'],
  programNameTaken: [409, 'This client has another program with this name.'],
  popUrlTaken: [409, 'Another program has this POP address.'],
  popEmpty: [
    409,
    'There is nothing to publish yet: approve a photo, or wait until a truck has driven for the program.',
  ],
  popNeverPublished: [409, 'This POP has never been published. Please publish it first.'],
  shiftClash: [409, 'The truck or the driver has another shift at that time.'],
  shiftMove: [409, 'This shift cannot be changed like that.'],
  payPeriodClosed: [409, 'The pay period of that day is approved or locked.'],
  payPeriodTaken: [409, 'Another period that is approved or locked has some of these days.'],
  payPeriodMove: [409, 'The period cannot be changed like that.'],
  payChanged: [409, 'The figures changed meanwhile. Reload them and look again before approving.'],
  payFileRefused: [409, 'The file cannot be made.'],
  payrollIdTaken: [409, 'Another user has this payroll id.'],
  stillNeeded: [409, 'Something else still needs this.'],
  uploadLink: [403, 'This upload link is not valid for this file.'],
  fileLink: [403, 'This link to a file is not valid or has expired. Reload the page to get a new one.'],
  uploadOffset: [409, 'The upload goes on at another place.'],
  uploadUnfinished: [409, 'The file has not arrived completely. Please go on with the upload.'],
  fileRefused: [422, 'This file cannot be used.'],
  fileUsed: [409, 'A record uses this file.'],
  artworkNameTaken: [409, 'This program has another artwork set with this name.'],
  artworkIncomplete: [409, 'Each of the three sides needs a file before the set can be approved.'],
  artworkChanged: [409, 'The files changed meanwhile. Please look at them again before approving.'],
  marketTaken: [409, 'There is a market of this name and state already.'],
  marketNeeded: [409, 'Trucks or programs still need this market.'],
  addressSetTaken: [409, 'The program has an address set of this name already.'],
  labelTaken: [409, 'Two addresses have the same label.'],
  unreadableTable: [422, 'The file could not be read as a table. Please send a CSV or XLSX file.'],
  emailTaken: [409, 'Another user has this email address.'],
  emailOfDeleted: [409, 'A deleted user has this email address. You can restore that user.'],
  lastAdmin: [409, 'This is the last active admin with the module Users. Somebody must be able to let others in.'],
  ownAccount: [409, 'You cannot delete your own account. Another admin can.'],
  keyReused: [409, 'This Idempotency-Key was used for a different request.'],
  resetTokenUsed: [400, 'This link has expired or was used already. Please ask for a new one.'],
  tooManyRows: [413, 'An Excel sheet holds at most 1,048,576 rows. Please export as CSV, or narrow the filters.'],
  tooLarge: [413, 'What was sent is too large.'],
  wrongMediaType: [415, 'This kind of content is not accepted here.'],
  tooMany: [429, 'Too many attempts. Please wait a little and try again.'],
  internal: [500, DEFAULT_ERROR],
  unavailable: [503, 'The service is not available right now. Please try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type ErrorCode = keyof typeof errors

const codes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]

/** The body of every answer that is not a success. */
export const errorBody = z.strictObject({
  error: z.string(),
  code: z.enum(codes),
  /** Form field to its message. */
  fields: z.record(z.string(), z.string()).optional(),
  /** Row number to the messages of its cells, for uploads. */
  rows: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** The record in the way, where the caller can do something about it. */
  conflict: z.strictObject({ uid: z.string(), name: z.string() }).optional(),
  /** The shifts in the way of the one that was sent. */
  clashes: z.array(z.strictObject({ uid: z.string(), over: z.enum(['truck', 'driver']), name: z.string() })).optional(),
  /** Found in the server's log, for errors that are ours. */
  id: z.string().optional(),
})
export type ErrorBody = z.infer<typeof errorBody>

/** The sentence an error carries, or the default one. */
export function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return DEFAULT_ERROR
  const { error: own } = error as { error?: unknown }
  return typeof own === 'string' && own !== '' ? own : DEFAULT_ERROR
}
