import type { Readable } from 'node:stream'
import type { UploadTarget } from '@roadshow/contract'

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Where a browser may send one blob, and how. */
export type BlobTarget = Omit<UploadTarget, 'fileUid'>

/** Stores the bytes of files under names. What a file means is in the database. */
export interface BlobStore {
  /** The origin that browsers upload to, if it is not this server. */
  readonly origin?: string
  /** A target for one blob of exactly this size, valid until it expires. */
  uploadTarget(blob: string, size: number): Promise<BlobTarget>
  write(blob: string, content: Buffer, contentType: string): Promise<unknown>
  /** Stores a file of this machine, however large. */
  writeFile: (blob: string, file: string, contentType: string) => Promise<unknown>
  /** Where a complete blob lies, if the store is a folder of this machine. */
  localPath?: (blob: string) => string
  read(blob: string, range?: ByteRange): Promise<Readable>
  /** The size of a complete blob; undefined if there is none. */
  size(blob: string): Promise<number | undefined>
  /** Renames a complete blob. Its upload target does not open the new name. */
  move(from: string, to: string): Promise<unknown>
  /** Complete blobs whose name begins so. Only a store that browsers send to directly has this: it takes any number of bytes. */
  list?(prefix: string): AsyncIterable<{ blob: string; size: number }>
  /** Removes a blob, complete or not, if it exists. */
  remove(blob: string): Promise<unknown>
}

const TARGET_HOURS = 2

/** Long enough for the largest video over a slow connection. */
export const uploadTargetExpiry = (): Date => new Date(Date.now() + TARGET_HOURS * 3_600_000)

declare module 'fastify' {
  interface FastifyInstance {
    /** Where the bytes of files live. */
    blobs: BlobStore
  }
}
