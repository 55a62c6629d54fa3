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

  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.size) this.#entries.delete(this.#entries.keys().next().value ?? '')
  }
}
