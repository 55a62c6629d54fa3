import { formatDays } from '@roadshow/contract/platform/dates'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { ReportProgram } from '@roadshow/contract/proof/report-parts'
import { useId } from 'react'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { Row } from '../../ui/layout.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import styles from './reports.module.css'
import bar from './filterBar.module.css'
import { LazyDayPicker } from '../../ui/form/LazyDayPicker.tsx'

const programs: Lookup<ReportProgram> = {
  list: adLog.programs,
  sort: 'name',
  nameOf: ({ name, client, firstDay, lastDay }) => `${name} (${client.name}), ${formatDays(firstDay, lastDay)}`,
}

interface ProgramDaysBarProps {
  given: { program: string | undefined; from: string | undefined; to: string | undefined }
  ask: (changes: UrlSearch) => void
}

/** Whose artwork was played, or of all programs, and on which days. */
export function ProgramDaysBar({ given, ask }: ProgramDaysBarProps) {
  const [programId, fromId, toId] = [useId(), useId(), useId()]
  return (
    <Row gap={3} lineGap={2} align="end" wrap className={styles.bar} role="group" aria-label="Report filters">
      <div className={`${bar.wide} report-field`}>
        <label htmlFor={programId}>Program</label>
        <RecordSelect
          id={programId}
          lookup={programs}
          value={given.program ?? ''}
          placeholder="All programs"
          popupMatchSelectWidth={false}
          onChange={(uid: string | undefined) => ask({ program: uid, truck: undefined })}
        />
      </div>
      <div className={bar.day}>
        <label htmlFor={fromId}>First day</label>
        <LazyDayPicker id={fromId} value={given.from ?? null} onChange={(day) => ask({ from: day ?? undefined })} />
      </div>
      <div className={bar.day}>
        <label htmlFor={toId}>Last day</label>
        <LazyDayPicker
          id={toId}
          value={given.to ?? null}
          placeholder="Today"
          onChange={(day) => ask({ to: day ?? undefined })}
        />
      </div>
    </Row>
  )
}
