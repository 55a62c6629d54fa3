import type { Readable } from 'node:stream'

/** A file instead of a JSON answer, streamed. */
export class Download {
  readonly filename: string
  readonly type: string
  readonly content: Readable

  constructor(filename: string, type: string, content: Readable) {
    this.filename = filename
    this.type = type
    this.content = content
  }

  /** RFC 6266: a plain name for old readers, the exact one in UTF-8 beside it. */
  get disposition(): string {
    const plain = this.filename.replace(/[^\w.-]+/g, '-')
    return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(this.filename)}`
  }
}
