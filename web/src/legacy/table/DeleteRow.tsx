import { call } from '../../api/call.ts'
import type { DependentsCall } from '../../ui/record/DeleteQuestion.tsx'
import type { RemoveCall, RestoreCall } from '../../ui/record/records.ts'
import { useRestore } from '../../ui/record/useRestore.ts'
import { ActOnRow } from './ActOnRow.tsx'

/** How a row is deleted; the rows are then reloaded. */
export interface RowRemoval<Row> {
  calls: { remove: RemoveCall; dependents: DependentsCall; restore: RestoreCall }
  uidOf: (row: Row) => string
  /** What it does, in a sentence. */
  effect: string
  isOffered?: (row: Row) => boolean
}

interface DeleteRowProps<Row> {
  remove: RowRemoval<Row>
  uid: string
  name: string
  reload: () => Promise<unknown>
}

/** Deletes a row after a question with what hangs on it; the notice takes it back. */
export function DeleteRow<Row>({ remove: { calls, effect }, uid, name, reload }: DeleteRowProps<Row>) {
  const restore = useRestore()
  const remove = async (isConfirmed: boolean) => {
    await call(calls.remove, { params: { uid }, query: isConfirmed ? { confirmed: 'yes' } : undefined })
    await reload()
  }
  const undo = async () => {
    if (await restore(calls.restore, uid, name)) await reload()
  }
  return (
    <ActOnRow
      label="Delete"
      name={name}
      effect={effect}
      done={`${name} deleted.`}
      onAct={remove}
      dependents={{ of: calls.dependents, uid }}
      onUndo={() => void undo()}
    />
  )
}
