import { shiftUploadColumns, shiftUpload, shiftUploadRules } from '@roadshow/contract/planning/shift-upload'
import type { ShiftUploadResult } from '@roadshow/contract/planning/shift-upload'
import { importRowStates } from '@roadshow/contract/platform/imports'
import type { ImportRow, ImportRowState } from '@roadshow/contract/platform/imports'
import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import { Alert, Button, Drawer } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { download } from '../../../api/download.ts'
import { useMay } from '../../../api/user.ts'
import { ChooseFile } from '../../../ui/import/ChooseFile.tsx'
import { ImportTable } from '../../../ui/import/ImportTable.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { formatClock, formatFullDay } from '@roadshow/contract/platform/dates'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { downloadRejectedRows } from '../../../ui/import/rejectedRows.ts'
import styles from '../../../ui/import/imports.module.css'
import { Row, Soft } from '../../../ui/layout.tsx'
import { useUndo } from '../useUndo.ts'
import { useUpload } from './useUpload.ts'
import type { UploadCall } from './useUpload.ts'

const stateLabel: Record<ImportRowState, string> = { new: 'New', changed: 'Changed', same: 'Unchanged', wrong: 'Error' }

const isWrong = ({ state }: ImportRow) => state === 'wrong'
const groups = {
  wrong: isWrong,
  ...Object.fromEntries(importRowStates.map((each) => [each, ({ state }: ImportRow) => state === each])),
}

/** A day or a time as it was understood; other cells as the file has them. */
function formatCell(cell: string, column: string): string {
  if (column === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(cell)) return formatFullDay(cell)
  return ['start', 'end'].includes(column) && /^\d{2}:\d{2}$/.test(cell) ? formatClock(cell) : cell
}

/** One sentence on the effect of a checked file. */
function summaryOf({ counts, rows, inactive }: ShiftUploadResult): string {
  const parts = [
    counts.new > 0 && `${formatCount(counts.new)} new`,
    counts.changed > 0 && `${formatCount(counts.changed)} changed`,
    counts.same > 0 && `${formatCount(counts.same)} unchanged`,
    counts.wrong > 0 && `${formatCount(counts.wrong)} with errors`,
  ].filter((part) => part !== false)
  const asks = inactive > 0 ? ` ${countOf(inactive, 'shift')} of a draft or paused program will be planned anyway.` : ''
  return `${countOf(rows.length, 'row')}: ${parts.join(', ')}.${asks}`
}

const savedSentence = ({ counts }: ShiftUploadResult) =>
  counts.new + counts.changed === 0
    ? 'Nothing to save: the schedule already matches the file.'
    : `Saved: ${countOf(counts.new, 'new shift')} and ${countOf(counts.changed, 'changed shift')}.`

interface UploadDrawerProps {
  /** The endpoint that takes the file. */
  upload?: UploadCall
  onClose: () => void
}

/** Uploads a schedule file: first a check of every row, then the valid rows are saved on request. */
export default function UploadDrawer({ upload: into = shiftUpload.upload, onClose }: UploadDrawerProps) {
  const upload = useUpload(into)
  const { file, checked, saved } = upload
  const close = () => {
    upload.clear()
    onClose()
  }
  return (
    <Drawer
      open
      onClose={close}
      // A page of its own: rows of a file are wide.
      size="100%"
      title="Upload shifts"
      // Closing the drawer does not stop a save.
      maskClosable={!upload.isSaving}
      footer={<UploadFooter upload={upload} onClose={close} />}
    >
      <div className={styles.import}>
        {!checked && <Rules />}
        {!saved && <ChooseFile file={file} onChoose={upload.check} isDisabled={upload.isSaving} />}
        {file && !checked && !upload.problem && <Progress name={file.name} sent={upload.sent} />}
        {upload.problem && <UploadProblem problem={upload.problem} onRetry={file && (() => upload.check(file))} />}
        {checked && <CheckedRows checked={checked} saved={saved} />}
      </div>
    </Drawer>
  )
}

type Upload = ReturnType<typeof useUpload>

const wrongRowsOf = (checked: ShiftUploadResult | undefined) => checked?.rows.filter(isWrong) ?? []

