/** Text that a spreadsheet would run as a formula gets a quote in front; numbers stay numbers. */
const neutral = (cell: string) => (/^[=+\-@\t\r]/.test(cell) && !/^[+-]?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell)

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Rows as a CSV file; the byte order mark tells Excel that it is UTF-8. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map((cell) => quoted(neutral(cell))).join(',')).join('\r\n')}\r\n`

/** Hands a text to the browser to keep as a file. */
export function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
