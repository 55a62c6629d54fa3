import type { ErrorCode } from '@roadshow/contract'
import { Histogram } from 'prom-client'
import { AppError } from '../runtime/app-error.ts'
import {
  type DecoderAnswer,
  DecoderEnded,
  DecoderProcess,
  type DecoderWork,
  type EndReason,
} from './decoder-process.ts'
import { type DecodingLimits, defaultDecodingLimits, heldBytesOf } from './limits.ts'
import { type FileSource, sourceOf, type TaskFile } from './task-file.ts'

const IDLE_MS = 60_000

export const decodingSeconds = new Histogram({
  name: 'roadshow_file_decoding_seconds',
  help: 'Time that files took in a decoder, by how they ended: done, refused, beyond their memory or time, crashed, stopped with the node, or failed.',
  labelNames: ['outcome'] as const,
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
  registers: [],
})

export interface DecoderTask {
  /** The JavaScript file that has the task. */
  module: URL
  name: string
  input: unknown
  source: FileSource
  /** Short work, which does not wait for pictures that came before it. */
  goesFirst: boolean
}

/** Reads files that users send in processes of their own, a few at once. A file that exceeds a limit fails alone. */
export class Decoder {
  readonly #processes = new Set<DecoderProcess>()
  readonly #idle: DecoderProcess[] = []
  readonly #short: (() => void)[] = []
  readonly #long: (() => void)[] = []
  #free: number
  #isClosed = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(readonly limits: DecodingLimits) {
    this.#free = limits.atOnce
  }

  /** The processes that are there, for tests. */
  get pids(): number[] {
    return [...this.#processes].flatMap(({ pid }) => pid ?? [])
  }

  async run({ module, name, input, source, goesFirst }: DecoderTask): Promise<unknown> {
    await this.#takeTurn(goesFirst ? this.#short : this.#long)
    try {
      if (this.#isClosed) throw new AppError('unavailable')
      const limits = { heldBytes: heldBytesOf(this.limits) }
      const task = { kind: 'run', module: module.href, name, input, size: source.size, limits } as const
      const answer = await this.#runInProcess({ task, source })
      if (answer.kind === 'refused') throw new AppError(answer.code satisfies ErrorCode, { text: answer.text })
      if (answer.kind === 'failed') throw new Error(answer.message)
      return answer.result
    } finally {
      this.#giveTurn()
    }
  }

  /** Ends all processes; files that are read now fail, as the node that stops cannot keep them. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    for (const each of this.#processes) each.end('stopped')
  }

  async #takeTurn(queue: (() => void)[]): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => queue.push(resolve))
  }

  #giveTurn(): void {
    const next = this.#short.shift() ?? this.#long.shift()
    if (next) next()
    else this.#free++
  }

  async #runInProcess(work: DecoderWork): Promise<DecoderAnswer> {
    const process = await this.#takeProcess()
    const stop = decodingSeconds.startTimer()
    try {
      const answer = await process.run(work)
      stop({ outcome: answer.kind })
      return answer
    } catch (error) {
      stop({ outcome: error instanceof DecoderEnded ? error.reason : 'failed' })
      if (!(error instanceof DecoderEnded)) throw error
      // What earlier files left behind may have ended it, for which this one is not refused.
      if (error.reason !== 'time' && !process.isFresh && !this.#isClosed) return this.#runInProcess(work)
      throw refusalOf(error.reason, this.limits)
    } finally {
      this.#giveBack(process)
    }
  }

  async #takeProcess(): Promise<DecoderProcess> {
    clearTimeout(this.#idleTimer)
    // A process that is ending still holds memory, and would be one too many beside its successor.
    if (this.#idle.length === 0)
      await Promise.all([...this.#processes].filter(({ isEnding }) => isEnding).map(({ exited }) => exited))
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#isClosed) throw new AppError('unavailable')
    const started: DecoderProcess = new DecoderProcess(this.limits, () => this.#forget(started))
    this.#processes.add(started)
    return started
  }

  #giveBack(process: DecoderProcess): void {
    if (process.isWorn) process.end('stopped')
    else if (!process.isEnding) this.#idle.push(process)
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#endIdle(), IDLE_MS).unref()
  }

  #forget(process: DecoderProcess): void {
    this.#processes.delete(process)
    const at = this.#idle.indexOf(process)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  #endIdle(): void {
    for (const process of this.#idle.splice(0)) process.end('stopped')
  }
}

/** What the sender of a file reads whose decoder has ended. */
function refusalOf(reason: EndReason, { memoryMb }: DecodingLimits): AppError {
  const texts = {
    memory: `This file takes more than ${memoryMb} MB of memory to open. Please make it smaller.`,
    time: 'This file takes too long to open. Please make it smaller, or export it again.',
    crashed: 'This file could not be opened. Please export it again.',
  }
  return reason === 'stopped' ? new AppError('unavailable') : new AppError('fileRefused', { text: texts[reason] })
}

let decoder = new Decoder(defaultDecodingLimits)

/** Sets what the decoders of this node may take. */
export function setDecodingLimits(limits: DecodingLimits): void {
  decoder.close()
  decoder = new Decoder(limits)
}

export const closeDecoder = (): void => decoder.close()

const NO_FILE = sourceOf(Buffer.alloc(0))

type Tasks = Record<string, (input: never, file: TaskFile) => Promise<unknown>>

/** The tasks of a JavaScript file as functions, each of which runs in a decoder. */
export const decoderTasks =
  <Module extends Tasks>(module: URL, { goesFirst = false } = {}) =>
  <Name extends keyof Module & string>(
    name: Name,
    input: Parameters<Module[Name]>[0],
    source: FileSource = NO_FILE,
  ): Promise<Awaited<ReturnType<Module[Name]>>> =>
    decoder.run({ module, name, input, source, goesFirst }) as Promise<Awaited<ReturnType<Module[Name]>>>
