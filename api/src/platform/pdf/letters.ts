/** What the PDF's own fonts can write beyond Latin-1: Windows-1252's letters from 80 to 9F. */
const EXTRA = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** What is written otherwise without losing its meaning. */
const OTHERWISE: Record<string, string> = {
  '−': '-',
  '‐': '-',
  '‑': '-',
  '‒': '–',
  '―': '—',
  '′': "'",
  '″': '"',
  '≤': '<=',
  '≥': '>=',
  '≈': '~',
  '≠': '!=',
  '→': '->',
  '←': '<-',
  '↔': '<->',
  '⁄': '/',
  '№': 'No.',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  ı: 'i',
  '\u2028': '\n',
  '\u2029': '\n',
  '	': ' ',
}

const isKnown = (letter: string) =>
  letter === '\n' || (letter >= ' ' && letter <= '~') || (letter >= '\u00A0' && letter <= 'ÿ') || EXTRA.includes(letter)

function written(letter: string): string {
  if (isKnown(letter)) return letter
  const other = OTHERWISE[letter]
  if (other !== undefined) return other
  if (/^\p{Zs}$/u.test(letter)) return ' '
  // What only shapes its neighbours, and pictures, which are never the only thing that is said.
  if (/^[\p{C}\p{M}\p{Extended_Pictographic}]$/u.test(letter)) return ''
  const plain = Array.from(letter.normalize('NFKD')).filter(isKnown).join('')
  return plain || '?'
}

/** A text in letters that every reader of PDF has: accents that are missing are left out, what is foreign is a `?`. */
export const inLetters = (text: string): string => Array.from(text.normalize('NFC'), written).join('')
