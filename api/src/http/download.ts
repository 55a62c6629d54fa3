import type { Readable } from 'node:stream'

/** A file instead of a JSON answer, streamed. */
export class Download {
  readonly filename: string
  readonly type: string
  readonly content: Readable
  readonly inline: boolean
  readonly status: number
  readonly headers: Record<string, string>

  constructor(
    filename: string,
    type: string,
    content: Readable,
    {
      inline = false,
      status = 200,
      headers = {},
    }: { inline?: boolean; status?: number; headers?: Record<string, string> } = {},
  ) {
    this.filename = filename
    this.type = type
    this.content = content
    this.inline = inline
    this.status = status
    this.headers = headers
  }

  /** RFC 6266: a plain name for old readers, the exact one in UTF-8 beside it. */
  get disposition(): string {
    const plain = this.filename.replace(/[^\w.-]+/g, '-')
    return `${this.inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(this.filename)}`
  }
}
