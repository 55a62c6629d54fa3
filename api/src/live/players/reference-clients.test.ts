import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Play, RowAck } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { testProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { fleetOf, minutesAgo, type TestDevice } from './test-fleet.ts'

const world = await openWorld()
const { db } = world
const { addRunning, aPlay, openNode } = fleetOf(world)
const url = await openNode()

const fileOf = (name: string) => fileURLToPath(new URL(`../../../../docs/devices/${name}`, import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

const clients: { name: string; isHere: boolean; command: string[] }[] = [
  { name: 'Python', isHere: hasPython, command: ['python3', fileOf('player.py')] },
  { name: 'TypeScript', isHere: true, command: [process.execPath, testProgram('player')] },
]

interface State {
  sequence: number
  outbox: Play[]
  rejected: (Play & RowAck)[]
}

/** Runs a reference player for some rounds of a fifth of a second. */
async function run([program = '', ...args]: string[], { macAddress, key }: TestDevice, file: string, rounds = 1) {
  const child = spawn(program, [...args, url, macAddress, key, file, String(rounds), '0.2'])
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  return { code, said }
}

const newFile = () => path.join(world.folder, `${randomUUID()}.json`)
const write = (file: string, state: State) => writeFile(file, JSON.stringify(state))
const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as State

const storedPlays = (device: TestDevice) =>
  db
    .selectFrom('play')
    .select(['play_id', 'sequence', 'side', 'shift_uid'])
    .where('device_uid', '=', device.uid)
    .orderBy('sequence')
    .execute()

describe.each(clients)('the reference player in $name', ({ isHere, command }) => {
  test.skipIf(!isHere)('gets its plan, plays each side and sends the plays', async () => {
    const { device, shift } = await addRunning()
    const file = newFile()
    expect(await run(command, device, file, 2)).toEqual({ code: 0, said: '' })
    const stored = await storedPlays(device)
    expect(stored.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
    expect(new Set(stored.map(({ side }) => side)).size).toBe(3)
    expect(stored.every(({ shift_uid }) => shift_uid === shift.uid)).toBe(true)
    expect(await read(file)).toEqual({ sequence: 6, outbox: [], rejected: [] })
  })

  test.skipIf(!isHere)(
    'sends again without harm, keeps what is too early, and sets aside what is rejected',
    async () => {
      const { device, art } = await addRunning()
      const file = newFile()
      const at = (minutes: number, side: Play['side'] = 'rear') => ({ startedAt: minutesAgo(minutes), side })
      const good = aPlay(art, { sequence: 1, ...at(20) })
      const early = aPlay(art, { sequence: 2, startedAt: minutesAgo(-60) })
      const wrong = aPlay({ uid: randomUUID(), sha256: art.sha256 }, { sequence: 3, ...at(19) })
      await write(file, { sequence: 3, outbox: [early, good, wrong, good], rejected: [] })
      expect((await run(command, device, file)).code).toBe(0)
      const kept = await read(file)
      expect(kept.outbox.map(({ playId }) => playId)).toEqual([early.playId])
      expect(kept.rejected).toMatchObject([{ playId: wrong.playId, reason: 'Artwork set not found.' }])
      const stored = await storedPlays(device)
      expect(stored.map(({ sequence }) => sequence)).toEqual([1, 4, 5, 6])
      // The answer to the batch was lost: everything is sent once more.
      await write(file, { sequence: 6, outbox: [good, early], rejected: [] })
      expect((await run(command, device, file)).code).toBe(0)
      expect((await read(file)).outbox.map(({ playId }) => playId)).toEqual([early.playId])
      expect((await storedPlays(device)).map(({ sequence }) => sequence)).toEqual([1, 4, 5, 6, 7, 8, 9])
    },
  )

  test.skipIf(!isHere)('stops with the reason when its key is refused', async () => {
    const { device } = await addRunning()
    const answer = await run(command, { ...device, key: 'x'.repeat(43) }, newFile())
    expect(answer).toEqual({ code: 1, said: 'Wrong device key. Please pair this device again.\n' })
  })
})
