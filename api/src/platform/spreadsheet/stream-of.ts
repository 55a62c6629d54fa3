/** Rows that are loaded already, as a file writes them. */
export async function* streamOf<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows
}
