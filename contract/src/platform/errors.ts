import * as z from './zod.ts'
import { inTheWay } from './in-the-way.ts'
import { DEFAULT_ERROR } from './constants.ts'

/** Every error the API can answer: its status and its sentence for a person. */
export const errors = {
  badInput: [400, 'Please fix the highlighted fields.'],
  badJson: [400, 'The request body is not valid JSON.'],
  badText: [400, 'The text contains characters that cannot be stored.'],
  badRequest: [400, 'The request could not be read. Please try again.'],
  webSocketOnly: [
    400,
    'This server accepts WebSocket connections only. Set transports: ["websocket"], or open /socket.io/?EIO=4&transport=websocket.',
  ],
  signedOut: [401, 'Your session has ended. Please sign in again.'],
  keyInvalid: [401, 'This API key is unknown, has expired or was ended.'],
  wrongPassword: [401, 'Wrong email or password.'],
  singleSignOnFailed: [401, 'The sign-in did not go through. Please start again.'],
  singleSignOnExpired: [
    401,
    'This sign-in has expired, was already used, or began in another browser. Please start again.',
  ],
  singleSignOnCanceled: [401, 'The sign-in was canceled. Nothing has changed.'],
  secondFactorAsked: [401, 'Almost there. Now enter your second factor.'],
  secondFactorWrong: [401, 'This code is wrong or was already used. Please try the next one.'],
  recoveryCodeWrong: [401, 'This recovery code is wrong or was already used.'],
  passkeyRefused: [401, "This passkey can't be used here. Please try again or sign in another way."],
  signInExpired: [401, 'Your sign-in took too long. Please enter your password again.'],
  deviceUnknown: [401, 'Unknown MAC address. Please add the device first.'],
  deviceKey: [401, 'Wrong device key. Please pair this device again.'],
  deviceRevoked: [401, 'The key of this device was revoked. Please pair it again.'],
  deviceKind: [403, "This kind of device can't use this channel."],
  keyRefused: [403, "API keys can't be used here. Please sign in instead."],
  keyScope: [403, "This API key doesn't allow this call."],
  forbidden: [403, "You don't have permission to do this."],
  singleSignOnUnknown: [403, 'There is no account for you here yet. Ask an administrator to invite you.'],
  singleSignOnUnverified: [
    403,
    "Your company sign-in doesn't confirm your email address, so we can't find your account. Ask an administrator.",
  ],
  singleSignOnNoRole: [403, 'Your company sign-in no longer gives you access here. Ask an administrator.'],
  accountDeleted: [403, 'Your account was deleted. Ask an administrator to restore it.'],
  passwordSignInOff: [403, 'Passwords are not used here. Please sign in with your company account.'],
  secondFactorNeeded: [403, 'Your role needs a second factor. Please set one up to continue.'],
  proofNeeded: [403, "Please confirm that it's you before you change how you sign in."],
  proofWrong: [403, "That's not right. Please try again."],
  pageLocked: [403, 'This page needs a password.'],
  notFound: [404, 'Not found. It may have been deleted.'],
  noGpsData: [404, 'No GPS data from this truck in these hours, so there is no track to export.'],
  singleSignOnOff: [404, 'Company sign-in is not set up here.'],
  noSuchCall: [404, 'Endpoint not found.'],
  notTheDemo: [409, "These data are not the demo's. Nothing was deleted."],
  staleVersion: [409, 'Someone else changed this record. Reload to see their changes.'],
  numberTaken: [409, 'Another truck already has this number.'],
  plateTaken: [409, 'Another truck already has this plate.'],
  vinTaken: [409, 'Another truck already has this VIN.'],
  geotabTaken: [409, 'Another truck already has this Geotab device.'],
  macTaken: [409, 'Another device already has this MAC address.'],
  notAScreen: [409, 'Only players take commands.'],
  screenUnpaired: [409, 'This screen is not paired. Please pair it first.'],
  inspectionItemTaken: [409, 'Another inspection item already has this name.'],
  repairCertified: [409, 'This repair is certified already. Reload to see by whom.'],
  pixelMapTaken: [409, 'Another pixel map already has this name.'],
  pixelMapUsed: [409, 'Trucks still use this pixel map.'],
  pairingRefused: [403, 'This code is wrong, expired or already used. Please request a new one.'],
  clientNameTaken: [409, 'Another client already has this name.'],
  programNameTaken: [409, 'This client already has a program with this name.'],
  popUrlTaken: [409, 'Another program already has this POP address.'],
  popEmpty: [
    409,
    'There is nothing to publish yet: approve a photo, or wait until a shift of the program has miles or plays.',
  ],
  photoNeedsMarket: [409, 'Choose a market first: an approved photo appears in its market.'],
  popNeverPublished: [409, 'This POP has never been published. Please publish it first.'],
  proposalNotDraft: [409, 'Only a draft program can be proposed. Copy the program to propose it again.'],
  proposalNothingBooked: [409, 'Nothing is booked yet. Add what you offer under Booked first.'],
  shiftClash: [409, 'The truck or the driver already has a shift at that time.'],
  programInactive: [409, 'The program is not active. Confirm to plan the shift anyway.'],
  figuresDiffer: [409, "The figures of this program don't add up, so its page can't be published now."],
  outOfService: [409, 'The truck is in the shop or the driver is off at that time.'],
  stretchTaken: [409, 'There is another time out of service in these days. Change that one instead.'],
  shiftsInTheWay: [409, 'Shifts are planned at that time. Move or cancel them first.'],
  undoRefused: [409, "This can't be undone any more."],
  shiftStops: [409, 'A planned stop of this shift is outside its hours or its limits.'],
  fillRefused: [409, 'Some of these shifts can no longer be planned. Nothing was saved.'],
  fillState: [409, 'This proposal is no longer open. Start Fill again.'],
  shiftMove: [409, "This change isn't possible for this shift."],
  payPeriodClosed: [409, 'The pay period of that day is already approved or locked.'],
  payPeriodTaken: [409, 'Some of these days are in a pay period that is approved or locked.'],
  webhookState: [409, "This isn't possible for this webhook."],
  payPeriodMove: [409, "This change isn't possible for this pay period."],
  payUndecided: [409, 'Some shifts still need a decision on their pay.'],
  payChanged: [409, 'The figures have changed. Reload and review them before you approve.'],
  payFileRefused: [409, "The file can't be created."],
  payrollIdTaken: [409, 'Another user already has this payroll ID.'],
  deletionUnconfirmed: [409, 'Plays, pay or a published page are behind this record. Confirm to delete it anyway.'],
  restoreRefused: [409, "This can't be restored any more."],
  stillNeeded: [409, 'This is still in use.'],
  uploadLink: [403, "This upload link isn't valid for this file."],
  fileLink: [403, "This file link has expired or isn't valid. Reload the page to get a new one."],
  uploadOffset: [409, 'The upload is out of step. Please retry.'],
  uploadUnfinished: [409, 'The upload is incomplete. Please continue it.'],
  fileRefused: [422, "This file can't be used."],
  uploadQuota: [409, 'You have too many uploaded files that no record uses yet.'],
  fileUsed: [409, 'This file is in use by a record.'],
  artworkNameTaken: [409, 'This program already has an artwork set with this name.'],
  artworkIncomplete: [409, 'Add a file for each of the three sides before you approve this set.'],
  artworkFitsNone: [409, 'This artwork fits none of the trucks. Enter a reason to approve it anyway.'],
  artworkChanged: [409, 'The files have changed. Please review them before you approve.'],
  marketTaken: [409, 'This state already has a market with this name.'],
  marketNeeded: [409, 'Trucks or programs still use this market.'],
  addressSetTaken: [409, 'This program already has an address set with this name.'],
  labelTaken: [409, 'Two addresses have the same label.'],
  unreadableTable: [422, 'This file could not be read as a table. Please use a CSV or XLSX file.'],
  emailTaken: [409, 'Another user already has this email address.'],
  emailOfDeleted: [409, 'A deleted user has this email address. You can restore that user.'],
  lastAdmin: [409, 'This is the last active admin with the Users module. Give another admin that module first.'],
  lastAdminByClaim: [
    409,
    'Your company sign-in takes the role Admin from you, but you are the last admin here. Make another user an admin first.',
  ],
  lastWayIn: [409, 'This is your only way to sign in. Set a password or add a passkey first.'],
  ownAccount: [409, "You can't delete your own account. Ask another admin."],
  lastFactor: [409, 'Your role needs a second factor, and this is your last one. Add another one first.'],
  passkeyNotAdded: [422, 'The passkey could not be registered. Please try again.'],
  noFactor: [409, 'Recovery codes come with a second factor. Please add a passkey or an authenticator app first.'],
  notInvited: [409, 'This user has signed in or set a password already, so there is no invitation to send again.'],
  ownFactors: [409, "You can't reset your own second factor. Change it under Sign-in & access, or ask another admin."],
  messageNotOver: [409, 'Only a message that was not delivered or was canceled can be sent again.'],
  messageNotWaiting: [409, 'This message is being sent right now or is done already.'],
  passkeyTaken: [409, 'This passkey is already registered.'],
  tooManyPasskeys: [409, 'You already have 20 passkeys. Remove one that you no longer use first.'],
  setupExpired: [409, 'The setup took too long. Please start again.'],
  keyReused: [409, 'This Idempotency-Key was used for a different request.'],
  logoutTokenRefused: [400, 'This logout token is not valid.'],
  resetTokenUsed: [400, 'This link has expired or was already used. Please request a new one.'],
  tooManyColumns: [409, 'Too many lists have columns of your own. Reset the columns of some lists first.'],
  tooManyRows: [413, 'An Excel sheet holds at most 1,048,576 rows. Please export as CSV, or narrow the filters.'],
  tooLarge: [413, 'The request is too large.'],
  wrongMediaType: [415, "This kind of content isn't accepted here."],
  tooMany: [429, 'Too many attempts. Please wait a moment and try again.'],
  internal: [500, DEFAULT_ERROR],
  singleSignOnAway: [503, "The company sign-in can't be reached right now. Please try again in a minute."],
  codeAppUnreadable: [
    503,
    "One-time codes can't be checked right now. Use a passkey or a recovery code, or ask an admin to reset your second factor.",
  ],
  unavailable: [503, 'The service is unavailable right now. Please try again in a moment.'],
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
  inTheWay: inTheWay.optional(),
  /** The second step of signing in: the token to send along, until when it works, and which factors the user has. */
  secondFactor: z
    .strictObject({
      token: z.string(),
      expiresAt: z.iso.datetime(),
      factors: z.array(z.enum(['passkey', 'code', 'recoveryCode'])),
      /** The page that a sign-in with the identity provider leads to afterwards. */
      next: z.string().optional(),
    })
    .optional(),
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
