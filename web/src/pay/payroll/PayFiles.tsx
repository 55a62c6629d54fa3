import { gustoColumns, payFileLabel, payFileQuery } from '@roadshow/contract/pay/pay-files'
import type { PayFileSystem } from '@roadshow/contract/pay/pay-files'
import { payroll } from '@roadshow/contract/pay/payroll'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Input, Select, Skeleton } from 'antd'
import { useDeferredValue, useId, useState } from 'react'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { ErrorState } from '../../ui/states.tsx'
import type { PayPage } from './payColumns.tsx'
import { ControlTotals, controlTotalRows } from './PayTotals.tsx'
import { useDownload } from './useDownload.ts'
import type { PayDateRange } from './usePayDays.ts'
import styles from './payroll.module.css'

const formats = { csv: 'CSV', xlsx: 'Excel (XLSX)' } as const
type Format = keyof typeof formats
type Kind = Format | PayFileSystem

const kinds = Object.entries({ ...formats, ...payFileLabel }).map(([value, label]) => ({ value: value as Kind, label }))
const isSheet = (kind: Kind): kind is Format => kind in formats

/** A period as a file, with what it holds beside it. */
export default function PayFiles({ days, page }: { days: PayDateRange; page: PayPage }) {
  const [kind, setKind] = useState<Kind>('csv')
  const kindId = useId()
  const { period } = page
  return (
    <div className={styles.files}>
      <div className={styles.field}>
        <label htmlFor={kindId}>File for</label>
        <Select<Kind> id={kindId} value={kind} options={kinds} onChange={setKind} />
      </div>
      {isSheet(kind) && <Sheet key={kind} format={kind} days={days} page={page} />}
      {!isSheet(kind) &&
        (period && period.state !== 'open' ? (
          <ProgramFile key={kind} system={kind} period={period.uid} />
        ) : (
          <p>Approve the period first: until then its figures can change.</p>
        ))}
    </div>
  )
}

function Sheet({
  format,
  days: { from, to },
  page: { totals },
}: {
  format: Format
  days: PayDateRange
  page: PayPage
}) {
  const { busy, refused, fetch } = useDownload()
  return (
    <>
      <p>A row for each driver of the period.</p>
      <ControlTotals rows={controlTotalRows({ ...totals, rows: totals.drivers, minutes: totals.actualMinutes })} />
      {refused && <Alert type="error" role="alert" title={refused} />}
      <Button
        type="primary"
        loading={busy !== undefined}
        onClick={() => void fetch(format, payroll.list, { query: { from, to, format } })}
      >
        Download {formats[format]}
      </Button>
    </>
  )
}

/** What each program wants to know besides. */
const blanks: Record<PayFileSystem, Record<string, string>> = {
  adp: { companyCode: '', earningsCode: 'DAY', adjustmentCode: 'ADJ' },
  gusto: { payColumn: gustoColumns[0] },
  quickbooks: {},
}
const labels: Record<string, string> = {
  companyCode: 'Company code',
  earningsCode: 'Earnings code of day pay',
  adjustmentCode: 'Earnings code of adjustments',
  payColumn: 'Column of day pay',
}

function ProgramFile({ system, period }: { system: PayFileSystem; period: string }) {
  const [typed, setTyped] = useState(blanks[system])
  const asked = useDeferredValue(typed)
  const query = { period, system, ...Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== '')) }
  const parsed = payFileQuery.safeParse(query)
  const wrong = (name: string) => parsed.error?.issues.find(({ path }) => path[0] === name)?.message
  const check = useQuery({
    queryKey: keyOf(payroll.checkFile, query),
    queryFn: async ({ signal }) => (await call(payroll.checkFile, { query }, { signal })).data,
    enabled: parsed.success,
  })
  const { busy, refused, fetch } = useDownload()
  return (
    <>
      {Object.entries(typed).map(([name, text]) => (
        <Asked key={name} label={labels[name] ?? name} problem={wrong(name)} isEmpty={text === ''}>
          {(id) =>
            name === 'payColumn' ? (
              <Select
                id={id}
                value={text}
                options={gustoColumns.map((value) => ({ value, label: value }))}
                onChange={(value) => setTyped({ ...typed, [name]: value })}
              />
            ) : (
              <Input
                id={id}
                value={text}
                maxLength={3}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value.trim() })}
              />
            )
          }
        </Asked>
      ))}
      {parsed.success && check.isError && <ErrorState error={check.error} onRetry={() => void check.refetch()} />}
      {parsed.success && check.isPending && <Skeleton active title={false} />}
      {parsed.success && check.data && (
        <>
          <ControlTotals rows={controlTotalRows(check.data)} />
          {check.data.notes.map((note) => (
            <p key={note} className={styles.soft}>
              {note}
            </p>
          ))}
          {check.data.problems.length > 0 && (
            <Alert
              type="error"
              role="alert"
              title="The file cannot be made:"
              description={
                <ul className={styles.problems}>
                  {check.data.problems.map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              }
            />
          )}
          {refused && <Alert type="error" role="alert" title={refused} />}
          <Button
            type="primary"
            disabled={check.data.problems.length > 0 || asked !== typed}
            loading={busy !== undefined}
            onClick={() => void fetch(system, payroll.file, { query })}
          >
            Download {check.data.filename}
          </Button>
        </>
      )}
    </>
  )
}

interface AskedProps {
  label: string
  problem: string | undefined
  /** What was not typed yet is no mistake. */
  isEmpty: boolean
  children: (id: string) => ReactNode
}

function Asked({ label, problem, isEmpty, children }: AskedProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem && <p className={isEmpty ? styles.soft : styles.wrong}>{problem}</p>}
    </div>
  )
}
