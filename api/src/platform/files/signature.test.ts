import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { StartError } from '../runtime/start-error.ts'
import { longLivedUrl, isValidSignedUrl } from './reference.ts'
import { isValidSignature, loadOrCreateSigningSecret, sign, setSigningSecret } from './signature.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-keys-'))
afterAll(() => rm(folder, { recursive: true }))

describe('the secret of a data folder', () => {
  test('is made on the first start, for the owner’s eyes only, and stays the same', async () => {
    const dir = path.join(folder, 'new')
    const [first, again] = [await loadOrCreateSigningSecret(dir), await loadOrCreateSigningSecret(dir)]
    expect(first).toHaveLength(32)
    expect(first.equals(again)).toBe(true)
    expect((await stat(path.join(dir, 'signing.key'))).mode & 0o777).toBe(0o600)
    expect(first.equals(await loadOrCreateSigningSecret(path.join(folder, 'another')))).toBe(false)
  })

  test('is the same for two that start at once', async () => {
    const dir = path.join(folder, 'at once')
    const found = await Promise.all(Array.from({ length: 10 }, () => loadOrCreateSigningSecret(dir)))
    expect(new Set(found.map((secret) => secret.toString('hex'))).size).toBe(1)
    expect(await readdir(dir)).toEqual(['signing.key'])
  })

  test('is never nothing: a file that is empty or cut short stops the start', async () => {
    const file = path.join(folder, 'signing.key')
    for (const content of ['', 'c2hvcnQ=']) {
      await writeFile(file, content)
      await expect(loadOrCreateSigningSecret(folder)).rejects.toThrow(StartError)
    }
  })
})

describe('a signature', () => {
  const allowed = ['PUT', 'incoming-one', 2_000_000_000, 100] as const

  test('is for one method, one blob, one time and one size', () => {
    const signature = sign(...allowed)
    expect(isValidSignature(signature, ...allowed)).toBe(true)
    for (const [at, other] of ['GET', 'incoming-two', 2_000_000_001, 101].entries()) {
      const changed = allowed.map((part, index) => (index === at ? other : part))
      expect(isValidSignature(signature, ...changed), String(other)).toBe(false)
    }
    expect(isValidSignature(signature, ...allowed.slice(0, 3))).toBe(false)
  })

  test('is worth nothing when any of its signs is changed, cut off or added, or under another key', () => {
    const signature = sign(...allowed)
    for (let at = 0; at < signature.length; at++) {
      const other = signature[at] === 'A' ? 'B' : 'A'
      expect(isValidSignature(signature.slice(0, at) + other + signature.slice(at + 1), ...allowed), `sign ${at}`).toBe(
        false,
      )
    }
    for (const wrong of [
      '',
      signature.slice(1),
      `${signature}A`,
      `${signature}=`,
      signature.toLowerCase(),
      'é'.repeat(21),
    ]) {
      expect(isValidSignature(wrong, ...allowed), wrong).toBe(false)
    }
    setSigningSecret(Buffer.alloc(32, 7))
    expect(isValidSignature(signature, ...allowed)).toBe(false)
  })
})

describe('the address of a file', () => {
  test('opens that path until it expires, and cannot be made to last longer', () => {
    const address = new URL(longLivedUrl('files/one'), 'http://x')
    const [expires, signature] = [
      Number(address.searchParams.get('expires')),
      address.searchParams.get('signature') ?? '',
    ]
    expect(isValidSignedUrl('files/one', expires, signature)).toBe(true)
    expect(isValidSignedUrl('files/one', expires + 1, signature)).toBe(false)
    expect(isValidSignedUrl('files/one/thumbnail', expires, signature)).toBe(false)
    expect(isValidSignedUrl('files/two', expires, signature)).toBe(false)
    // One that allows to upload is not one that allows to read.
    expect(isValidSignedUrl('files/one', expires, sign('PUT', 'files/one', expires))).toBe(false)
    expect(isValidSignedUrl('files/one', 1_000_000_000, sign('GET', 'files/one', 1_000_000_000))).toBe(false)
  })
})
