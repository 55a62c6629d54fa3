import { importDescriptions } from '@roadshow/contract/console/imports'
import type { ImportCorrection, ImportKindName, ImportResult } from '@roadshow/contract/console/imports'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import type { ImportDescription, ImportRow, ImportRowState } from '@roadshow/contract/platform/imports'
import { importRowStates } from '@roadshow/contract/platform/imports'
import { Alert, Button, Checkbox } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { errorMessage } from '../../api/call.ts'
import { SendInvitations } from '../../catalog/users/SendInvitations.tsx'
import { ChooseFile } from '../../ui/import/ChooseFile.tsx'
import { ImportTable } from '../../ui/import/ImportTable.tsx'
import { downloadRejectedRows } from '../../ui/import/rejectedRows.ts'
import { Row, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { HeadingChoices } from './HeadingChoices.tsx'
import { AS_IT_IS, useImport } from './useImport.ts'
import type { Skip } from './useImport.ts'
import styles from './imports.module.css'

const stateLabel: Record<ImportRowState, string> = { new: 'New', changed: 'Changed', same: 'Unchanged', wrong: 'Error' }
const isWrong = ({ state }: ImportRow) => state === 'wrong'
const groups = {
  wrong: isWrong,
  ...Object.fromEntries(importRowStates.map((each) => [each, ({ state }: ImportRow) => state === each])),
}

interface ImportFileProps {
  kind: ImportKindName
  /** What to know before a file is chosen. */
  rules: ReactNode
}

/** One file: chosen, checked, corrected on the screen, saved, undone. */
export function ImportFile({ kind, rules }: ImportFileProps) {
  const [skip, setSkip] = useState<Skip>([])
  const file = useImport(kind, skip)
  const [edits, setEdits] = useState<ImportCorrection[]>([])
  const { checked, saved, options } = file
  const check = (chosen: File) => {
    setEdits([])
    setSkip([])
    file.check(chosen, AS_IT_IS)
  }
  const checkAgain = (more: Partial<typeof options>) => {
    if (!file.file) return
    file.check(file.file, { ...options, corrections: mergeCorrections(options.corrections, edits), ...more })
    setEdits([])
  }
  return (
    <Stack gap={3}>
      {!checked && rules}
      {!saved && <ChooseFile file={file.file} onChoose={check} isDisabled={file.isSaving} />}
      {file.isChecking && file.file && <Progress name={file.file.name} sent={file.sent} />}
      {file.problem && <Alert type="error" role="alert" title={file.problem} />}
      {checked && !saved && (
        <HeadingChoices
          key={checked.headings.map(({ column }) => column).join()}
          description={importDescriptions[kind]}
          result={checked}
          isChecking={file.isChecking}
          onChoose={(columns) => checkAgain({ columns, corrections: [] })}
        />
      )}
      {checked && checked.rows.length > 0 && (
        <>
          <p role="status" className={styles.summary}>
            {saved
              ? savedSentence(saved, skip, importDescriptions[kind])
              : summaryOf(checked, importDescriptions[kind])}
          </p>
          {!saved && <SkipChoices result={checked} kind={kind} skip={skip} onSkip={setSkip} />}
          <ImportActions
            {...{ kind, file, skip, edits }}
            onCheckAgain={() => checkAgain({})}
            onAnother={() => {
              setEdits([])
              file.clear()
            }}
          />
          <div className={styles.rows}>
            <ImportTable
              columns={importDescriptions[kind].columns}
              rows={withEdits(checked.rows, edits)}
              isWrong={isWrong}
              groups={groups}
              stateOf={({ state }) => stateLabel[state]}
              {...(!saved && {
                onEdit: (row: number, column: string, text: string) =>
                  setEdits(mergeCorrections(edits, [{ row, column, text }])),
              })}
            />
          </div>
        </>
      )}
    </Stack>
  )
}

/** Later corrections of a cell replace earlier ones. */
function mergeCorrections(before: readonly ImportCorrection[], later: readonly ImportCorrection[]): ImportCorrection[] {
  const keyOf = ({ row, column }: ImportCorrection) => `${row} ${column}`
  return [...new Map([...before, ...later].map((each) => [keyOf(each), each])).values()]
}

/** The rows as corrected and not checked yet. */
function withEdits(rows: ImportRow[], edits: readonly ImportCorrection[]): ImportRow[] {
  if (edits.length === 0) return rows
  const byRow = new Map<number, Record<string, string>>()
  for (const { row, column, text } of edits) byRow.set(row, { ...byRow.get(row), [column]: text })
  return rows.map((row) => (byRow.has(row.row) ? { ...row, cells: { ...row.cells, ...byRow.get(row.row) } } : row))
}

const named = (count: number, { nouns }: ImportDescription, word: string) =>
  countOf(count, `${word} ${nouns[0]}`, `${word} ${nouns[1]}`)

/** What saving would do, in numbers. */
function summaryOf({ rows, records, counts, inactive }: ImportResult, description: ImportDescription): string {
  const parts = [
    named(records.new, description, 'new'),
    named(records.changed, description, 'changed'),
    counts.same > 0 && `${countOf(counts.same, 'row')} unchanged`,
    counts.wrong > 0 && `${countOf(counts.wrong, 'row')} with errors`,
  ].filter((part) => part !== false)
  const asks = inactive > 0 ? ` ${countOf(inactive, 'shift')} of a draft or paused program will be planned anyway.` : ''
  return `${countOf(rows.length, 'row')}: ${parts.join(', ')}.${asks}`
}

function savedSentence({ records, counts }: ImportResult, skip: Skip, description: ImportDescription): string {
  const done = {
    new: skip.includes('new') ? 0 : records.new,
    changed: skip.includes('changed') ? 0 : records.changed,
  }
  const left = counts.wrong > 0 ? ` ${countOf(counts.wrong, 'row')} with errors skipped.` : ''
  return `Saved: ${named(done.new, description, 'new')} and ${named(done.changed, description, 'changed')}.${left}`
}

interface SkipChoicesProps {
  result: ImportResult
  kind: ImportKindName
  skip: Skip
  onSkip: (skip: Skip) => void
}

/** Which of the new and the changed records are saved. */
function SkipChoices({ result: { records }, kind, skip, onSkip }: SkipChoicesProps) {
  const { nouns } = importDescriptions[kind]
  const choices = [
    ['new', records.new, 'Add'],
    ['changed', records.changed, 'Change'],
  ] as const
  return (
    <Row gap={4} wrap>
      {choices
        .filter(([, count]) => count > 0)
        .map(([group, count, verb]) => (
          <Checkbox
            key={group}
            checked={!skip.includes(group)}
            onChange={({ target }) => onSkip(target.checked ? skip.filter((each) => each !== group) : [...skip, group])}
          >
            {verb} {countOf(count, nouns[0], nouns[1])}
          </Checkbox>
        ))}
    </Row>
  )
}

interface ImportActionsProps {
  kind: ImportKindName
  file: ReturnType<typeof useImport>
  skip: Skip
  edits: readonly ImportCorrection[]
  onCheckAgain: () => void
  onAnother: () => void
}

function ImportActions({ kind, file, skip, edits, onCheckAgain, onAnother }: ImportActionsProps) {
  const { nouns, columns } = importDescriptions[kind]
  const { checked, saved } = file
  const [invitedOf, setInvitedOf] = useState<string>()
  const toInvite = kind === 'users' && saved && saved.undoUid !== invitedOf ? saved.addedUids : []
  const wrong = checked?.rows.filter(isWrong) ?? []
  const records = checked?.records ?? { new: 0, changed: 0 }
  const toSave = (skip.includes('new') ? 0 : records.new) + (skip.includes('changed') ? 0 : records.changed)
  return (
    <Row gap={2} wrap>
      {!saved && edits.length === 0 && (
        <Button type="primary" disabled={toSave === 0} loading={file.isSaving} onClick={file.save}>
          {toSave > 0 ? `Save ${countOf(toSave, nouns[0], nouns[1])}` : 'Save'}
        </Button>
      )}
      {edits.length > 0 && (
        <Button type="primary" loading={file.isChecking} onClick={onCheckAgain}>
          Check {countOf(edits.length, 'corrected cell')}
        </Button>
      )}
      {wrong.length > 0 && (
        <Button onClick={() => downloadRejectedRows(file.file?.name ?? kind, columns, wrong)}>
          Download {countOf(wrong.length, 'row')} with errors
        </Button>
      )}
      {toInvite.length > 0 && (
        <SendInvitations userUids={toInvite} onSent={() => setInvitedOf(saved?.undoUid ?? undefined)} />
      )}
      {saved?.undoUid && <UndoButton undoUid={saved.undoUid} undo={file.undo} onUndone={onAnother} />}
      {saved && <Button onClick={onAnother}>Import another file</Button>}
    </Row>
  )
}

interface UndoButtonProps {
  undoUid: string
  undo: ReturnType<typeof useImport>['undo']
  onUndone: () => void
}

function UndoButton({ undoUid, undo, onUndone }: UndoButtonProps) {
  const notice = useNotice()
  const [isUndoing, setUndoing] = useState(false)
  const onClick = async () => {
    setUndoing(true)
    try {
      const { removed, restored } = await undo(undoUid)
      notice(`Import undone: ${formatCount(removed)} deleted, ${formatCount(restored)} as before.`)
      onUndone()
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setUndoing(false)
  }
  return (
    <Button loading={isUndoing} onClick={() => void onClick()}>
      Undo
    </Button>
  )
}

/** The browser reports how much is sent; the server does not report how far its check is. */
const Progress = ({ name, sent }: { name: string; sent: number }) => (
  <p className={styles.checking}>
    {sent < 1 ? <progress aria-label="Sent" value={sent} /> : <progress aria-label="Checking" />}{' '}
    <span role="status">{sent < 1 ? `Sending ${name}…` : `Checking every row of ${name}…`}</span>
  </p>
)
