import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '../runtime/app-error.ts'
import type { DecodingLimits } from './limits.ts'
import { type ProcessUse, readProcessUse } from './process-use.ts'
import type { FileSource, FromDecoder, ToDecoder } from './task-file.ts'

/** Why a decoder has ended: what its file exceeded, the node that stops, or by itself. */
export type EndReason = 'memory' | 'time' | 'stopped' | 'crashed'

/** A decoder ended before it had read its file. */
export class DecoderEnded extends Error {
  constructor(readonly reason: EndReason) {
    super(`The decoder has ended: ${reason}.`)
  }
}

export type DecoderAnswer = Exclude<FromDecoder, { kind: 'read' | 'exhausted' }>

export interface DecoderWork {
  task: Extract<ToDecoder, { kind: 'run' }>
  source: FileSource
}

const program = fileURLToPath(new URL('./decoder-program.js', import.meta.url))

const LOOK_MS = 50
// A decoder that waits for the processor is given so many times its processor time.
const WALL_FACTOR = 4
// A storage that takes longer for some bytes is away, and others wait for the decoder.
const READING_MS = 15_000
const MOST_FILES = 200
// What is left of earlier files must leave space for the next one.
const WORN_MEMORY_SHARE = 0.4
const FULL_SHARE = 0.6
// Between two looks a decoder may take some more memory, and beyond this the system gives it none.
const SPARE_MB = 128
// The system ends a decoder whose node is gone; a running node replaces it long before.
const LIFETIME_FACTOR = 12
const WORN_FACTOR = 10
const NICENESS = 10

/**
 * Starts Node with what the system limits: memory, processor time, no files written, no core dumps, less of the processor
 * than the node gets. Where the shell or the system lacks a limit, the others hold.
 */
const LIMITED = [
  'for limit in "-c 0" "-f 0" "-d $DATA_KB" "-t $LIFETIME_SECONDS"; do ulimit $limit 2>/dev/null || true; done',
  `command -v nice >/dev/null && exec nice -n ${NICENESS} "$0" "$@"`,
  'exec "$0" "$@"',
].join('\n')

/** Nothing of the node's own environment: it holds secrets. */
const environmentOf = ({ memoryMb, processorSeconds }: DecodingLimits) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  DATA_KB: String((memoryMb + SPARE_MB) * 1024),
  LIFETIME_SECONDS: String(processorSeconds * LIFETIME_FACTOR),
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '2',
  // A decoder writes no files: what is too large for memory fails.
  VIPS_DISC_THRESHOLD: '100g',
})