function UploadFooter({ upload, onClose }: { upload: Upload; onClose: () => void }) {
  const { file, checked, saved } = upload
  const wrong = wrongRowsOf(checked)
  const toSave = checked ? checked.counts.new + checked.counts.changed : 0
  return (
    <Row gap={2} wrap>
      {wrong.length > 0 && (
        <Button onClick={() => downloadRejectedRows(file?.name ?? 'shifts', shiftUploadColumns, wrong)}>
          Download rows with errors
        </Button>
      )}
      <span className={styles.space} />
      {saved?.undoUid && <UndoUpload undoUid={saved.undoUid} said={savedSentence(saved)} onUndone={upload.clear} />}
      {saved && <Button onClick={upload.clear}>Upload another file</Button>}
      <Button type={saved ? 'primary' : 'default'} onClick={onClose}>
        {saved ? 'Done' : 'Cancel'}
      </Button>
      {!saved && (
        <Button type="primary" disabled={toSave === 0} loading={upload.isSaving} onClick={upload.save}>
          {toSave > 0 ? `Save ${countOf(toSave, 'shift')}` : 'Save'}
        </Button>
      )}
    </Row>
  )
}

interface UndoUploadProps {
  undoUid: string
  said: string
  onUndone: () => void
}

function UndoUpload({ undoUid, said, onUndone }: UndoUploadProps) {
  const mayUndo = useMay(shiftPlanChanges.undo)
  const undo = useUndo()
  const [isUndoing, setUndoing] = useState(false)
  const onClick = async () => {
    setUndoing(true)
    const isUndone = await undo({ uid: undoUid }, said)
    setUndoing(false)
    if (isUndone) onUndone()
  }
  return (
    mayUndo && (
      <Button loading={isUndoing} onClick={() => void onClick()}>
        Undo
      </Button>
    )
  )
}

const UploadProblem = ({ problem, onRetry }: { problem: string; onRetry: (() => void) | undefined }) => (
  <Alert
    type="error"
    role="alert"
    title={problem}
    action={
      onRetry && (
        <Button size="small" onClick={onRetry}>
          Check again
        </Button>
      )
    }
  />
)

function CheckedRows({ checked, saved }: { checked: ShiftUploadResult; saved: ShiftUploadResult | undefined }) {
  const wrong = wrongRowsOf(checked)
  return (
    <>
      <p role="status" className={styles.summary}>
        {saved ? savedSentence(saved) : summaryOf(checked)}
        {saved && wrong.length > 0 && ` ${countOf(wrong.length, 'row')} with errors skipped.`}
      </p>
      {checked.ignored.length > 0 && <Soft as="p">Unknown columns were ignored: {checked.ignored.join(', ')}.</Soft>}
      <ImportTable
        key={checked.digest}
        columns={shiftUploadColumns}
        rows={checked.rows}
        isWrong={isWrong}
        groups={groups}
        stateOf={({ state }) => stateLabel[state]}
        say={formatCell}
      />
    </>
  )
}

function Rules() {
  const notice = useNotice()
  const downloadTemplate = (format: 'csv' | 'xlsx') => {
    download(shiftUpload.template, { query: { format } }).catch((error: unknown) => notice(errorMessage(error), 'bad'))
  }
  const titles = Object.values(shiftUploadColumns).map(([title]) => title)
  return (
    <Soft as="div">
      A CSV or Excel file whose first row names the columns: {titles.join(', ')}.
      <ul className={styles.rules}>
        {shiftUploadRules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <Button type="link" size="small" onClick={() => downloadTemplate('xlsx')}>
        Excel template
      </Button>
      <Button type="link" size="small" onClick={() => downloadTemplate('csv')}>
        CSV template
      </Button>
    </Soft>
  )
}

/** The browser reports how much is sent; the server does not report how far its check is. */
const Progress = ({ name, sent }: { name: string; sent: number }) => (
  <p className={styles.checking}>
    {sent < 1 ? <progress aria-label="Sent" value={sent} /> : <progress aria-label="Checking" />}{' '}
    <span role="status">{sent < 1 ? `Sending ${name}…` : `Checking every row of ${name}…`}</span>
  </p>
)
