import { ApiError, errorMessage, isStale } from '../../api/call.ts'
import { isEmpty, parseLine } from './editsStore.ts'
import type { EditsStore } from './editsStore.ts'

function refuse<Row>(store: EditsStore<Row>, key: string, error: unknown): void {
  const fields = Object.entries(error instanceof ApiError ? error.fields : {})
  const errors = Object.fromEntries(fields.filter(([name]) => store.columnOf(name)))
  const others = fields.filter(([name]) => !store.columnOf(name))
  const problem = [errorMessage(error), ...others.map(([, text]) => text)].join(' ')
  store.change(key, {
    isSaving: false,
    isStale: isStale(error),
    errors,
    problem: isEmpty(errors) || others.length > 0 ? problem : undefined,
  })
}

/** Saves one line and answers whether it is saved. The rows are not refetched yet. */
async function saveLine<Row>(store: EditsStore<Row>, key: string): Promise<boolean> {
  const line = store.lineOf(key)
  const edit = store.edits[key]
  const { save, columns } = store.source
  if (!line || !edit || !save || edit.isSaving) return false
  const { changes, errors } = parseLine(columns, line, edit)
  if (!isEmpty(errors)) {
    store.change(key, { errors, problem: undefined })
    return false
  }
  store.change(key, { isSaving: true, errors: {}, problem: undefined, isStale: false })
  try {
    await save(edit.base, changes, edit.idempotencyKey)
    store.change(key, { isSaved: true })
    return true
  } catch (error) {
    refuse(store, key, error)
    return false
  }
}

/** Saves lines one after the other and answers how many; refused lines keep their text. */
export async function saveLines<Row>(store: EditsStore<Row>, keys: readonly string[]): Promise<number> {
  const saved: string[] = []
  for (const [index, key] of keys.entries()) {
    if (keys.length > 1) store.setProgress({ done: index, of: keys.length })
    if (await saveLine(store, key)) saved.push(key)
  }
  store.setProgress(undefined)
  if (saved.length > 0) await store.source.reload().catch(() => undefined)
  store.drop(saved)
  return saved.length
}

/** Shows the errors of lines that can be found without saving. */
export async function checkLines<Row>(store: EditsStore<Row>, keys: readonly string[]): Promise<void> {
  const { check, columns } = store.source
  for (const key of keys) {
    const line = store.lineOf(key)
    const edit = store.edits[key]
    if (!line || !edit) continue
    const { changes, errors } = parseLine(columns, line, edit)
    const found = isEmpty(errors) && check ? await check(edit.base, changes).catch(() => ({})) : errors
    // Text typed during the check makes its answer outdated.
    if (store.edits[key] === edit) store.change(key, { errors: found })
  }
}

/** Puts the newest row under the typed text, and notes the cells that both sides changed. */
export async function rebaseLine<Row>(store: EditsStore<Row>, key: string): Promise<void> {
  const { reload, rowKey, columns } = store.source
  try {
    const newest = (await reload()).find((row) => rowKey(row) === key)
    const edit = store.edits[key]
    if (!edit) return
    if (!newest) return store.change(key, { problem: 'This row was deleted. Undo discards your changes.' })
    const both = columns.filter(
      (column) => column.key in edit.typed && edit.base && column.text(newest) !== column.text(edit.base),
    )
    const notes = Object.fromEntries(both.map((column) => [column.key, `Now: ${column.text(newest) || '–'}`]))
    store.change(key, { base: newest, notes, problem: undefined, isStale: false })
  } catch (error) {
    store.change(key, { problem: errorMessage(error) })
  }
}
