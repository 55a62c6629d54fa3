import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { megabytes } from '../memory.ts'
import type { BenchFigure } from '../report.ts'
import { findLosses, type Losses } from './checks.ts'
import { injectFaults, type MemorySample } from './faults.ts'
import { Findings, IN_TIME_MS } from './findings.ts'
import { attackWithHostileClients, playWithWrongClock } from './hostile.ts'
import { startPeople } from './people.ts'
import { readEndpoints } from './reads.ts'
import { openSoakWorld, type SoakWorld } from './world.ts'

export interface SoakOptions {
  totalMs: number
  killEveryMs: number
  trucks: number
  /** How much faster than real the fleet drives. */
  speed: number
  people: number
  /** How many days of plays, and half as many of positions, the database holds at the start. */
  days?: number
  /** Whether these are in partitions of single days, as versions before made them. */
  isByDay?: boolean
  say: (sentence: string) => void
}

/** Runs load and faults for a while, then reports each figure with its bar, and each problem in words. */
export async function runSoak(options: SoakOptions): Promise<{ figures: BenchFigure[]; problems: string[] }> {
  options.say(`Starting two nodes, ${options.trucks} trucks and ${options.people} people …`)
  const world = await openSoakWorld(options)
  try {
    return await runUnderLoad(world, options)
  } finally {
    await world.close()
  }
}

async function runUnderLoad(world: SoakWorld, options: SoakOptions) {
  const { totalMs, killEveryMs, people, say } = options
  const findings = new Findings()
  const over = new AbortController()
  // Every caller listens for the end of the run.
  setMaxListeners(0, over.signal)
  const { finished } = await startPeople(world, people, findings, over.signal)
  const hostile = Promise.all([
    attackWithHostileClients(world, findings, over.signal),
    playWithWrongClock(world, findings, over.signal),
  ])
  const telling = setInterval(() => say(progress(findings)), 30_000)
  const trouble = await injectFaults(world, findings, { totalMs, killEveryMs })
  clearInterval(telling)
  over.abort()
  await Promise.all([finished, hostile])
  // Confirmations on their way to players still arrive.
  await sleep(1000)
  if (!world.fleet.isRunning()) throw new Error(`The load did not last: ${world.fleet.said()}`)
  await world.fleet.stop()
  const ends = await Promise.all(
    world.nodes.map(async (node) => {
      node.signal('SIGTERM')
      return node.ended()
    }),
  )
  say('Comparing what was promised with what is there …')
  const lost = await findLosses(world.database.url, world.fleet.ledger, findings)
  return report(findings, lost, trouble, ends, totalMs)
}

const progress = ({ actions, calls, retried, failed, reads }: Findings) =>
  `${actions} actions, ${calls} calls, ${retried} tried again, ${failed} failed, ${reads.size} kinds of reads`

type Trouble = Awaited<ReturnType<typeof injectFaults>>

function report(findings: Findings, lost: Losses, trouble: Trouble, ends: unknown[], totalMs: number) {
  const none = (name: string, found: number, ours = String(found)): BenchFigure => ({
    name,
    ours,
    beside: '',
    ratio: '',
    bar: 'none',
    met: found === 0,
  })
  const info = (name: string, ours: string): BenchFigure => ({
    name,
    ours,
    beside: '',
    ratio: '',
    bar: '',
    met: undefined,
  })
  const uncleanEnds = ends.filter((code) => code !== 0).length
  const figures = [
    info('Actions of people, calls they made', `${findings.actions}, ${findings.calls}`),
    info('Calls that were tried again', String(findings.retried)),
    info('Kinds of reads', `${findings.reads.size} of ${readEndpoints.length}`),
    info('Nodes killed, restarts of the database', `${trouble.kills}, ${trouble.restarts}`),
    info('Nodes restarted one after the other', String(trouble.rolled)),
    availabilityFigure(findings, totalMs),
    info('Changes of the live fleet that pages heard', String(findings.fed)),
    none('Actions that failed in spite of trying again', findings.failed),
    none('Answers that say 500', findings.internal.length),
    none('Nodes that ended by themselves, or not well', findings.deaths.length + uncleanEnds),
    none('Calls and hostile clients left hanging', findings.hung.length),
    none('Records promised and lost', lost.records.length, `${lost.records.length} of ${findings.records.size}`),
    none('Records made twice', lost.doubled.length),
    none('Plays promised and lost', lost.plays, `${lost.plays} of ${lost.promisedPlays}`),
    none('Plays stored twice', lost.doubledPlays),
    none('Hours that a recount does not give', lost.hours + lost.addressHours),
    none('Totals of lists that counting does not give', lost.totals.length),
    memoryFigure(trouble.memory),
  ]
  const problems = [...findings.failures, ...findings.internal.slice(0, 10), ...findings.deaths, ...findings.hung]
  return {
    figures,
    problems: [
      ...problems,
      ...findings.late,
      ...lost.records.slice(0, 10),
      ...lost.doubled.slice(0, 10),
      ...lost.totals,
    ],
  }
}

const AIMED_SHARE = 0.9995
// A shorter run has too few calls between its faults for a share of this size.
const LONG_ENOUGH_MS = 600_000

/** The share of calls that people got an answer to in time: the goal of docs/availability.md. */
function availabilityFigure({ asked, answeredInTime }: Findings, totalMs: number): BenchFigure {
  const share = answeredInTime / asked
  const percent = (value: number) => `${(Math.floor(value * 1e5) / 1e3).toFixed(3)} %`
  return {
    name: `Calls answered within ${IN_TIME_MS / 1000} s`,
    ours: percent(share),
    beside: `${asked - answeredInTime} of ${asked} not`,
    ratio: '',
    bar: `≥ ${percent(AIMED_SHARE)}`,
    met: totalMs >= LONG_ENOUGH_MS ? share >= AIMED_SHARE : undefined,
  }
}

const WARM_MS = 120_000
const MOST_PER_MINUTE = 3 * 1024 * 1024

/** Whether the memory of the longest-lived node grew after its warm-up, by the slope of its samples. */
function memoryFigure(memory: MemorySample[][]): BenchFigure {
  const longest = memory.reduce(
    (one, other) => ((other.at(-1)?.ageMs ?? 0) > (one.at(-1)?.ageMs ?? 0) ? other : one),
    [],
  )
  const warm = longest.filter(({ ageMs }) => ageMs >= WARM_MS)
  const peak = Math.max(...memory.flat().map(({ bytes }) => bytes), 0)
  const slope = slopeOf(warm) * 60_000
  const isLongEnough = (warm.at(-1)?.ageMs ?? 0) >= 2 * WARM_MS
  return {
    name: 'Memory of the oldest node, growth a minute',
    ours: isLongEnough ? `${(slope / 1024 / 1024).toFixed(2)} MB` : 'too short to say',
    beside: `most ${megabytes(peak)}`,
    ratio: '',
    bar: `≤ ${megabytes(MOST_PER_MINUTE)}`,
    met: isLongEnough ? slope <= MOST_PER_MINUTE : undefined,
  }
}

/** The slope of the regression line, in bytes per millisecond. */
function slopeOf(samples: MemorySample[]): number {
  const mean = (of: (sample: MemorySample) => number) =>
    samples.reduce((sum, each) => sum + of(each), 0) / samples.length
  const [age, bytes] = [mean(({ ageMs }) => ageMs), mean((each) => each.bytes)]
  const spread = samples.reduce((sum, each) => sum + (each.ageMs - age) ** 2, 0)
  return spread === 0 ? 0 : samples.reduce((sum, each) => sum + (each.ageMs - age) * (each.bytes - bytes), 0) / spread
}
