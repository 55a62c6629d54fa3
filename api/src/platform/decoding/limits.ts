import { availableParallelism } from 'node:os'

/** What the decoders of a node may take. */
export interface DecodingLimits {
  /** Resident memory of one decoder, in megabytes. */
  memoryMb: number
  /** Processor time for one file, in seconds. */
  processorSeconds: number
  /** How many files are decoded at once, each by a decoder of its own. */
  atOnce: number
}

/** One processor stays free for the node. */
export const defaultDecodingLimits: DecodingLimits = {
  memoryMb: 320,
  processorSeconds: 30,
  atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)),
}

const MB = 1024 * 1024
// The rest is Node, the libraries, and what libraries need beside a decoded picture.
const HELD_SHARE = 0.6

/** What may be held of one file. */
export const heldBytesOf = ({ memoryMb }: DecodingLimits): number => Math.floor(memoryMb * MB * HELD_SHARE)
