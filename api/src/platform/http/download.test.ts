import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { Download } from './download.ts'

/** A file with a heading, then rows until one fails. */
function fileOf(rows: number, failsAfter = Infinity) {
  let read = 0
  async function* content() {
    yield 'Number\n'
    for (; read < rows;) {
      if (read >= failsAfter) throw new Error('The reading broke off.')
      yield `${++read}\n`
    }
    yield '# the end\n'
  }
  const exportSummary = { rows: () => read, filters: [] }
  return new Download('numbers.csv', 'text/csv', Readable.from(content(), { objectMode: false }), { exportSummary })
}

test('a file that has begun holds every byte once, and knows its rows', async () => {
  for (const rows of [0, 1, 5000]) {
    const begun = await fileOf(rows).begun()
    const numbers = Array.from({ length: rows }, (_, index) => `${index + 1}\n`)
    expect(await text(begun.content)).toBe(['Number\n', ...numbers, '# the end\n'].join(''))
    expect(begun.options.exportSummary?.rows()).toBe(rows)
  }
})

test('a file whose first row cannot be read fails before a byte of it is sent', async () => {
  await expect(fileOf(10, 0).begun()).rejects.toThrow('The reading broke off.')
})

test('a file that breaks off later breaks off for its reader', async () => {
  const begun = await fileOf(100_000, 50_000).begun()
  await expect(text(begun.content)).rejects.toThrow('The reading broke off.')
})

test('a reader who goes away ends the reading', async () => {
  const file = fileOf(100_000)
  const begun = await file.begun()
  begun.content.destroy()
  await expect.poll(() => file.content.destroyed).toBe(true)
})

test('other files are sent as they are', async () => {
  const file = new Download('photo.webp', 'image/webp', Readable.from(['bytes']))
  expect(await file.begun()).toBe(file)
})
