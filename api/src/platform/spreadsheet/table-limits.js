/** A table has some twenty columns. A file with more cells in a row, or beside the table, is not one. */
export const MAX_COLUMNS = 1000
export const tooManyColumns =
  'The file has more than 1,000 columns. Please remove what stands to the right of the table.'

/** No cell of a table holds a text of this length; checking one takes the node long. */
export const MAX_CELL = 10_000

export const workbookTooLarge = 'This workbook is too large. Please save it as CSV.'
const MAX_CELLS = 5_000_000

/** What every spreadsheet program writes at most. */
const SHEET = { rows: 1_048_576, columns: 16_384 }

/**
 * How far the cells of a sheet reach: all of them, and those that hold something; and how many rows hold something.
 * @typedef {{ lastRow: number, lastColumn: number, filledRow: number, filledColumn: number, filledRows: number }} Extent
 */
/** Lines around the rows of a table, such as its titles. */
const LINES_AROUND = 100

/**
 * Why a sheet is not read, by what its cells name as their rows and columns: every row up to the last one takes memory,
 * whether it is in the file or not. Undefined if the sheet is read.
 * @param {Extent} extent
 * @param {{ rows: number, lines: number }} most rows of the table, and lines that are read, empty ones included
 * @returns {{ code: 'unreadableTable' | 'tooLarge', text: string } | 'tooManyRows' | undefined}
 */
export function sheetProblem({ lastRow, lastColumn, filledRow, filledColumn, filledRows }, most) {
  if (lastRow > SHEET.rows)
    return { code: 'unreadableTable', text: `This workbook ${beyond('row', lastRow, SHEET.rows)}` }
  if (lastColumn > SHEET.columns)
    return { code: 'unreadableTable', text: `This workbook ${beyond('column', lastColumn, SHEET.columns)}` }
  if (filledRow >= most.lines || filledRows > most.rows + LINES_AROUND) return 'tooManyRows'
  if (filledColumn > MAX_COLUMNS) return { code: 'tooLarge', text: tooManyColumns }
  return filledRow * filledColumn > MAX_CELLS ? { code: 'tooLarge', text: workbookTooLarge } : undefined
}

const inWords = (/** @type {number} */ count) => count.toLocaleString('en-US', { maximumSignificantDigits: 15 })

const beyond = (/** @type {string} */ what, /** @type {number} */ last, /** @type {number} */ most) =>
  `names ${what} ${inWords(last)}, but a sheet has at most ${inWords(most)} ${what}s. Please save it again as XLSX or CSV.`
