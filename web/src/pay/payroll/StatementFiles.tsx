import { payroll } from '@roadshow/contract/pay/payroll'
import { Alert, Button } from 'antd'
import { useDownload } from '../../api/useDownload.ts'
import type { PayDateRange } from './usePayDays.ts'
import styles from './payroll.module.css'

const formats = [
  ['pdf', 'Statement (PDF)'],
  ['csv', 'CSV'],
  ['xlsx', 'XLSX'],
] as const

interface StatementFilesProps {
  days: PayDateRange
  /** The user's own statement, if empty. */
  driver?: string
}

/** A driver's statement as files; to a driver the one that is read on paper. */
export function StatementFiles({ days: { from, to }, driver }: StatementFilesProps) {
  const { busy, refused, fetch } = useDownload()
  return (
    <span className={styles.acts} data-print="no">
      {formats
        .filter(([format]) => driver !== undefined || format === 'pdf')
        .map(([format, label]) => (
          <Button
            key={format}
            loading={busy === format}
            onClick={() =>
              void fetch(format, payroll.statement, { query: { from, to, format, ...(driver && { driver }) } })
            }
          >
            {label}
          </Button>
        ))}
      {refused && <Alert type="error" role="alert" title={refused} />}
    </span>
  )
}
