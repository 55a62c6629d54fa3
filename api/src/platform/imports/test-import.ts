import { type ImportKindName, imports } from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'

interface ImportOptions {
  columns?: (string | null)[]
  corrections?: { row: number; column: string; text: string }[]
  skip?: ('new' | 'changed')[]
  token?: string
}

/** Sends files of records to be checked and saved, as the admin unless a token is given. */
export function importCalls({ app, call, people }: World, kind: ImportKindName) {
  const send = (content: string | Uint8Array, { token, ...options }: ImportOptions, digest?: string) =>
    call(
      imports.run,
      {
        body: { kind, save: digest !== undefined, ...(digest !== undefined && { digest }), ...options },
        files: { file: [new File([content as BlobPart], `${kind}.csv`, { type: 'text/csv' })] },
      },
      token === undefined ? {} : { token },
    )
  const check = (content: string | Uint8Array, options: ImportOptions = {}) => send(content, options)
  const save = (content: string | Uint8Array, digest: string, options: ImportOptions = {}) =>
    send(content, options, digest)
  /** Checks, then saves what was found good. */
  const both = async (content: string | Uint8Array, options: ImportOptions = {}) => {
    const { skip: _, ...reading } = options
    return save(content, (await check(content, reading)).body.data.digest, options)
  }
  const undo = (uid: string | null, token?: string) =>
    call(imports.undo, { body: { kind, uid: uid ?? '' } }, token === undefined ? {} : { token })
  /** Every record as a file of the import's columns; without its last line, which says when it was made. */
  const exported = async (): Promise<string> => {
    const url = `/api/v1/${imports.records.path}?kind=${kind}&format=csv`
    const { statusCode, body } = await app.inject({
      url,
      headers: { authorization: `Bearer ${people.admin.token}` },
    })
    if (statusCode !== 200) throw new Error(body)
    return body.replace(/# [^\n]*\r?\n$/, '')
  }
  /** The same without columns that no import changes. */
  const exportedWithout = async (...headings: string[]) => {
    const lines = readLines(await exported())
    const at = new Set(headings.map((heading) => lines[0]?.indexOf(heading)))
    return lines.map((cells) => cells.filter((_, index) => !at.has(index)))
  }
  return { check, save, both, undo, exported, exportedWithout }
}

/** Lines of cells as a CSV file. */
export const csvOf = (...lines: (string | undefined)[][]): string =>
  lines
    .map((cells) =>
      cells.map((cell = '') => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
    )
    .join('\r\n')

/** The cells of a CSV file as RFC 4180 writes them. */
function readLines(file: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of file
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.at(-1)?.join('') === '' ? rows.slice(0, -1) : rows
}
