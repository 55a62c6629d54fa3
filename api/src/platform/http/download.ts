import { Readable } from 'node:stream'

/** The contents of an export for the audit log; the number of rows is known once the file is written. */
export interface ExportSummary {
  rows: () => number
  filters: readonly string[]
}

interface DownloadOptions {
  /** Shown in the page instead of saved. */
  inline?: boolean
  status?: number
  headers?: Record<string, string>
  exportSummary?: ExportSummary | undefined
}

/** A file instead of a JSON answer, streamed. */
export class Download {
  constructor(
    readonly filename: string,
    readonly type: string,
    readonly content: Readable,
    readonly options: DownloadOptions = {},
  ) {}

  /**
   * The same file once its first row is read; fails if reading fails before that. Headings come before the database is
   * asked, so a first byte proves nothing.
   */
  async begun(): Promise<Download> {
    const { filename, type, content, options } = this
    const { exportSummary } = options
    if (!exportSummary) return this
    const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Uint8Array | string>
    const first: (Uint8Array | string)[] = []
    for (let isDone = false; !isDone && exportSummary.rows() === 0;) {
      const next = await chunks.next()
      if (next.done) isDone = true
      else first.push(next.value)
    }
    async function* whole() {
      yield* first.splice(0)
      yield* { [Symbol.asyncIterator]: () => chunks }
    }
    const file = Readable.from(whole(), { objectMode: false })
    // A reader that goes away ends the reading from the database at once, and not with the next row.
    file.on('close', () => content.destroy())
    return new Download(filename, type, file, options)
  }

  /** RFC 6266: a plain name for old readers, the exact one in UTF-8 beside it. */
  get disposition(): string {
    const plain = this.filename.replace(/[^\w.-]+/g, '-')
    return `${this.options.inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(this.filename)}`
  }
}
