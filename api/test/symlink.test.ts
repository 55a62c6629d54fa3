import { execFile } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'roadshow-link-')))
afterAll(() => rm(folder, { recursive: true }))

// The compiler takes PWD for its folder, and finds each package under two names if that is a link.
test('scripts started through a symbolic link run their programs in the real folder', async () => {
  const link = path.join(folder, 'roadshow')
  await symlink(root, link)
  const script = `
    const { run } = await import(${JSON.stringify(pathToFileURL(path.join(link, 'scripts/run.mjs')).href)})
    await run(process.execPath, ['-p', 'process.env.PWD'])`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: link,
    // oxlint-disable-next-line node/no-process-env
    env: { ...process.env, PWD: link },
  })
  expect(path.resolve(stdout.trim())).toBe(path.resolve(await realpath(root)))
})

test('no npm script starts the compiler by itself', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(Object.values(scripts).filter((script) => /\btsc\b/.test(script))).toEqual([])
})
