import type pg from 'pg'

/** A connection that knows since when it waits for the server. */
export interface Waiting {
  readonly waitingSince: number | undefined
  /** Ends the connection at once, which fails its statement. */
  giveUp(): void
}

/**
 * A hung server, or one behind a cut line, closes no connection: its callers would wait forever. A statement may take
 * any time while the server lives, so a long one only triggers a probe on another connection. If the probe fails, all
 * waiting statements fail.
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
    // Twice, because on an overloaded machine the first reply may come too late.
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

/** Probes a server on a connection of its own. */
export async function answers(probe: pg.Client): Promise<boolean> {
  // Without a listener, a later error would end the process.
  probe.on('error', () => {})
  try {
    await probe.connect()
    await probe.query('select 1')
    return true
  } catch (error) {
    // The server lives but refuses: too many connections, or it is starting.
    return (error as { severity?: string }).severity !== undefined
  } finally {
    void probe.end().catch(() => {})
  }
}
