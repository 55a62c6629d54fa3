import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/constants'
import type { CheckedRow, ImportColumns } from '@roadshow/contract/imports'
import { Alert, Button, ConfigProvider, Drawer } from 'antd'
import { useId, useState } from 'react'
import { sentenceOf } from '../api/call.ts'
import { csvText, keepText } from './csv.ts'
import { ImportTable, isWrong } from './ImportTable.tsx'
import styles from './imports.module.css'

interface ImportDrawerProps<T> {
  title: string
  open: boolean
  onClose: () => void
  columns: ImportColumns<string>
  templateName: string
  hint: string
  /** Sends the file to be checked. */
  check: (file: File) => Promise<CheckedRow<T>[]>
  /** Takes what the good rows stand for. */
  onTake: (values: T[]) => void
}

const kilobytes = ({ size }: File) => `${Math.max(1, Math.round(size / 1024)).toLocaleString('en-US')} KB`

/** Takes a table from a file in two steps: a check that names every wrong row, then the good rows on request. */
export function ImportDrawer<T>(props: ImportDrawerProps<T>) {
  const { title, open, onClose, columns, templateName, hint, check, onTake } = props
  const [file, setFile] = useState<File>()
  const [rows, setRows] = useState<CheckedRow<T>[]>()
  const [problem, setProblem] = useState<string>()
  const input = useId()
  const good = rows?.flatMap(({ value }) => (value === null ? [] : [value])) ?? []
  const wrong = rows?.filter(isWrong) ?? []
  const titles = Object.values(columns).map(([name]) => name)

  const run = async (chosen: File) => {
    setFile(chosen)
    setRows(undefined)
    setProblem(undefined)
    try {
      setRows(await check(chosen))
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  const close = () => {
    onClose()
    setFile(undefined)
    setRows(undefined)
    setProblem(undefined)
  }
  const keepWrong = () =>
    keepText(
      `${file?.name.replace(/\.\w+$/, '') ?? 'rows'}-wrong-rows.csv`,
      csvText([
        [...titles, 'What is wrong'],
        ...wrong.map(({ cells, problems }) => [
          ...Object.keys(columns).map((column) => cells[column] ?? ''),
          Object.entries(problems)
            .map(([column, text]) => `${columns[column]?.[0] ?? column}: ${text}`)
            .join(' '),
        ]),
      ]),
    )

  return (
    <Drawer
      open={open}
      onClose={close}
      size={LARGE_DRAWER_WIDTH}
      title={title}
      rootClassName={styles.drawer ?? ''}
      destroyOnHidden
      footer={
        <div className={styles.footer}>
          {wrong.length > 0 && <Button onClick={keepWrong}>Download the wrong rows</Button>}
          <span className={styles.space} />
          <Button onClick={close}>Cancel</Button>
          <Button
            type="primary"
            disabled={good.length === 0}
            onClick={() => {
              onTake(good)
              close()
            }}
          >
            {good.length > 0 ? `Take ${good.length.toLocaleString('en-US')} good rows` : 'Take the good rows'}
          </Button>
        </div>
      }
    >
      <ConfigProvider componentDisabled={false}>
        <div className={styles.import}>
          <p className={styles.hint}>
            A CSV or Excel file whose first row names the columns: {titles.join(', ')}. {hint}{' '}
            <Button type="link" size="small" onClick={() => keepText(templateName, csvText([titles]))}>
              Download a template
            </Button>
          </p>
          <label htmlFor={input} className={styles.choose}>
            {file ? `${file.name}, ${kilobytes(file)}` : 'Choose a file'}
            <input
              id={input}
              type="file"
              accept=".csv,.txt,.tsv,.xlsx,text/csv"
              onChange={({ target }) => {
                const [chosen] = target.files ?? []
                if (chosen) void run(chosen)
                // The same file can be chosen again once it is corrected.
                target.value = ''
              }}
            />
          </label>
          {file && !rows && !problem && (
            <p role="status" className={styles.checking}>
              <progress aria-label="Checking" /> Checking every row of {file.name}…
            </p>
          )}
          {problem && <Alert type="error" role="alert" title={problem} />}
          {rows && (
            <>
              <p role="status" className={styles.summary}>
                {wrong.length === 0
                  ? `All ${rows.length.toLocaleString('en-US')} rows are good.`
                  : `${wrong.length.toLocaleString('en-US')} of ${rows.length.toLocaleString('en-US')} rows are wrong.`}
              </p>
              <ImportTable columns={columns} rows={rows} />
            </>
          )}
        </div>
      </ConfigProvider>
    </Drawer>
  )
}
