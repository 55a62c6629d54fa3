import type { Readable } from 'node:stream'

/** The contents of an export for the audit log; the number of rows is known once the file is written. */
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
  readonly exportSummary: ExportSummary | undefined

  constructor(
    filename: string,
    type: string,
    content: Readable,
    {
      inline = false,
      status = 200,
      headers = {},
      exportSummary,
    }: { inline?: boolean; status?: number; headers?: Record<string, string>; exportSummary?: ExportSummary } = {},
  ) {
    this.filename = filename
    this.type = type
    this.content = content
    this.inline = inline
    this.status = status
    this.headers = headers
    this.exportSummary = exportSummary
  }

  /** RFC 6266: a plain name for old readers, the exact one in UTF-8 beside it. */
  get disposition(): string {
    const plain = this.filename.replace(/[^\w.-]+/g, '-')
    return `${this.inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(this.filename)}`
  }
}
