import { formatDays } from '@roadshow/contract/platform/dates'
import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { FigureSummary } from './LiveFigures.tsx'
import { PopStateTag } from './popColumns.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { ProgramMails } from '../campaign-mails/ReportMails.tsx'
import { PhotoList } from '../photos/PhotoList.tsx'
import { PublicLink } from './publication/PublicLink.tsx'
import { usePop } from './usePop.ts'
import { PopVersions } from './publication/PopVersions.tsx'
import styles from './pop.module.css'

const PER_PAGE = 24

/** A POP as its client sees it: the public link, its files and the approved photos. */
export default function PopReader({ uid = '', open, onClose, onClosed }: RecordFormProps) {
  const found = usePop(uid)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={LARGE_DRAWER_WIDTH}
      title={found.data?.name ?? 'Loading…'}
    >
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines />}
      {found.data && <PopContent pop={found.data} />}
    </Drawer>
  )
}

function PopContent({ pop }: { pop: Pop }) {
  const [page, setPage] = useState(1)
  const photos = useList(pops.photos, { program: pop.uid, pageSize: String(PER_PAGE), page: String(page) })
  return (
    <Stack gap={4} className={styles.stack}>
      <Row gap={3} lineGap={1} align="center" wrap>
        <PopStateTag state={pop.state} />
        <Soft className="figures">{formatDays(pop.startsOn, pop.endsOn)}</Soft>
      </Row>
      {pop.state === 'published' && <PublicLink pop={pop} />}
      <FigureSummary pop={pop} more={[['Views', formatCount(pop.views)]]} />
      <section>
        <h3>Versions</h3>
        <PopVersions uid={pop.uid} />
      </section>
      <ProgramMails program={pop.uid} />
      <section>
        <h3>Photos</h3>
        {photos.isError && <ErrorState error={photos.error} onRetry={() => void photos.refetch()} />}
        <PhotoList photos={photos.data?.data} empty="No approved photos yet." />
        <Pager page={page} perPage={PER_PAGE} total={photos.data?.total ?? 0} onChange={setPage} />
      </section>
    </Stack>
  )
}
