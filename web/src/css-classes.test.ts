import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = import.meta.dirname
const read = (path: string) => readFileSync(join(SOURCES, path), 'utf8')

/** Classes that a file uses and the stylesheet that it imports does not have: to TypeScript any name is a class. */
function missingIn(path: string): string[] {
  const source = read(path)
  const code = source.replace(/^import .*$/gm, '')
  return [...source.matchAll(/^import (\w+) from '(.+\.module\.css)'$/gm)].flatMap(([, name = '', sheet = '']) => {
    const there = new Set([...read(join(dirname(path), sheet)).matchAll(/\.([\w-]+)/g)].map(([, found]) => found))
    const used = [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, found]) => found)
    return used.filter((found) => !there.has(found)).map((found) => `${path}: ${name}.${found}`)
  })
}

test('every class of a stylesheet that is used is in it', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  expect(files.filter((path) => read(path).includes('.module.css')).length).toBeGreaterThan(50)
  expect(files.flatMap(missingIn)).toEqual([])
})

test("Ant Design's own classes are changed in one stylesheet only", () => {
  const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'))
  expect(sheets.filter((path) => read(path).includes('.ant-'))).toEqual([join('ui', 'antd-overrides.css')])
})
