/** The limits that a task checks from headers, before it decodes anything. */
interface TaskLimits {
  /** What a task may hold in memory of one file, the file itself included. */
  heldBytes: number
}

/** A file as a task in the decoder's process sees it: it fetches the bytes that it needs. */
export interface TaskFile {
  size: number
  /** Reads bytes; fewer at the end of the file. */
  read(start: number, length: number): Promise<Buffer>
  whole(): Promise<Buffer>
  limits: TaskLimits
}

/** Where the node reads the bytes of a file that a task asks for. */
export interface FileSource {
  size: number
  read(start: number, length: number): Promise<Buffer>
}

export const sourceOf = (content: Buffer): FileSource => ({
  size: content.length,
  read: async (start, length) => content.subarray(start, start + length),
})

/** A message to the decoder's process: work, or bytes that its task asked for. */
export type ToDecoder =
  | { kind: 'run'; module: string; name: string; input: unknown; size: number; limits: TaskLimits }
  | { kind: 'bytes'; id: number; bytes: Buffer }

/** A message of the decoder's process. */
export type FromDecoder =
  | { kind: 'read'; id: number; start: number; length: number }
  | { kind: 'done'; result: unknown }
  | { kind: 'refused'; code: 'fileRefused' | 'badInput' | 'tooLarge' | 'unreadableTable'; text: string }
  | { kind: 'failed'; message: string }
  /** The system gave it no more memory. */
  | { kind: 'exhausted' }
