/** Keeps the entries that were used last. */
export class RecentlyUsed<V> {
  readonly #entries = new Map<string, V>()

  constructor(readonly size: number) {}

  get(key: string): V | undefined {
    const found = this.#entries.get(key)
    if (found !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, found)
    }
    return found
  }

  /** Adds an entry, and returns the one that leaves for it. */
  set(key: string, value: V): V | undefined {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.size) return undefined
    const [oldest = '', dropped] = this.#entries.entries().next().value ?? []
    this.#entries.delete(oldest)
    return dropped
  }
}
