import type * as z from '@roadshow/contract/platform/zod'
import { Button } from 'antd'
import { useId, useRef, useState } from 'react'
import type { ComponentType } from 'react'
import { useCall } from '../../api/useCall.ts'
import type { Read } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { savePicture } from '../../ui/charts/savePicture.ts'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import type { ChartFilters } from './chartWeeks.ts'
import styles from './charts.module.css'

/** A call that answers the rows of a chart. */
type ChartCall<Row> = Read & { query: z.ZodObject; reply: z.ZodType<unknown, { data: Row[] }> }

interface LegendEntry {
  word: string
  tone: Tone
  isHollow?: boolean
}

/** The rows that charts and tables draw. */
export interface ChartRows<Row> {
  rows: readonly Row[]
  filters: ChartFilters
}

interface ChartCardProps<Row> {
  endpoint: ChartCall<Row>
  filters: ChartFilters
  title: string
  /** What the figures mean, in a sentence. */
  meaning: string
  legend: readonly LegendEntry[]
  /** Shown when there is nothing to draw. */
  nothing: string
  Chart: ComponentType<ChartRows<Row>>
  Table: ComponentType<ChartRows<Row>>
}

/** A chart with its legend, its table and its files, for users who may read its figures. */
export function ChartCard<Row>(props: ChartCardProps<Row>) {
  const may = useMay(props.endpoint)
  return may ? <ReadableCard {...props} /> : null
}

function ReadableCard<Row>({ endpoint, filters, title, meaning, legend, nothing, Chart, Table }: ChartCardProps<Row>) {
  const [heading, drawing] = [useId(), useRef<HTMLDivElement>(null)]
  const [isTableOpen, setTableOpen] = useState(false)
  const found = useCall(endpoint, { query: { ...filters } }, { keepsOld: true })
  const rows = found.data
  const hasRows = rows !== undefined && rows.length > 0
  const picture = () =>
    drawing.current &&
    savePicture(drawing.current, title, `${endpoint.path.replace('/', '-')}_${filters.from}_${filters.to}`)
  return (
    <section className={styles.card} aria-labelledby={heading} aria-busy={found.isPlaceholderData || found.isPending}>
      <Row as="header" gap={2} align="center" wrap between className={styles.head}>
        <h2 id={heading}>{title}</h2>
        {hasRows && (
          <Row gap={2} wrap>
            <Button aria-expanded={isTableOpen} onClick={() => setTableOpen(!isTableOpen)}>
              {isTableOpen ? 'Hide table' : 'Show table'}
            </Button>
            <Button onClick={picture}>Save picture</Button>
            <ExportMenu list={endpoint} query={{ ...filters }} />
          </Row>
        )}
      </Row>
      <p className={styles.meaning}>{meaning}</p>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonLines rows={6} />}
      {rows?.length === 0 && <p className={styles.nothing}>{nothing}</p>}
      {hasRows && (
        <>
          <Stack ref={drawing} gap={2} align="start">
            <Legend entries={legend} />
            <Chart rows={rows} filters={filters} />
          </Stack>
          {isTableOpen && <Table rows={rows} filters={filters} />}
        </>
      )}
    </section>
  )
}

const Legend = ({ entries }: { entries: readonly LegendEntry[] }) => (
  <Row as="ul" gap={4} lineGap={1} wrap className={styles.legend} aria-label="Legend">
    {entries.map(({ word, tone, isHollow = false }) => (
      <Row as="li" gap={2} align="center" key={word} data-legend>
        <span className={styles.swatch} data-hollow={isHollow} style={{ color: `var(--${tone})` }} aria-hidden />
        {word}
      </Row>
    ))}
  </Row>
)
