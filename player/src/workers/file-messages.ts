import type { FileProblem, WantedFile } from './artwork-folder.ts'

/** What the page asks of the worker that keeps the files. */
export type FileRequest = { id: number } & (
  | { act: 'list' }
  | { act: 'isIntact'; sha256: string }
  | { act: 'remove'; sha256: string }
  | { act: 'download'; file: WantedFile }
)

export type FileReply =
  | { id: number; bytes: number }
  | { id: number; done: unknown }
  | { id: number; problem: FileProblem | 'failed'; text: string }
