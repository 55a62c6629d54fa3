/** What a file's name is made of. */
export interface FileNameParts {
  /** The list or report: `ad-log`. */
  name: string
  /** What the file is of: the client, program, market, side. */
  of?: readonly string[]
  /** The first and last day, or the one day of the file. */
  days: readonly string[]
}

// File systems allow 255 bytes; people read far fewer.
const MAX_PART = 40
const MAX_PARTS = 5

/** A name as a part of a file's name: `Houston, TX` is `houston-tx`. */
const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_PART)
    .replace(/-+$/, '')

/** The name of an export, without its ending: `ad-log_acme-summer_houston_2026-07-01_2026-07-31`. */
export const exportFileName = ({ name, of = [], days }: FileNameParts): string =>
  [name, ...of.map(slugOf).filter(Boolean).slice(0, MAX_PARTS), ...days].join('_')
