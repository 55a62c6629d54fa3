/**
 * The beginning of a text that comes from elsewhere, as it can be stored: PostgreSQL takes neither U+0000 nor half of a
 * surrogate pair, and the cut may leave such a half.
 */
export const storableText = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[\0\ud800-\udfff]/gu, '\ufffd')
