import { addedBy, importAccess, importDescriptions, importKindLabel, imports } from '@roadshow/contract/console/imports'
import type { ImportRunEntry } from '@roadshow/contract/console/imports'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useList } from '../../api/useList.ts'
import { useRefreshAfter, useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { ErrorState } from '../../ui/states.tsx'

const columns: FactColumn<ImportRunEntry>[] = [
  { title: 'File', render: ({ fileName }) => fileName },
  { title: 'What', render: ({ kind }) => importKindLabel[kind] },
  { title: 'Imported', render: ({ at, by }) => `${formatMoment(at, localZone())} by ${by.name}` },
  { title: 'Added', isNumber: true, render: ({ added }) => formatCount(added) },
  { title: 'Changed', isNumber: true, render: ({ changed }) => formatCount(changed) },
  { title: 'Skipped rows', isNumber: true, render: ({ skipped }) => formatCount(skipped) },
  { title: 'Undo', render: (entry) => <UndoState entry={entry} /> },
]

/** What was imported lately, by whom, and whether it can be undone. */
export function RecentImports() {
  const titleId = useId()
  const [page, setPage] = useState(1)
  const found = useList(imports.list, { page: String(page) })
  const { data: entries, total = 0 } = found.data ?? {}
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  // The last import of a page may have left the list.
  if (!entries || total === 0) return null
  return (
    <Stack as="section" gap={2} aria-labelledby={titleId}>
      <h2 id={titleId}>Recent imports</h2>
      <FactTable label="Recent imports" columns={columns} rows={entries} rowKey={({ uid }) => uid} isFramed isWide />
      <Pager page={page} perPage={PAGE_SIZE} total={total} onChange={setPage} />
    </Stack>
  )
}

/** Until when an import can be undone, with the button; that it was, or why it can't be. */
function UndoState({ entry }: { entry: ImportRunEntry }) {
  const mayUndo = useMay({ ...imports.undo, access: importAccess(entry.kind) })
  const { undone, obstacle, undoUntil } = entry
  if (undone) {
    const by = undone.by ? ` by ${undone.by.name}` : ''
    return `Undone ${formatMoment(undone.at, localZone())}${by}`
  }
  if (obstacle !== null) return <Soft as="span">{obstacle}</Soft>
  return (
    <Row as="span" gap={2} align="center">
      {mayUndo && <UndoImport entry={entry} />}
      <span>Until {formatMoment(undoUntil, localZone())}</span>
    </Row>
  )
}

/** Undoes an import after one question. */
function UndoImport({ entry }: { entry: ImportRunEntry }) {
  const { uid, kind, fileName } = entry
  const undo = useSave(imports.undo)
  const refreshRecords = useRefreshAfter(addedBy[kind])
  const refreshImports = useRefreshAfter(imports.undo)
  const notice = useNotice()
  const [isAsking, setAsking] = useState(false)
  const act = async () => {
    try {
      const { removed, restored } = (await undo.mutateAsync({ body: { kind, uid } })).data
      refreshRecords()
      notice(`Import undone: ${formatCount(removed)} deleted, ${formatCount(restored)} as before.`)
    } catch (error) {
      notice(errorMessage(error), 'bad')
      // Someone else undid it, or changed a record.
      refreshImports()
    }
    setAsking(false)
  }
  return (
    <>
      <Button size="small" aria-label={`Undo ${fileName}`} onClick={() => setAsking(true)}>
        Undo
      </Button>
      <Confirm
        open={isAsking}
        question="Undo this import?"
        text={`${fileName} · ${effectOf(entry)}`}
        act="Undo import"
        busy={undo.isPending}
        onAct={() => void act()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

/** What undoing does: `2 added trucks are deleted. 1 changed truck is as it was before.` */
function effectOf({ kind, added, changed }: ImportRunEntry): string {
  const [one, several] = importDescriptions[kind].nouns
  const removed = `${countOf(added, `added ${one}`, `added ${several}`)} ${added === 1 ? 'is' : 'are'} deleted.`
  const restored = `${countOf(changed, `changed ${one}`, `changed ${several}`)} ${changed === 1 ? 'is' : 'are'} as before.`
  return [added > 0 && removed, changed > 0 && restored].filter((part) => part !== false).join(' ')
}
