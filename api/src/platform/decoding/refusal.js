/** @typedef {Extract<import('./task-file.ts').FromDecoder, { kind: 'refused' }>['code']} RefusalCode */

/** Says why a file is refused, in a sentence for its sender. */
export class Refusal extends Error {
  /**
   * @param {string} text
   * @param {RefusalCode} [code]
   */
  constructor(text, code = 'fileRefused') {
    super(text)
    this.code = code
  }
}

/**
 * Whether the system gave no more memory, as Node and libvips report it.
 * @param {unknown} error
 */
export const isOutOfMemory = (error) => error instanceof Error && /out of memory|allocation failed/i.test(error.message)
