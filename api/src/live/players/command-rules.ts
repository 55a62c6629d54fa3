import {
  COMMAND_SECONDS,
  type DeviceCommandAnswer,
  type DeviceCommandKind,
  type DeviceCommandState,
} from '@roadshow/contract'

interface StoredAnswer {
  state: DeviceCommandState
  /** The reason that the device gave. */
  reason: string
  /** Whether the device was connected, so that the command was passed on. */
  wasSent: boolean
}

/** What came of a command, in a sentence; empty where the state says it all. */
export function answerText({ state, reason, wasSent }: StoredAnswer): string {
  if (state !== 'expired') return reason
  return wasSent
    ? `The screen did not answer within ${COMMAND_SECONDS} seconds.`
    : 'The screen is not connected. Nothing was sent.'
}

const isJpeg = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff

export interface CommandResult {
  state: 'done' | 'refused'
  reason: string
  picture: Buffer | undefined
}

/** The result of a command. Showing the screen is done only with a picture. */
export function commandResult(
  kind: DeviceCommandKind,
  { result, reason = '', picture }: DeviceCommandAnswer,
): CommandResult {
  if (kind !== 'showScreen' || result === 'refused') return { state: result, reason, picture: undefined }
  const bytes = Buffer.from(picture ?? '', 'base64')
  return isJpeg(bytes)
    ? { state: 'done', reason, picture: bytes }
    : { state: 'refused', reason: reason || 'The screen answered without a picture.', picture: undefined }
}
