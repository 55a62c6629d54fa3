import type { CheckedRow, ImportColumns } from '@roadshow/contract/platform/imports'
import { Alert, Button, Drawer } from 'antd'
import { useRef, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { ChooseFile } from './ChooseFile.tsx'
import { csvText, downloadText } from './csv.ts'
import { ImportTable } from './ImportTable.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { downloadRejectedRows } from './rejectedRows.ts'
import styles from './imports.module.css'
import { Row, Soft } from '../layout.tsx'

interface ImportDrawerProps<T> {
  title: string
  open: boolean
  onClose: () => void
  columns: ImportColumns<string>
  templateName: string
  hint: string
  /** Sends the file to be checked, and tells which share of it has been sent, from 0 to 1. */
  check: (file: File, onSent: (share: number) => void, signal: AbortSignal) => Promise<CheckedRow<T>[]>
  /** Takes what the good rows stand for. */
  onTake: (values: T[]) => void
}

const isWrong = ({ value }: CheckedRow<unknown>) => value === null
const groups = { wrong: isWrong, good: (row: CheckedRow<unknown>) => !isWrong(row) }

/** Sends a file to be checked. Another file, or closing, takes the place of the check under way. */
function useFileCheck<T>(check: ImportDrawerProps<T>['check']) {
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState(0)
  const [rows, setRows] = useState<CheckedRow<T>[]>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const startWith = (chosen: File | undefined) => {
    running.current?.abort()
    running.current = new AbortController()
    setFile(chosen)
    setSent(0)
    setRows(undefined)
    setProblem(undefined)
    return running.current.signal
  }
  const run = async (chosen: File) => {
    const signal = startWith(chosen)
    try {
      const checked = await check(chosen, setSent, signal)
      if (!signal.aborted) setRows(checked)
    } catch (error) {
      if (!signal.aborted) setProblem(errorMessage(error))
    }
  }
  return { file, sent, rows, problem, run, reset: () => void startWith(undefined) }
}

/** Imports a table from a file in two steps: a check that names every wrong row, then the good rows on request. */
export function ImportDrawer<T>(props: ImportDrawerProps<T>) {
  const { title, open, onClose, columns, templateName, hint, check, onTake } = props
  const { file, sent, rows, problem, run, reset } = useFileCheck(check)
  const good = rows?.flatMap(({ value }) => (value === null ? [] : [value])) ?? []
  const wrong = rows?.filter(isWrong) ?? []
  const titles = Object.values(columns).map(([name]) => name)
  const close = () => {
    onClose()
    reset()
  }
  const take = () => {
    onTake(good)
    close()
  }
  return (
    <Drawer
      open={open}
      onClose={close}
      // A page of its own: rows of a file are wide.
      size="100%"
      title={title}
      destroyOnHidden
      footer={
        <Row gap={2} wrap>
          {wrong.length > 0 && (
            <Button onClick={() => downloadRejectedRows(file?.name ?? 'rows', columns, wrong)}>
              Download rows with errors
            </Button>
          )}
          <span className={styles.space} />
          <Button onClick={close}>Cancel</Button>
          <Button type="primary" disabled={good.length === 0} onClick={take}>
            {good.length > 0 ? `Import ${formatCount(good.length)} good rows` : 'Import the good rows'}
          </Button>
        </Row>
      }
    >
      <div className={styles.import}>
        <Soft as="p">
          A CSV or Excel file whose first row names the columns: {titles.join(', ')}. {hint}{' '}
          <Button type="link" size="small" onClick={() => downloadText(templateName, csvText([titles]))}>
            Download a template
          </Button>
        </Soft>
        <ChooseFile file={file} onChoose={(chosen) => void run(chosen)} />
        {file && !rows && !problem && <CheckProgress fileName={file.name} sent={sent} />}
        {problem && <Alert type="error" role="alert" title={problem} />}
        {rows && <CheckResult columns={columns} rows={rows} wrong={wrong.length} />}
      </div>
    </Drawer>
  )
}

/** The browser knows how much has been sent; the progress of the check itself is unknown. */
const CheckProgress = ({ fileName, sent }: { fileName: string; sent: number }) => (
  <p className={styles.checking}>
    {sent < 1 ? <progress aria-label="Sent" value={sent} /> : <progress aria-label="Checking" />}{' '}
    <span role="status">{sent < 1 ? `Sending ${fileName}…` : `Checking every row of ${fileName}…`}</span>
  </p>
)

interface CheckResultProps {
  columns: ImportColumns<string>
  rows: readonly CheckedRow<unknown>[]
  wrong: number
}

const CheckResult = ({ columns, rows, wrong }: CheckResultProps) => (
  <>
    <p role="status" className={styles.summary}>
      {wrong === 0
        ? `All ${formatCount(rows.length)} rows are good.`
        : `${formatCount(wrong)} of ${formatCount(rows.length)} rows have errors.`}
    </p>
    <ImportTable columns={columns} rows={rows} isWrong={isWrong} groups={groups} />
  </>
)
