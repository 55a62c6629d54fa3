import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '../runtime/app-error.ts'
import { Decoder } from './decoder.ts'
import { type FileSource, sourceOf } from './task-file.ts'

// Tasks as hostile files would have them.
const TASKS = `
  import { writeFileSync } from 'node:fs'
  let files = 0
  export const read = async (input, file) => (await file.whole()).toString()
  export const spin = async () => { for (;;); }
  export const fill = async () => { const all = []; for (;;) { all.push(Buffer.alloc(4e6, 1)); await new Promise(setImmediate) } }
  export const burst = async () => Buffer.alloc(2e9, 1).length
  export const crash = async () => process.kill(process.pid, 'SIGSEGV')
  export const crashIfUsed = async () => { if (files++ > 0) process.kill(process.pid, 'SIGSEGV'); return process.pid }
  export const environment = async () => Object.keys(process.env).join(' ')
  export const write = async (path) => writeFileSync(path, 'mine')
  export const fail = async () => { throw new Error('a mistake of ours') }
  export const wait = async (ms) => { await new Promise((resolve) => setTimeout(resolve, ms)); return process.pid }
`
const module = new URL(`data:text/javascript,${encodeURIComponent(TASKS)}`)

let decoder: Decoder
afterEach(() => decoder.close())

function open(limits: Partial<Decoder['limits']> = {}) {
  decoder = new Decoder({ memoryMb: 192, processorSeconds: 5, atOnce: 1, ...limits })
  return (name: string, input: unknown = {}, source: FileSource = sourceOf(Buffer.alloc(0)), goesFirst = false) =>
    decoder.run({ module, name, input, source, goesFirst })
}

const refused = (text: RegExp) => expect.objectContaining({ code: 'fileRefused', message: expect.stringMatching(text) })

describe('a decoder', () => {
  test('reads one file after another in the same process, whatever their size', async () => {
    const run = open()
    const large = Buffer.alloc(9_000_000, 'x')
    expect(await run('read', {}, sourceOf(large))).toBe(large.toString())
    expect(await run('wait', 0)).toBe(await run('wait', 0))
    expect(decoder.pids).toHaveLength(1)
  })

  test('ends when a file takes too much memory, by and by or at once; the next file is read', async () => {
    const run = open()
    await expect(run('fill')).rejects.toEqual(refused(/more than 192 MB of memory/))
    await expect(run('burst')).rejects.toEqual(refused(/more than 192 MB of memory/))
    expect(await run('read', {}, sourceOf(Buffer.from('fine')))).toBe('fine')
  })

  test('ends when a file takes too much time of the processor', async () => {
    const run = open({ processorSeconds: 1 })
    await expect(run('spin')).rejects.toEqual(refused(/takes too long/))
    expect(await run('read', {}, sourceOf(Buffer.from('fine')))).toBe('fine')
  })

  test('may crash: its file fails, and the node goes on', async () => {
    const run = open()
    await expect(run('crash')).rejects.toEqual(refused(/could not be opened/))
    await vi.waitFor(() => expect(decoder.pids).toEqual([]))
    expect(await run('wait', 0)).toEqual(expect.any(Number))
  })

  test('that an earlier file has damaged does not refuse the next one', async () => {
    const run = open()
    const first = await run('crashIfUsed')
    expect(await run('crashIfUsed')).not.toBe(first)
  })

  test('knows no settings and writes no files', async () => {
    const run = open()
    vi.stubEnv('DATABASE_URL', 'postgres://secret')
    const names = String(await run('environment')).split(' ')
    expect(names).not.toContain('DATABASE_URL')
    expect(names).not.toContain('HOME')
    await expect(run('write', `/tmp/roadshow-decoder-${process.pid}`)).rejects.toThrow(/./)
  })

  test('reports mistakes of its tasks as mistakes, not as bad files', async () => {
    await expect(open()('fail')).rejects.toEqual(expect.not.objectContaining({ code: 'fileRefused' }))
  })

  test('fails as its storage fails, and reads the next file', async () => {
    const run = open()
    const away = { size: 10, read: () => Promise.reject(new AppError('unavailable')) }
    await expect(run('read', {}, away)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await run('read', {}, sourceOf(Buffer.from('fine')))).toBe('fine')
  })
})

describe('several files', () => {
  test('are read a few at once, and short work comes first', async () => {
    const run = open({ atOnce: 2 })
    const order: string[] = []
    const note = (name: string, goesFirst: boolean) =>
      run('wait', 20, undefined, goesFirst).then(() => void order.push(name))
    const running = [run('wait', 300), run('wait', 300), note('picture', false), note('table', true)]
    await sleep(150)
    expect(decoder.pids).toHaveLength(2)
    await Promise.all(running)
    expect(order.indexOf('table')).toBeLessThan(order.indexOf('picture') + 1)
    expect(decoder.pids).toHaveLength(2)
  })

  test('fail when the node stops, which leaves no process', async () => {
    const run = open()
    const reading = [run('wait', 60_000), run('wait', 60_000)].map((each) => each.catch((error: unknown) => error))
    await vi.waitFor(() => expect(decoder.pids).toHaveLength(1))
    decoder.close()
    for (const each of reading) expect(await each).toMatchObject({ code: 'unavailable' })
    await vi.waitFor(() => expect(decoder.pids).toEqual([]))
  })
})
