import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

// Documents name tables, types and files. A name that leaves the code leaves them too.

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFile(path.join(root, file), 'utf8')

const FOLDERS = ['api', 'contract', 'web', 'player', 'simulator', 'test-kit', 'bench', 'e2e', 'scripts', 'deploy']
const isBuilt = /(^|\/)(node_modules|dist|\.cache)\//

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !isBuilt.test(file))
}

const files = (await Promise.all(FOLDERS.map(filesIn))).flat()
const documents = (await filesIn('docs')).filter((name) => name.endsWith('.md'))

const codeNames = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The columns of each table of the schema. */
async function tables(): Promise<Map<string, string>> {
  const schema = await read('api/schema.sql')
  return new Map(
    [...schema.matchAll(/^create table (\w+) \(\n(.*?)^\)/gims)].map(([, name = '', body = '']) => [name, body]),
  )
}

test('each table and each type of the glossary exists', async () => {
  const known = await tables()
  expect(known.size).toBeGreaterThan(50)
  const sources = files.filter((file) => /^(contract|api|web|player)\/src\/.*(?<!\.test)\.tsx?$/.test(file))
  const code = (await Promise.all(sources.map(read))).join('\n')
  const declared = new Set(
    [...code.matchAll(/\b(?:type|interface|const|function|class) (\w+)/g)].map(([, name]) => name),
  )
  const hasColumn = (name: string) => {
    const [table = '', column] = name.split('.')
    return column === undefined ? known.has(table) : new RegExp(`^\\s+${column} `, 'm').test(known.get(table) ?? '')
  }
  // The last part explains words of the code without naming it.
  const [rows = ''] = (await read('docs/glossary.md')).split('\n## Code\n')
  const missing = rows
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => {
      const [, , , table = '', type = ''] = line.split('|')
      return [
        ...codeNames(table).filter((name) => !hasColumn(name)),
        ...codeNames(type).filter((name) => !declared.has(name)),
      ]
    })
  expect(missing).toEqual([])
})

test.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...documents])(
  'each file that %s names exists',
  async (document) => {
    const named = codeNames(await read(document)).filter((name) => /^[\w./-]+\.(tsx?|mjs|sql)$/.test(name))
    expect(named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual([])
  },
)

test('roadshow help lists each command that there is, and none besides, as does package.json', async () => {
  const script = await read('deploy/bin/roadshow')
  const usage = /<<'USAGE'\n([\s\S]*?)\nUSAGE/.exec(script)?.[1] ?? ''
  const listed = new Set([...usage.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = '']) => name))
  const commands = (await readdir(path.join(root, 'api/src/cli')))
    .map((file) => file.replace('.ts', ''))
    .filter((name) => name !== 'command')
  expect([...listed].toSorted()).toEqual([...commands, 'start', 'version'].toSorted())
  const cases = /\n {2}([\w |-]+)\) entry=\$command\.js/.exec(script)?.[1]?.split(' | ') ?? []
  expect(cases.toSorted()).toEqual(commands.toSorted())
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  for (const name of commands) expect(scripts[name]).toBe(`node scripts/command.mjs ${name}`)
  // Words after the name are those that the command takes.
  for (const [, name = '', words = ''] of usage.matchAll(/^ {2}([\w-]+) ([\w|]+)(?= )/gm)) {
    const source = await read(`api/src/cli/${name}.ts`)
    for (const word of words.split('|')) expect(source, `${name} ${word}`).toContain(word)
  }
})
