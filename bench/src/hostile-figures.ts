import { fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Recipient } from '@roadshow/test-kit/hostile/send'
import { addBenchProgram } from './fill-pop.ts'
import { p99 } from './load.ts'
import { heldBytes, MB, megabytes, peakDuring } from './memory.ts'
import { type BenchFigure, times } from './report.ts'
import { waitsDuring } from './waits.ts'
import { type BenchWorld, openSessions } from './world.ts'

const IDLE_MS = 20_000
const READER_MS = 20
const PEOPLE = 2
const MOST_SLOWER = 1.5
const MOST_GROWTH = 400 * MB

/** Files as attackers send them, by two people at once: what a reader notices, and what our server and its decoders hold. */
export async function* measureHostileFiles(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const { uid, market } = await addBenchProgram(world, 'hostile')
  const tokens = await openSessions(world, PEOPLE)
  const people = tokens.map((token): Recipient => ({ url: world.ours, token, programUid: uid, marketUid: market }))
  const sender = await startSender()
  const idle = await waitsDuring(world, () => sleep(IDLE_MS), READER_MS)
  const before = await heldBytes(world.pid)
  const ready: boolean[] = []
  const look = async () => void ready.push((await fetch(`${world.ours}/readyz`)).ok)
  let peak = 0
  const work = async () => (peak = await peakDuring(world.pid, () => sender.send(people), look))
  const busy = await waitsDuring(world, work, READER_MS)
  sender.end()
  const name = `${sender.files} hostile files by ${PEOPLE} people at once`
  const [ours, beside, growth] = [p99(busy), p99(idle), peak - before]
  yield {
    name: `${name}: a list of trucks, 99 % of the calls, beside an idle server`,
    ours: `${ours.toFixed(1)} ms`,
    beside: `${beside.toFixed(1)} ms`,
    ratio: times(ours / beside),
    bar: `≤ ${MOST_SLOWER} ×`,
    met: ours / beside <= MOST_SLOWER,
  }
  yield {
    name: `${name}: memory of our server and its decoders, growth at its peak`,
    ours: megabytes(growth),
    beside: `${megabytes(before)} before`,
    ratio: '',
    bar: `≤ ${megabytes(MOST_GROWTH)}`,
    met: growth <= MOST_GROWTH,
  }
  yield {
    name: `${name}: /readyz is green`,
    ours: `${ready.filter(Boolean).length} of ${ready.length}`,
    beside: '',
    ratio: '',
    bar: 'all',
    met: ready.every(Boolean),
  }
}

/** Starts a process that sends the files: it is another machine's work, which the reader must not wait for. */
async function startSender(): Promise<{
  files: number
  send: (people: Recipient[]) => Promise<void>
  end: () => void
}> {
  const sender = fork(fileURLToPath(new URL('hostile-sender.js', import.meta.url)))
  os.setPriority(sender.pid ?? NaN, os.constants.priority.PRIORITY_LOW)
  const [files] = (await once(sender, 'message')) as [number]
  const send = async (people: Recipient[]) => {
    sender.send(people)
    const [failure] = (await once(sender, 'message')) as [string]
    if (failure) throw new Error(failure)
  }
  return { files, send, end: () => sender.disconnect() }
}
