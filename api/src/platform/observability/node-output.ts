import type { Logger } from 'pino'
import { StartError } from '../runtime/start-error.ts'
import { runningWork, workOfContext } from '../runtime/named-work.ts'
import { createLogger, type LogOptions, nodeLog } from './log.ts'
import { strayErrors } from './metrics.ts'

/** What a node writes: in production only lines of JSON, at a terminal sentences for the person before it. */
export interface NodeOutput {
  /** The log. Its level is `info` until the settings are read. */
  logger: Logger
  /** A sentence about starting or stopping. It is written at every log level. */
  say: (sentence: string) => void
  /** The reason why the process ends. */
  fail: (error: unknown) => void
}

export function openOutput({ isJson, redactPath }: { isJson: boolean } & Pick<LogOptions, 'redactPath'>): NodeOutput {
  const logger = createLogger({ level: 'info', redactPath })
  if (!isJson) {
    return {
      logger,
      // oxlint-disable-next-line no-console
      say: (sentence) => console.log(sentence),
      // oxlint-disable-next-line no-console
      fail: (error) => console.error(error instanceof StartError ? error.message : error),
    }
  }
  // A child would follow the level of the other.
  const always = createLogger({ level: 'info', redactPath })
  captureOutput(always)
  return {
    logger,
    say: (sentence) => always.info(sentence.trim()),
    fail: (error) => (error instanceof StartError ? always.fatal(error.message) : always.fatal(error)),
  }
}

/**
 * Turns what Node and libraries print into lines of JSON: warnings, and text that they or their threads write to the
 * standard streams. The log writes to the file descriptor itself.
 */
function captureOutput(logger: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => logger.warn(warning))
  captureStream(process.stdout, (text) => logger.info({ printed: 'stdout' }, text))
  captureStream(process.stderr, (text) => logger.warn({ printed: 'stderr' }, text))
}

/**
 * Errors that no one caught. A promise that no one awaited ends nothing: it is logged under the name of its work, or beside
 * the names of what is running. What is thrown outside of all promises ends the process, unless it is of named work.
 */
export function catchStrayErrors({ logger, fail }: NodeOutput): void {
  const log = nodeLog(logger)
  const note = (error: unknown, work: string | undefined) => {
    strayErrors.inc({ work: work ?? 'unknown' })
    log(error, { job: work ?? `one of these: ${runningWork().join(', ') || 'none'}` })
  }
  process.on('unhandledRejection', (error) => note(error, workOfContext()))
  process.on('uncaughtException', (error) => {
    const work = workOfContext()
    if (work !== undefined) return note(error, work)
    fail(error)
    process.exit(1)
  })
}

/** Each write is an event: a stack stays together. */
function captureStream(stream: NodeJS.WriteStream, log: (text: string) => void): void {
  const write = (chunk: Uint8Array | string, encoding?: unknown, done?: unknown): boolean => {
    const text = (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()).trimEnd()
    if (text !== '') log(text)
    const callback = typeof encoding === 'function' ? encoding : done
    if (typeof callback === 'function') process.nextTick(callback)
    return true
  }
  stream.write = write
}
