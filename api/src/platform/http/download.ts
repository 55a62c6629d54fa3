import type { Readable } from 'node:stream'

/** What a file holds, once it is written. */
export interface ExportSummary {
  rows: () => number
  filters: readonly string[]
}

/** A file instead of a JSON answer, streamed. */
export class Download {
  readonly filename: string
  readonly type: string
  readonly content: Readable
  readonly inline: boolean
  readonly status: number
  readonly headers: Record<string, string>
  readonly told: ExportSummary | undefined

  constructor(
    filename: string,
    type: string,
    content: Readable,
    {
      inline = false,
      status = 200,
      headers = {},
      told,
    }: { inline?: boolean; status?: number; headers?: Record<string, string>; told?: ExportSummary } = {},
  ) {
    this.filename = filename
    this.type = type
    this.content = content
    this.inline = inline
    this.status = status
    this.headers = headers
    this.told = told
  }

  /** RFC 6266: a plain name for old readers, the exact one in UTF-8 beside it. */
  get disposition(): string {
    const plain = this.filename.replace(/[^\w.-]+/g, '-')
    return `${this.inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(this.filename)}`
  }
}
