import type { Play } from '@roadshow/contract'
import { type PlayChange, type PlayLogHead, type PlayStore } from './plays.ts'

/** Keeps plays in memory, for the simulator. */
export class MemoryPlayStore implements PlayStore {
  #head: PlayLogHead | null = null
  readonly #rows = new Map<number, Play>()

  async read(): Promise<{ head: PlayLogHead | null; waiting: number }> {
    return { head: this.#head, waiting: this.#rows.size }
  }

  write({ head, add, remove }: PlayChange): undefined {
    this.#head = head
    for (const play of add) this.#rows.set(play.sequence, play)
    for (const sequence of remove) this.#rows.delete(sequence)
  }

  oldest(limit: number, above: number): Play[] {
    const found: Play[] = []
    // Plays are added in the order of their numbers.
    for (const play of this.#rows.values()) {
      if (found.length === limit) break
      if (play.sequence > above) found.push(play)
    }
    return found
  }
}
