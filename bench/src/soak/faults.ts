import { setTimeout as sleep } from 'node:timers/promises'
import type { TestNode } from '@roadshow/test-kit/nodes'
import { memoryOf } from '../memory.ts'
import type { Findings } from './findings.ts'
import type { SoakWorld } from './world.ts'

export interface MemorySample {
  /** Since the node was started, and what it held, in bytes. */
  ageMs: number
  bytes: number
}

const CALM_MS = 3000
const LOOK_MS = 1000
const SAMPLE_MS = 5000
const RESTART_MS = 1000
// Restarting both nodes takes longer than a short run has.
const ROLLS_FROM_MS = 120_000

/** Looks after nodes as a service manager does: whichever has ended is started again. */
class Supervisor {
  readonly #findings: Findings
  readonly #expected = new Set<TestNode>()
  readonly #busy = new Set<TestNode>()
  readonly #startedAt = new Map<TestNode, number>()
  /** What each node held over its life, one list for each time it was started. */
  readonly memory: MemorySample[][] = []
  readonly #current = new Map<TestNode, MemorySample[]>()

  constructor(nodes: readonly TestNode[], findings: Findings) {
    this.#findings = findings
    for (const node of nodes) this.#begins(node)
  }

  #begins(node: TestNode): void {
    const samples: MemorySample[] = []
    this.memory.push(samples)
    this.#current.set(node, samples)
    this.#startedAt.set(node, Date.now())
  }

  async kill(node: TestNode): Promise<void> {
    if (this.#busy.has(node)) return
    this.#expected.add(node)
    await node.stop('SIGKILL')
  }

  /** Stops a node as an upgrade does, and starts it again. */
  async restart(node: TestNode): Promise<void> {
    if (this.#busy.has(node)) return
    this.#busy.add(node)
    await node.stop('SIGTERM')
    await this.#startAgain(node)
  }

  look(node: TestNode): void {
    if (node.isRunning || this.#busy.has(node)) return
    this.#busy.add(node)
    if (!this.#expected.delete(node)) this.#findings.deaths.push(node.log.slice(-2000))
    void this.#startAgain(node)
  }

  async #startAgain(node: TestNode): Promise<void> {
    // While the database is away a node cannot start, and says so; then it is started once more.
    do await sleep(RESTART_MS)
    while (
      !(await node.start().then(
        () => true,
        () => false,
      ))
    )
    this.#begins(node)
    this.#busy.delete(node)
  }

  async sample(node: TestNode): Promise<void> {
    if (!node.pid || !node.isRunning || this.#busy.has(node)) return
    const { now } = await memoryOf(node.pid).catch(() => ({ now: 0 }))
    if (now > 0) this.#current.get(node)?.push({ ageMs: Date.now() - (this.#startedAt.get(node) ?? 0), bytes: now })
  }

  isSettled(nodes: readonly TestNode[]): boolean {
    return this.#busy.size === 0 && nodes.every((node) => node.isRunning)
  }

  /** Until every node runs. */
  async settled(nodes: readonly TestNode[]): Promise<void> {
    while (!this.isSettled(nodes)) await sleep(100)
  }
}

interface Schedule {
  totalMs: number
  killEveryMs: number
}

/**
 * Restarts the nodes one after the other, kills nodes and takes the database away until the time is over; all run again
 * then. One node lives on from a quarter of the time: whether memory grows is seen in a long life only.
 */
export async function injectFaults(
  { nodes, database }: SoakWorld,
  findings: Findings,
  { totalMs, killEveryMs }: Schedule,
): Promise<{ memory: MemorySample[][]; kills: number; restarts: number; rolled: number }> {
  const supervisor = new Supervisor(nodes, findings)
  const [first, second] = nodes
  const began = Date.now()
  const restarts: { at: number; how: 'fast' | 'immediate' }[] = [
    { at: totalMs * 0.4, how: 'fast' },
    { at: totalMs * 0.75, how: 'immediate' },
  ]
  let [kills, away, rolled, sampledAt, calmUntil] = [0, 0, 0, 0, 0]
  // However long the database takes to come back: all of the trouble is made, and not all at once.
  while (Date.now() - began < totalMs || away < restarts.length || kills === 0) {
    const now = Date.now() - began
    if (now >= (kills + 1) * killEveryMs && (now < totalMs - killEveryMs / 2 || kills === 0)) {
      await supervisor.kill(kills % 2 === 1 && now < totalMs / 4 ? second : first)
      kills++
    }
    if (totalMs >= ROLLS_FROM_MS && rolled === 0 && now >= totalMs * 0.1 && supervisor.isSettled(nodes)) {
      for (const node of nodes) await supervisor.restart(node)
      rolled = nodes.length
    }
    const due = restarts[away]
    if (due && now >= Math.max(due.at, calmUntil)) {
      await database.restart(due.how)
      away++
      calmUntil = Date.now() - began + CALM_MS
    }
    for (const node of nodes) supervisor.look(node)
    if (now - sampledAt >= SAMPLE_MS) {
      sampledAt = now
      for (const node of nodes) await supervisor.sample(node)
    }
    await sleep(LOOK_MS)
  }
  await supervisor.settled(nodes)
  return { memory: supervisor.memory, kills, restarts: away, rolled }
}
