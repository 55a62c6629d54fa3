import type pg from 'pg'

/** A connection that knows since when the server owes it an answer. */
export interface Waiting {
  readonly waitingSince: number | undefined
  /** Ends the connection at once; whoever waits for an answer hears that there will be none. */
  giveUp(): void
}

/**
 * A server that hangs, or one behind a line that was cut, closes nothing: whoever asked it would wait forever. A
 * statement may take as long as it likes while the server lives, so when one has taken long the server is asked for a
 * sign of life on another connection, and only when there is none, all who wait are told.
 */
export function detectHungConnections(
  open: ReadonlySet<Waiting>,
  isAlive: () => Promise<boolean>,
  patienceMs: number,
): { stop(): void } {
  let isAsking = false

  async function look(): Promise<void> {
    const before = performance.now() - patienceMs
    const waiting = [...open].filter(({ waitingSince }) => waitingSince !== undefined && waitingSince < before)
    // Twice, since on a machine that is out of breath the first sign may come too late.
    if (waiting.length === 0 || (await isAlive()) || (await isAlive())) return
    for (const each of open) if (each.waitingSince !== undefined) each.giveUp()
  }

  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    void look().finally(() => (isAsking = false))
  }, patienceMs / 4)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Asks a server for a sign of life, on a connection of its own. */
export async function answers(probe: pg.Client): Promise<boolean> {
  // Without a listener, what breaks later would end the process.
  probe.on('error', () => {})
  try {
    await probe.connect()
    await probe.query('select 1')
    return true
  } catch (error) {
    // It lives and refuses: too many connections, or just starting.
    return (error as { severity?: string }).severity !== undefined
  } finally {
    void probe.end().catch(() => {})
  }
}
