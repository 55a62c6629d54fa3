import { formatDateTime } from '@roadshow/contract/platform/dates'
import { inspections } from '@roadshow/contract/live/inspections'
import type { InspectionSummary } from '@roadshow/contract/live/inspections'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { Collapse } from 'antd'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { InspectionReport } from './InspectionReport.tsx'

function DefectTag({ defects, openDefects }: Pick<InspectionSummary, 'defects' | 'openDefects'>) {
  if (defects === 0) return <StateTag tone="driving">No defects</StateTag>
  const found = `${defects} ${defects === 1 ? 'defect' : 'defects'}`
  return (
    <StateTag tone={openDefects > 0 ? 'bad' : 'driving'}>
      {openDefects > 0 ? `${found}, ${openDefects} not certified` : `${found}, all certified`}
    </StateTag>
  )
}

const Heading = ({ inspection: { at, zone, driver, isLate, ...found } }: { inspection: InspectionSummary }) => (
  <Row as="span" gap={3} lineGap={1} align="center" wrap inline>
    <strong className="figures">{formatDateTime(at, zone)}</strong>
    <span>{driver.name}</span>
    <DefectTag {...found} />
    {isLate && <Soft>Sent later</Soft>}
  </Row>
)

/** The inspections of a truck by its drivers, for a tab of its drawer; each opens to its report. */
export function InspectionsTab({ truckUid }: { truckUid: string }) {
  const [page, setPage] = useState(1)
  const query = { truck: truckUid }
  const found = useList(inspections.list, { ...query, ...(page > 1 && { page: String(page) }) })
  const { data: rows, total = 0 } = found.data ?? {}
  return (
    <Stack gap={3}>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!rows && !found.isError && <SkeletonLines rows={5} />}
      {rows?.length === 0 && <p>No inspections. Drivers inspect the truck on their phone before a shift.</p>}
      {rows && rows.length > 0 && (
        <>
          <div>
            <ExportMenu list={inspections.list} query={query} />
          </div>
          <Collapse
            destroyOnHidden
            items={rows.map((inspection) => ({
              key: inspection.uid,
              label: <Heading inspection={inspection} />,
              children: <InspectionReport uid={inspection.uid} />,
            }))}
          />
        </>
      )}
      <Pager page={page} perPage={PAGE_SIZE} total={total} onChange={setPage} />
    </Stack>
  )
}
