const MAX_TEXT = 300

/** What went wrong last, for the health report: never shown on the screen. */
export class Problems {
  #last = ''

  constructor() {
    addEventListener('error', ({ message }) => this.report(message))
    addEventListener('unhandledrejection', ({ reason }) => this.report(String(reason)))
  }

  get last(): string {
    return this.#last
  }

  report(text: string): void {
    this.#last = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)
  }
}
