import type { BatchAck, Play } from '@roadshow/contract'
import type { PlayChange, PlayLogHead, PlayStore } from './plays.ts'

/** A store whose writes take time, may fail, and may be cut off by a crash before or after they took effect. */
export class SlowStore implements PlayStore {
  #head: PlayLogHead | null = null
  readonly #rows = new Map<number, Play>()
  #pending: { change: PlayChange; resolve: () => void; reject: (error: Error) => void } | undefined

  async read(): Promise<{ head: PlayLogHead | null; waiting: number }> {
    return { head: this.#head, waiting: this.#rows.size }
  }

  write(change: PlayChange): Promise<void> {
    if (this.#pending) throw new Error('Two writes at once.')
    return new Promise((resolve, reject) => (this.#pending = { change, resolve, reject }))
  }

  async oldest(limit: number, above: number): Promise<Play[]> {
    const found: Play[] = []
    for (const play of this.#rows.values()) {
      if (found.length === limit) break
      if (play.sequence > above) found.push(play)
    }
    return found
  }

  get isWriting(): boolean {
    return this.#pending !== undefined
  }

  /** The write under way comes to its end. */
  settle(isWell = true): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = undefined
    if (!isWell) return pending.reject(new Error('The disk is full.'))
    this.#commit(pending.change)
    pending.resolve()
  }

  /** The power is cut. The write under way took effect or did not; no one hears of it. */
  crash(tookEffect: boolean): void {
    if (this.#pending && tookEffect) this.#commit(this.#pending.change)
    this.#pending = undefined
  }

  #commit({ head, add, remove }: PlayChange): void {
    this.#head = head
    for (const play of add) this.#rows.set(play.sequence, Object.freeze(play))
    for (const sequence of remove) this.#rows.delete(sequence)
  }
}

/** What becomes of a batch on its way to the server and back. */
export type Fate = 'answered' | 'lost' | 'answerLost' | 'answeredLate' | 'error' | 'later'

/** A server that keeps each play once, as the real one does. */
export class ModelServer {
  readonly plays = new Map<string, Play>()
  readonly #numbers = new Set<number>()
  /** Answers that are still under way. */
  readonly #late: (() => void)[] = []
  /** Rows that it answered as no play of this device should be. */
  rejected = 0

  async receive(batch: readonly Play[], fate: Fate): Promise<BatchAck | undefined> {
    if (fate === 'lost') return undefined
    if (fate === 'error') return { error: 'Please try again.' }
    const answer = { rows: batch.map((play, index) => this.#store(play, fate === 'later' && index % 3 === 0)) }
    if (fate === 'answerLost') return undefined
    if (fate === 'answeredLate') await new Promise<void>((resolve) => this.#late.push(resolve))
    return answer
  }

  deliverLateAnswers(): void {
    for (const deliver of this.#late.splice(0)) deliver()
  }

  #store(play: Play, isLater: boolean): { id: string; result: 'accepted' | 'duplicate' | 'rejected' | 'later' } {
    const id = play.playId
    if (isLater) return { id, result: 'later' }
    if (this.plays.has(id)) return { id, result: 'duplicate' }
    if (this.#numbers.has(play.sequence)) {
      this.rejected++
      return { id, result: 'rejected' }
    }
    this.plays.set(id, play)
    this.#numbers.add(play.sequence)
    return { id, result: 'accepted' }
  }
}
