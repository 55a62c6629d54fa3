import type { Readable } from 'node:stream'
import type { UploadTarget } from '@roadshow/contract'

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Where a browser may send one blob, and how. */
type BlobTarget = Omit<UploadTarget, 'fileUid'>

/** Where the bytes of files live. Blobs have names and bytes; what they are to the business stands in the database. */
export interface BlobStore {
  /** Where browsers send uploads to, unless it is this server. */
  readonly origin?: string
  /** A target for one blob of exactly this size, usable until it expires. */
  uploadTarget(blob: string, size: number): Promise<BlobTarget>
  write(blob: string, content: Buffer, contentType: string): Promise<void>
  read(blob: string, range?: ByteRange): Promise<Readable>
  /** How many bytes a finished blob has; undefined while there is none. */
  size(blob: string): Promise<number | undefined>
  /** Gives a finished blob another name, under which nobody holds a target. */
  move(from: string, to: string): Promise<void>
  /** Removes a blob, finished or not, if it is there. */
  remove(blob: string): Promise<void>
}

const TARGET_HOURS = 2

/** Long enough for the largest video over a slow line. */
export const uploadTargetExpiry = (): Date => new Date(Date.now() + TARGET_HOURS * 3_600_000)

declare module 'fastify' {
  interface FastifyInstance {
    /** Where the bytes of files live. */
    blobs: BlobStore
  }
}
