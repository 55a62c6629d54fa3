import { inflateSync } from 'node:zlib'

// The fonts of these PDFs have the characters of Windows, which differ from Latin 1 in these.
const windows: Record<string, string> = {
  '\u0080': '€',
  '\u0085': '…',
  '\u0091': '‘',
  '\u0092': '’',
  '\u0093': '“',
  '\u0094': '”',
  '\u0096': '–',
  '\u0097': '—',
}
const decode = (hex: string) =>
  Array.from(Buffer.from(hex, 'hex').toString('latin1'), (sign) => windows[sign] ?? sign).join('')

/** What is written on the pages, as PDF keeps it: in hexadecimal pieces, page by page. */
export function textOfPdf(pdf: Buffer): string[] {
  const pages: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
    const end = pdf.indexOf('\nendstream', at)
    if (end < 0 || pdf.subarray(at - 3, at).toString() === 'end') continue
    try {
      const content = inflateSync(pdf.subarray(at + 7, end)).toString('latin1')
      if (!content.includes(' TJ')) continue
      const lines = [...content.matchAll(/\[([^\]]*)\] TJ/g)].map(([, line = '']) =>
        [...line.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => decode(hex)).join(''),
      )
      pages.push(lines.join('\n'))
    } catch {
      // A picture.
    }
  }
  return pages
}
