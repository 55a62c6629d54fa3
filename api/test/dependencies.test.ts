import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'

/**
 * What is known of the packages that run in production, without asking anybody: which of them run a program when they
 * are installed, whether each is the one that was locked, and under which terms it may be used.
 */
const packages = z.record(
  z.string(),
  z.object({
    link: z.boolean().optional(),
    dev: z.boolean().optional(),
    devOptional: z.boolean().optional(),
    hasInstallScript: z.boolean().optional(),
    integrity: z.string().optional(),
    license: z.string().optional(),
  }),
)
const lock = z
  .object({ packages })
  .parse(JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')))

const runtime = Object.entries(lock.packages)
  .filter(([path, { link, dev, devOptional }]) => path.includes('node_modules/') && !link && !dev && !devOptional)
  .map(([path, about]) => ({ name: path.replace(/^.*node_modules\//, ''), ...about }))

test('none runs a program when it is installed', () => {
  expect(runtime.length).toBeGreaterThan(100)
  const scripted = runtime.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
  expect(scripted).toEqual([])
})

test('each is the very package that was locked', () => {
  for (const { name, integrity } of runtime) expect(integrity, name).toMatch(/^sha512-/)
})

test('each may be used under free terms', () => {
  const free =
    /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|OFL-1\.1|LGPL-3\.0-or-later|Zlib|AND|OR|[ ()])+\)?$/
  const others = runtime
    .filter(({ license }) => !free.test(license ?? ''))
    .map(({ name, license }) => `${name}: ${license}`)
  expect(others.toSorted()).toEqual([
    // MIT, by the LICENSE file of each.
    'png-js: undefined',
    // Its terms bind changes of its own files, which we use as they are.
    'web-push: MPL-2.0',
    'xmlhttprequest-ssl: undefined',
  ])
})
