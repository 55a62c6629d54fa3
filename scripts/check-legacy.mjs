import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bin, main, root, run, StartError } from './run.mjs'

// Proves that the OLD group can be removed: it has no queries, and everything else compiles without it.

const parts = ['contract', 'player', 'simulator', 'api', 'web']
const legacy = ['contract/src/legacy.ts', 'api/src/legacy', 'web/src/legacy']
/** The files that register the OLD group: the lines that name it are removed. */
const registrations = ['contract/src/index.ts', 'api/src/app.ts', 'web/src/screens.ts']
/** One program for all parts: the check takes half the time of separate ones. */
const oneProgram = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    composite: false,
    allowJs: true,
    declaration: false,
    sourceMap: false,
    noEmit: true,
    skipLibCheck: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['vite/client', 'node'],
    paths: {
      '@roadshow/contract': ['./contract/src/index.ts'],
      '@roadshow/contract/*': ['./contract/src/*.ts'],
      '@roadshow/player/core/*': ['./player/src/core/*.ts'],
      '@roadshow/simulator': ['./simulator/src/index.ts'],
    },
  },
  // Of the player only its core: what runs in the browser knows no calls of the OLD group. Workers have other globals.
  include: parts.map((part) => (part === 'player' ? 'player/src/core' : `${part}/src`)),
  // Tests of the whole API name the OLD group, and need the test kit.
  exclude: ['**/*.test.*', '**/test-*', 'web/src/driver/worker'],
}
const made = new Set(['node_modules', 'dist', 'dist-types', 'dist-core'])
const SQL = /\bkysely\b|\bsql`|\b(selectFrom|insertInto|updateTable|deleteFrom|executeQuery)\b/

await main(async () => {
  await refuseSql()
  const folder = await mkdtemp(path.join(tmpdir(), 'roadshow-without-legacy-'))
  try {
    await copySources(folder)
    for (const name of legacy) await rm(path.join(folder, name), { recursive: true, force: true })
    for (const name of registrations) await cutOut(path.join(folder, name))
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(oneProgram))
    const { ok, output } = await run(bin('tsc'), ['-p', folder], { cwd: folder, quiet: true })
    if (!ok) throw new StartError(`The code does not compile without the OLD group:\n${output.trimEnd()}`)
    console.log('The code compiles without the OLD group.')
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function refuseSql() {
  for (const name of legacy.slice(1).filter((each) => existsSync(path.join(root, each)))) {
    for (const file of await readdir(path.join(root, name), { recursive: true })) {
      if (!/\.tsx?$/.test(file)) continue
      if (SQL.test(await readFile(path.join(root, name, file), 'utf8'))) {
        throw new StartError(`${name}/${file} queries the database. Queries belong to the domain that it reshapes.`)
      }
    }
  }
}

async function copySources(/** @type {string} */ folder) {
  await cp(path.join(root, 'tsconfig.base.json'), path.join(folder, 'tsconfig.base.json'))
  for (const part of parts) {
    const from = path.join(root, part)
    await cp(from, path.join(folder, part), {
      recursive: true,
      filter: (file) => !made.has(path.basename(file)) && !file.endsWith('.tsbuildinfo'),
    })
    const own = path.join(from, 'node_modules')
    if (existsSync(own)) await symlink(own, path.join(folder, part, 'node_modules'))
  }
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
}

/** Removes the lines of a file that import from the OLD group, and those that use these imports. */
async function cutOut(/** @type {string} */ file) {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const imports = lines.filter((line) => /from '\.\/legacy[/.]/.test(line))
  const names = imports.flatMap(
    (line) =>
      /\{(.*)\}/
        .exec(line)?.[1]
        ?.split(',')
        .map((name) => name.trim()) ?? [],
  )
  const uses = (/** @type {string} */ line) => names.some((name) => new RegExp(`\\b${name}\\b`).test(line))
  await writeFile(file, lines.filter((line) => !imports.includes(line) && !uses(line)).join('\n'))
}