function start(limits: DecodingLimits): ChildProcess {
  const flags = [`--max-old-space-size=${limits.memoryMb}`, '--max-semi-space-size=8']
  const child = spawn('/bin/sh', ['-c', LIMITED, process.execPath, ...flags, program], {
    env: environmentOf(limits),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  child.unref()
  child.channel?.unref()
  return child
}

interface Running extends DecoderWork {
  settle: (error: unknown, answer?: DecoderAnswer) => void
  startedAt: number
  before: ProcessUse | undefined
  /** When it began to wait for bytes of its source; undefined while it does not. */
  readingSince: number | undefined
}

/** One process that reads one file after another. */
export class DecoderProcess {
  readonly #child: ChildProcess
  readonly #limits: DecodingLimits
  #running: Running | undefined
  readonly #onGone: () => void
  #files = 0
  #hasEnded = false
  #isEnding = false
  #reason: EndReason | undefined
  #residentMb = 0
  #leave!: () => void
  /** Settles when the system has the process's memory back. */
  readonly exited = new Promise<void>((resolve) => (this.#leave = resolve))

  constructor(limits: DecodingLimits, onGone: () => void) {
    this.#limits = limits
    this.#onGone = onGone
    this.#child = start(limits)
    this.#child.on('message', (message: FromDecoder) => this.#onMessage(message))
    // A process that cannot be started has an error and no exit.
    this.#child.on('error', () => this.#onEnd())
    this.#child.on('exit', () => this.#onEnd())
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether it reads no more files. */
  get isEnding(): boolean {
    return this.#isEnding || this.#hasEnded
  }

  /** Whether it has read no file but the one that it reads or has read last. */
  get isFresh(): boolean {
    return this.#files <= 1
  }

  /** Whether a new process would be better: what libraries leave behind adds up. */
  get isWorn(): boolean {
    const use = this.#use()
    const isFull = use !== undefined && use.residentMb > this.#limits.memoryMb * WORN_MEMORY_SHARE
    const isOld = use !== undefined && use.processorMs > this.#limits.processorSeconds * WORN_FACTOR * 1000
    return this.#files >= MOST_FILES || isFull || isOld
  }

  /** Reads one file. */
  async run(work: DecoderWork): Promise<DecoderAnswer> {
    if (this.isEnding) throw new DecoderEnded(this.#reason ?? 'crashed')
    this.#files++
    this.#residentMb = 0
    const looking = setInterval(() => this.#look(), LOOK_MS)
    try {
      return await new Promise((resolve, reject) => {
        this.#running = {
          ...work,
          settle: (error, answer) => (answer ? resolve(answer) : reject(error)),
          startedAt: performance.now(),
          before: this.#use(),
          readingSince: undefined,
        }
        this.#send(work.task)
      })
    } finally {
      clearInterval(looking)
      this.#running = undefined
    }
  }

  end(reason: EndReason): void {
    if (this.isEnding) return
    this.#isEnding = true
    this.#reason = reason
    this.#child.kill('SIGKILL')
  }

  #use(): ProcessUse | undefined {
    return this.pid === undefined ? undefined : readProcessUse(this.pid)
  }

  #send(message: ToDecoder): void {
    // Its end is noticed by the exit.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #onMessage(message: FromDecoder): void {
    const running = this.#running
    if (!running) return
    if (message.kind === 'read') void this.#answerRead(running, message)
    else if (message.kind === 'exhausted') this.end('memory')
    else running.settle(undefined, message)
  }

  async #answerRead(running: Running, { id, start, length }: Extract<FromDecoder, { kind: 'read' }>): Promise<void> {
    running.readingSince = performance.now()
    try {
      this.#send({ kind: 'bytes', id, bytes: await running.source.read(start, length) })
    } catch (error) {
      // Its task waits for bytes that do not come.
      running.settle(error)
      this.end('crashed')
    } finally {
      running.readingSince = undefined
    }
  }

  #onEnd(): void {
    this.#hasEnded = true
    this.#leave()
    this.#onGone()
    this.#running?.settle(new DecoderEnded(this.#reason ?? this.#ownReason()))
  }

  /** Why it ended by itself: the system gave it no more memory or time before a look saw it, or it crashed. */
  #ownReason(): EndReason {
    // It could not be started.
    if (this.pid === undefined) return 'stopped'
    if (this.#child.signalCode === 'SIGXCPU') return 'time'
    return this.#residentMb > this.#limits.memoryMb * FULL_SHARE ? 'memory' : 'crashed'
  }

  #look(): void {
    const running = this.#running
    if (!running) return
    const { memoryMb, processorSeconds } = this.#limits
    const use = this.#use()
    this.#residentMb = use?.residentMb ?? 0
    if (this.#residentMb > memoryMb) return this.end('memory')
    const processorMs = (use?.processorMs ?? 0) - (running.before?.processorMs ?? 0)
    if (processorMs > processorSeconds * 1000) return this.end('time')
    const now = performance.now()
    // The file is not at fault where its bytes do not come.
    if (running.readingSince !== undefined && now - running.readingSince > READING_MS) {
      running.settle(new AppError('unavailable'))
      return this.end('stopped')
    }
    if (now - running.startedAt > processorSeconds * WALL_FACTOR * 1000) this.end('time')
  }
}
