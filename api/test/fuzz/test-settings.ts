/* oxlint-disable node/no-process-env */

/** A run for `npm test` takes seconds; FUZZ_SECONDS makes it as long as is asked for, FUZZ_SEED another one. */
export const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0)
export const seed = Number(process.env['FUZZ_SEED'] ?? 1)

/** How long a test may take that has this share of the time. */
export const timeoutOf = (share: number) => seconds * share * 1000 + 120_000

/** Goes on until every round is done, or in a long run until this share of its time is over. */
export function* rounds<T>(each: readonly T[], times: number, share: number): Generator<T> {
  const until = Date.now() + seconds * share * 1000
  for (let round = 0; round < times || Date.now() < until; round++) {
    for (const one of each) {
      yield one
      if (round >= times && Date.now() >= until) return
    }
  }
}
