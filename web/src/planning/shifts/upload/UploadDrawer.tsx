import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import {
  shiftUploadColumns,
  shiftUpload,
  shiftUploadRules,
  uploadRowStates,
} from '@roadshow/contract/planning/shift-upload'
import type { ShiftUploadResult, UploadRow, UploadRowState } from '@roadshow/contract/planning/shift-upload'
import { Alert, Button, Drawer } from 'antd'
import { errorMessage } from '../../../api/call.ts'
import { download } from '../../../api/download.ts'
import { ChooseFile } from '../../../ui/ChooseFile.tsx'
import { ImportTable } from '../../../ui/ImportTable.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { keepWrongRows } from '../../../ui/wrongRows.ts'
import styles from '../../../ui/imports.module.css'
import { useUpload } from './useUpload.ts'
import type { UploadCall } from './useUpload.ts'

const stateLabel: Record<UploadRowState, string> = { new: 'New', changed: 'Changed', same: 'Same', wrong: 'Wrong' }

const several = (count: number, noun: string) => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`

const isWrong = ({ state }: UploadRow) => state === 'wrong'
const groups = {
  wrong: isWrong,
  ...Object.fromEntries(uploadRowStates.map((each) => [each, ({ state }: UploadRow) => state === each])),
}

/** What a checked file would do to the schedule, in a sentence. */
function summaryOf({ counts, rows }: ShiftUploadResult): string {
  const parts = [
    counts.new > 0 && `${counts.new.toLocaleString('en-US')} new`,
    counts.changed > 0 && `${counts.changed.toLocaleString('en-US')} changed`,
    counts.same > 0 && `${counts.same.toLocaleString('en-US')} the same as before`,
    counts.wrong > 0 && `${counts.wrong.toLocaleString('en-US')} wrong`,
  ].filter((part) => part !== false)
  return `${several(rows.length, 'row')}: ${parts.join(', ')}.`
}

const savedSentence = ({ counts }: ShiftUploadResult) =>
  counts.new + counts.changed === 0
    ? 'Everything was as in the file already.'
    : `Saved: ${several(counts.new, 'new shift')} and ${several(counts.changed, 'changed shift')}.`

interface UploadDrawerProps {
  /** Where the file goes. */
  upload?: UploadCall
  onClose: () => void
}

/** Takes a schedule from a file: a check that shows every row, then the good rows on request. */
export default function UploadDrawer({ upload: into = shiftUpload.upload, onClose }: UploadDrawerProps) {
  const upload = useUpload(into)
  const { file, checked, saved } = upload
  const notice = useNotice()
  const wrong = checked?.rows.filter(isWrong) ?? []
  const toSave = checked ? checked.counts.new + checked.counts.changed : 0
  const close = () => {
    upload.clear()
    onClose()
  }
  const keepTemplate = (format: 'csv' | 'xlsx') => {
    download(shiftUpload.template, { query: { format } }).catch((error: unknown) => notice(errorMessage(error), 'bad'))
  }
  return (
    <Drawer
      open
      onClose={close}
      size={LARGE_DRAWER_WIDTH}
      title="Upload shifts"
      // What is being saved is saved, also when nobody looks any more.
      maskClosable={!upload.isSaving}
      footer={
        <div className={styles.footer}>
          {wrong.length > 0 && (
            <Button onClick={() => keepWrongRows(file?.name ?? 'shifts', shiftUploadColumns, wrong)}>
              Download the wrong rows
            </Button>
          )}
          <span className={styles.space} />
          {saved && <Button onClick={upload.clear}>Upload another file</Button>}
          <Button type={saved ? 'primary' : 'default'} onClick={close}>
            {saved ? 'Done' : 'Cancel'}
          </Button>
          {!saved && (
            <Button type="primary" disabled={toSave === 0} loading={upload.isSaving} onClick={upload.save}>
              {toSave > 0 ? `Save ${several(toSave, 'shift')}` : 'Save'}
            </Button>
          )}
        </div>
      }
    >
      <div className={styles.import}>
        {!checked && <Rules onTemplate={keepTemplate} />}
        {!saved && <ChooseFile file={file} onChoose={upload.check} isDisabled={upload.isSaving} />}
        {file && !checked && !upload.problem && <Progress name={file.name} sent={upload.sent} />}
        {upload.problem && (
          <Alert
            type="error"
            role="alert"
            title={upload.problem}
            action={
              file && (
                <Button size="small" onClick={() => upload.check(file)}>
                  Check again
                </Button>
              )
            }
          />
        )}
        {checked && (
          <>
            <p role="status" className={styles.summary}>
              {saved ? savedSentence(saved) : summaryOf(checked)}
              {saved && wrong.length > 0 && ` ${several(wrong.length, 'wrong row')} left out.`}
            </p>
            {checked.ignored.length > 0 && (
              <p className={styles.hint}>Columns that are not known were not read: {checked.ignored.join(', ')}.</p>
            )}
            <ImportTable
              key={checked.digest}
              columns={shiftUploadColumns}
              rows={checked.rows}
              isWrong={isWrong}
              groups={groups}
              stateOf={({ state }) => stateLabel[state]}
            />
          </>
        )}
      </div>
    </Drawer>
  )
}

const Rules = ({ onTemplate }: { onTemplate: (format: 'csv' | 'xlsx') => void }) => (
  <div className={styles.hint}>
    A CSV or Excel file whose first row names the columns:{' '}
    {Object.values(shiftUploadColumns)
      .map(([title]) => title)
      .join(', ')}
    .
    <ul className={styles.rules}>
      {shiftUploadRules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
    <Button type="link" size="small" onClick={() => onTemplate('xlsx')}>
      Template for Excel
    </Button>
    <Button type="link" size="small" onClick={() => onTemplate('csv')}>
      Template as CSV
    </Button>
  </div>
)

/** How far the check is, nobody knows; how much has been sent, the browser does. */
const Progress = ({ name, sent }: { name: string; sent: number }) => (
  <p className={styles.checking}>
    {sent < 1 ? <progress aria-label="Sent" value={sent} /> : <progress aria-label="Checking" />}{' '}
    <span role="status">{sent < 1 ? `Sending ${name}…` : `Checking every row of ${name}…`}</span>
  </p>
)
