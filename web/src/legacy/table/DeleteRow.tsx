import { call } from '../../api/call.ts'
import { useRestore } from '../../ui/record/useRestore.ts'
import { ActOnRow } from './ActOnRow.tsx'
import type { ClassicTableProps, RowRemoval } from './ClassicRow.tsx'

interface DeleteRowProps<Row> extends Pick<ClassicTableProps<Row>, 'reload'> {
  remove: RowRemoval<Row>
  uid: string
  name: string
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
