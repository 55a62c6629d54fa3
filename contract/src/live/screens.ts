import * as z from '../platform/zod.ts'
import { instant, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { deviceCommandKinds, screenHealth } from './device-events.ts'
import type { DeviceCommandKind } from './device-events.ts'

export const deviceCommandLabel: Record<DeviceCommandKind, string> = {
  showScreen: 'Show screen',
  restart: 'Restart',
  download: 'Download files again',
  testPattern: 'Test pattern',
  blank: 'Black screen',
  volumeOff: 'Volume off',
  volumeOn: 'Volume on',
  reload: 'Reload the player',
}

/** Waiting for the answer of the screen; expired without one. */
export const deviceCommandStates = ['waiting', 'done', 'refused', 'expired'] as const
export type DeviceCommandState = (typeof deviceCommandStates)[number]
export const deviceCommandStateLabel: Record<DeviceCommandState, string> = {
  waiting: 'Waiting',
  done: 'Done',
  refused: 'Refused',
  expired: 'No answer',
}

/** How long a screen has to answer a command. */
export const COMMAND_SECONDS = 30
/** How long a test pattern or a black screen lasts unless the caller says otherwise. */
export const PATTERN_SECONDS = 60
/** How long the picture of a screen is kept. */
export const SCREEN_PICTURE_MINUTES = 60

const kind = z.enum(deviceCommandKinds, 'Choose one of the commands.')
const seconds = 'Must be a whole number from 1 to 3600.'

const givenCommand = z.strictObject({
  uid,
  kind,
  state: z.enum(deviceCommandStates),
  /** The result in a sentence; empty where the state says it all. */
  answer: z.string(),
  by: namedRef,
  askedAt: instant,
  answeredAt: instant.nullable(),
  /** Whether there is a picture of the screen that can still be loaded. */
  hasPicture: z.boolean(),
})
export type GivenCommand = z.infer<typeof givenCommand>

const screenState = z.strictObject({
  deviceUid: uid,
  macAddress: z.string(),
  isPaired: z.boolean(),
  seenAt: instant.nullable(),
  /** The newest report of its health; null before the first. */
  health: z
    .strictObject({
      at: instant,
      appVersion: z.string(),
      freeBytes: z.int().nullable(),
      hasGpsFix: z.boolean(),
      /** How far its clock is ahead of the server's, as the server measured it. */
      clockOffsetMs: z.int(),
      screen: screenHealth.nullable(),
    })
    .nullable(),
  /** The newest first. */
  commands: z.array(givenCommand),
})
export type ScreenState = z.input<typeof screenState>

const view = { module: 'trucks', needs: 'view' } as const
const edit = { module: 'trucks', needs: 'edit' } as const

export const screens = {
  list: endpoint({
    method: 'GET',
    path: 'trucks/{uid}/screens',
    access: view,
    summary: 'The players of a truck: how they are, and the newest commands with their answers.',
    follows: ['screens', 'devices'],
    concerns: ({ truckUid }, { params }) => truckUid === undefined || truckUid === params?.['uid'],
    // Health reports come now and then; answers to commands are announced.
    atLeastEvery: 10,
    added: true,
    params: z.strictObject({ uid }),
    reply: one(z.array(screenState)),
  }),
  command: endpoint({
    method: 'POST',
    path: 'devices/{uid}/commands',
    access: edit,
    keys: false,
    summary: `Sends a command to a paired player, which has ${COMMAND_SECONDS} seconds to answer. The same command is not sent twice while the first one waits.`,
    added: true,
    params: z.strictObject({ uid }),
    body: z.strictObject({
      kind,
      /** How long a test pattern or a black screen lasts. */
      seconds: z.int(seconds).min(1, seconds).max(3600, seconds).nullable().prefault(null),
    }),
    reply: one(givenCommand),
  }),
  picture: endpoint({
    method: 'GET',
    path: 'device-commands/{uid}/picture',
    access: view,
    rate: 'picture',
    summary: `The picture that a screen answered with, as a JPEG, for ${SCREEN_PICTURE_MINUTES} minutes.`,
    follows: [],
    added: true,
    params: z.strictObject({ uid }),
    // Answers with the picture itself instead of JSON.
    reply: z.unknown(),
  }),
}
