import { gustoColumns, payFileLabel, payFileQuery } from '@roadshow/contract/pay/pay-files'
import type { PayFileCheck, PayFileSystem } from '@roadshow/contract/pay/pay-files'
import { payroll } from '@roadshow/contract/pay/payroll'
import { Alert, Button, Input, Radio, Select } from 'antd'
import { useDeferredValue, useId, useState } from 'react'
import { useCall } from '../../api/useCall.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import type { PayPage } from './payColumns.tsx'
import { ControlTotals, controlTotalRows } from './PayTotals.tsx'
import { useDownload } from '../../api/useDownload.ts'
import { Soft, Stack } from '../../ui/layout.tsx'
import type { PayDateRange } from './usePayDays.ts'
import shared from './payroll.module.css'
import styles from './PayFiles.module.css'

const formats = { csv: 'CSV', xlsx: 'Excel (XLSX)' } as const
type Format = keyof typeof formats
type Kind = Format | PayFileSystem

const kinds = Object.entries({ ...formats, ...payFileLabel }).map(([value, label]) => ({ value: value as Kind, label }))
const isSheet = (kind: Kind): kind is Format => kind in formats

/** Downloads of a pay period, with control totals. */
export default function PayFiles({ days, page }: { days: PayDateRange; page: PayPage }) {
  const [kind, setKind] = useState<Kind>('csv')
  const kindId = useId()
  const { period } = page
  return (
    <Stack gap={4} className={styles.files}>
      <div className={shared.field}>
        <span id={kindId}>File for</span>
        <Radio.Group
          aria-labelledby={kindId}
          value={kind}
          options={kinds}
          onChange={({ target }) => setKind(target.value as Kind)}
        />
      </div>
      {isSheet(kind) && <Sheet key={kind} format={kind} days={days} page={page} />}
      {!isSheet(kind) &&
        (period && period.state !== 'open' ? (
          <PayrollSystemFile key={kind} system={kind} period={period.uid} />
        ) : (
          <p>Approve the pay period first. Until then its figures can change.</p>
        ))}
    </Stack>
  )
}

interface SheetProps {
  format: Format
  days: PayDateRange
  page: PayPage
}

function Sheet({ format, days: { from, to }, page: { totals } }: SheetProps) {
  const { busy, refused, fetch } = useDownload()
  return (
    <>
      <p>One row per driver in the period.</p>
      <ControlTotals
        rows={controlTotalRows({
          ...totals,
          rows: totals.drivers,
          minutes: totals.actualMinutes,
          overtimeCents: totals.paidOvertimeCents,
        })}
      />
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

/** The settings of each payroll system, with their defaults. */
const blanks: Record<PayFileSystem, Record<string, string>> = {
  adp: { companyCode: '', earningsCode: 'DAY', adjustmentCode: 'ADJ', overtimeCode: 'OTP' },
  gusto: { payColumn: gustoColumns[0] },
  quickbooks: {},
}
const labels: Record<string, string> = {
  companyCode: 'Company code',
  earningsCode: 'Earnings code for day pay',
  adjustmentCode: 'Earnings code for adjustments',
  overtimeCode: 'Earnings code for overtime owed',
  payColumn: 'Column for day pay',
}

/** The file for a payroll system: its settings, the server's check of it, and the download. */
function PayrollSystemFile({ system, period }: { system: PayFileSystem; period: string }) {
  const [typed, setTyped] = useState(blanks[system])
  const checked = useDeferredValue(typed)
  const query = { period, system, ...Object.fromEntries(Object.entries(checked).filter(([, text]) => text !== '')) }
  const parsed = payFileQuery.safeParse(query)
  const errorOf = (name: string) => parsed.error?.issues.find(({ path }) => path[0] === name)?.message
  const check = useCall(payroll.checkFile, { query }, { enabled: parsed.success })
  const { busy, refused, fetch } = useDownload()
  return (
    <>
      {Object.entries(typed).map(([name, text]) => (
        <FileSetting
          key={name}
          name={name}
          value={text}
          problem={errorOf(name)}
          onChange={(value) => setTyped({ ...typed, [name]: value })}
        />
      ))}
      {parsed.success && check.isError && <ErrorState error={check.error} onRetry={() => void check.refetch()} />}
      {parsed.success && check.isPending && <SkeletonLines rows={3} />}
      {parsed.success && check.data && (
        <>
          <FileCheck check={check.data} />
          {refused && <Alert type="error" role="alert" title={refused} />}
          <Button
            type="primary"
            disabled={check.data.problems.length > 0 || checked !== typed}
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

const FileCheck = ({ check }: { check: PayFileCheck }) => (
  <>
    <ControlTotals rows={controlTotalRows(check)} />
    {check.notes.map((note) => (
      <Soft as="p" key={note}>
        {note}
      </Soft>
    ))}
    {check.problems.length > 0 && (
      <Alert
        type="error"
        role="alert"
        title="The file can’t be created:"
        description={
          <ul className={styles.problems}>
            {check.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        }
      />
    )}
  </>
)

interface FileSettingProps {
  name: string
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

/** A setting of a payroll file. An empty field is not marked as an error. */
function FileSetting({ name, value, problem, onChange }: FileSettingProps) {
  const id = useId()
  return (
    <div className={shared.field}>
      <label htmlFor={id}>{labels[name] ?? name}</label>
      {name === 'payColumn' ? (
        <Select
          id={id}
          value={value}
          options={gustoColumns.map((column) => ({ value: column, label: column }))}
          onChange={onChange}
        />
      ) : (
        <Input id={id} value={value} maxLength={3} onChange={({ target }) => onChange(target.value.trim())} />
      )}
      {problem && (value === '' ? <Soft as="p">{problem}</Soft> : <p className={shared.wrong}>{problem}</p>)}
    </div>
  )
}
