import { Refusal } from '../decoding/refusal.js'
import { MAX_COLUMNS, tooManyColumns } from './table-limits.js'

/**
 * The rows of a CSV text, at most so many. Rows may be of any length, line ends of any kind, and a quote within a cell
 * that does not begin with one is only a quote. Undefined where a quoted cell does not end.
 *
 * By hand, because the parsers at hand make an error of every row that is shorter than the first one, and then throw
 * it away: a file of short rows would keep the server busy for half a minute.
 * @param {string} text
 * @param {string} delimiter
 * @param {number} most
 * @returns {string[][] | undefined}
 */
export function parseCsv(text, delimiter, most) {
  /** @type {string[][]} */
  const rows = []
  const plain = new RegExp(`[${delimiter}\\r\\n]`, 'g')
  let at = 0
  while (at < text.length && rows.length < most) {
    /** @type {string[]} */
    const row = []
    for (let isOpen = true; isOpen;) {
      const quoted = text[at] === '"' ? quotedCell(text, at) : { cell: '', end: at }
      if (!quoted) return undefined
      plain.lastIndex = quoted.end
      const end = plain.test(text) ? plain.lastIndex - 1 : text.length
      if (row.length === MAX_COLUMNS) throw new Refusal(tooManyColumns, 'tooLarge')
      row.push(quoted.cell + text.slice(quoted.end, end))
      isOpen = text[end] === delimiter
      at = end + (text.startsWith('\r\n', end) ? 2 : 1)
    }
    rows.push(row)
  }
  return rows
}

/**
 * A cell in quotes, in which two quotes stand for one, and where it ends.
 * @param {string} text
 * @param {number} start
 */
function quotedCell(text, start) {
  let cell = ''
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return undefined
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 }
    cell += '"'
    at = quote + 2
  }
}
