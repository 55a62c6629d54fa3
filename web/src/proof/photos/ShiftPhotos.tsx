import { pops } from '@roadshow/contract/proof/pop'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { Pager } from '../../ui/rows/Pager.tsx'
import { Stack } from '../../ui/layout.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { PhotoList } from './PhotoList.tsx'
import styles from './photos.module.css'

const PER_PAGE = 12

/** The photos of a shift, for its drawer. */
export default function ShiftPhotos({ uid }: { uid: string }) {
  const [page, setPage] = useState(1)
  const found = useList(pops.photos, { shift: uid, pageSize: String(PER_PAGE), page: String(page) })
  return (
    <Stack as="section" gap={4} className={styles.photos}>
      <h3>Photos</h3>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.isError && <PhotoList photos={found.data?.data} empty="No photos for this shift." withStatus />}
      <Pager page={page} perPage={PER_PAGE} total={found.data?.total ?? 0} onChange={setPage} />
    </Stack>
  )
}
