import { clients } from '@roadshow/contract/catalog/clients'
import { markets } from '@roadshow/contract/catalog/markets'
import { programs } from '@roadshow/contract/catalog/programs'
import { useId } from 'react'
import { useMay } from '../../api/user.ts'
import { clientLookup } from '../../catalog/lookups/clientLookup.ts'
import { marketLookup } from '../../catalog/lookups/marketLookup.ts'
import { programLookup } from '../../catalog/lookups/programLookup.ts'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { DriverHours } from './DriverHours.tsx'
import { PlaysByHour } from './PlaysByHour.tsx'
import { Starts } from './Starts.tsx'
import { useChartFilters } from './useChartFilters.ts'
import { Utilization } from './Utilization.tsx'
import styles from './charts.module.css'
import { LazyDayPicker } from '../../ui/form/LazyDayPicker.tsx'

/** How the fleet was used: four charts of the same weeks, each with its table and its files. */
export default function ChartsPage() {
  const { filters, problem, ...bar } = useChartFilters()
  return (
    <Stack gap={4}>
      <FilterBar {...bar} filters={filters} />
      {problem === undefined ? (
        <>
          <Utilization filters={filters} />
          <Starts filters={filters} />
          <DriverHours filters={filters} />
          <PlaysByHour filters={filters} />
        </>
      ) : (
        <Soft role="alert" as="p" tone="bad">
          {problem}
        </Soft>
      )}
    </Stack>
  )
}

type BarProps = Pick<ReturnType<typeof useChartFilters>, 'filters' | 'given' | 'ask'>

/** Markets, client and program as far as the user may look them up, then the weeks. */
function FilterBar({ filters, given, ask }: BarProps) {
  const may = { market: useMay(markets.list), client: useMay(clients.list), program: useMay(programs.list) }
  const lookups = [
    ['market', 'Market', 'All markets', marketLookup],
    ['client', 'Client', 'All clients', clientLookup],
    ['program', 'Program', 'All programs', programLookup],
  ] as const
  return (
    <Row as="section" gap={3} lineGap={2} align="end" wrap className={styles.bar} aria-label="Chart filters">
      {lookups
        .filter(([name]) => may[name])
        .map(([name, label, all, lookup]) => (
          <RecordFilter
            key={name}
            label={label}
            all={all}
            lookup={lookup as Lookup}
            chosen={filters[name] ?? []}
            onChange={(uids) => ask({ [name]: uids.length > 0 ? uids : undefined })}
          />
        ))}
      {/* Any day of a week chooses the week. */}
      <WeekField label="From week of" value={filters.from} onChange={(day) => ask({ from: day })} />
      <WeekField
        label="To week of"
        value={filters.to}
        onChange={(day) => ask({ from: given.from ?? filters.from, to: day })}
      />
    </Row>
  )
}

interface RecordFilterProps {
  label: string
  all: string
  lookup: Lookup
  chosen: string[]
  onChange: (uids: string[]) => void
}

function RecordFilter({ label, all, lookup, chosen, onChange }: RecordFilterProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <RecordSelect<string[]>
        id={id}
        lookup={lookup}
        mode="multiple"
        value={chosen}
        placeholder={all}
        maxTagCount="responsive"
        popupMatchSelectWidth={false}
        onChange={onChange}
      />
    </div>
  )
}

interface WeekFieldProps {
  label: string
  value: string
  /** Without a day, the usual weeks are shown again. */
  onChange: (day: string | undefined) => void
}

function WeekField({ label, value, onChange }: WeekFieldProps) {
  const id = useId()
  return (
    <div className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <LazyDayPicker id={id} value={value} onChange={(day) => onChange(day ?? undefined)} />
    </div>
  )
}
