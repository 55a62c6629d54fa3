/** Characters of the PDF base fonts beyond Latin-1: Windows-1252 from 80 to 9F. */
const EXTRA = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** Replacements that keep the meaning. */
const REPLACEMENTS: Record<string, string> = {
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

const isSupported = (letter: string) =>
  letter === '\n' || (letter >= ' ' && letter <= '~') || (letter >= '\u00A0' && letter <= 'ÿ') || EXTRA.includes(letter)

function encodeLetter(letter: string): string {
  if (isSupported(letter)) return letter
  const replacement = REPLACEMENTS[letter]
  if (replacement !== undefined) return replacement
  if (/^\p{Zs}$/u.test(letter)) return ' '
  // Combining marks and emoji carry no text of their own.
  if (/^[\p{C}\p{M}\p{Extended_Pictographic}]$/u.test(letter)) return ''
  const plain = Array.from(letter.normalize('NFKD')).filter(isSupported).join('')
  return plain || '?'
}

/** Reduces a text to the PDF base fonts: unsupported accents are dropped, other unsupported characters become `?`. */
export const toPdfCharset = (text: string): string => Array.from(text.normalize('NFC'), encodeLetter).join('')
