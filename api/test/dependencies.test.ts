import { expect, test } from 'vitest'
import { z } from 'zod'

/**
 * What is known of the packages that run in production and in pages, without asking anybody: which of them run a program
 * when they are installed, whether each is the one that was locked, and under which terms it may be used.
 */
const locked = z.object({
  folder: z.string(),
  hasInstallScript: z.boolean().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
})

const script = new URL('../../scripts/release/packages.mjs', import.meta.url).href
const { runtimePackages } = (await import(/* @vite-ignore */ script)) as {
  runtimePackages: (workspace: string, arch: string) => unknown
}

const runtime = ['api', 'web', 'player'].flatMap((workspace) =>
  ['x64', 'arm64'].flatMap((arch) =>
    z
      .array(locked)
      .parse(runtimePackages(workspace, arch))
      .map(({ folder, ...about }) => ({ name: folder.replace(/^.*node_modules\//, ''), ...about })),
  ),
)

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
  expect([...new Set(others)].toSorted()).toEqual([
    // MIT, by the LICENSE file of each.
    'png-js: undefined',
    // Its terms bind changes of its own files, which we use as they are.
    'web-push: MPL-2.0',
    'xmlhttprequest-ssl: undefined',
  ])
})
