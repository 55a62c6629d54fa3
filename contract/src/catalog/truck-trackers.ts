import * as z from '../platform/zod.ts'
import { requiredLine } from '../platform/common.ts'

/** Sources of positions that are always there have no version of a UUID. */
export const positionSourceUid = z.guid('Not a valid id.')

/** The id of a truck at a source. */
export const trackerId = requiredLine(100)

export const trackerInput = z.strictObject({ sourceUid: positionSourceUid, externalId: trackerId })
export type TrackerInput = z.infer<typeof trackerInput>
