import { programs } from '@roadshow/contract/catalog/programs'
import { formatCount } from '@roadshow/contract/platform/figures'
import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import { pops } from '@roadshow/contract/proof/pop'
import { useList } from '../../api/useList.ts'
import { useMay, useUser } from '../../api/user.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { SkeletonLines } from '../../ui/states.tsx'
import { NEW_RECORD, useListState } from '../../ui/useListState.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { popColumns, popFilters, popReaderColumns } from './popColumns.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'

const waiting = { waiting: () => <SkeletonLines rows={9} /> }
const PopEditor = lazyPart(() => import('./editor/PopEditor.tsx'), waiting)
const DriverPhotos = lazyPart(() => import('../photos/DriverPhotos.tsx'), waiting)
const PhotoQueue = lazyPart(() => import('../photos/queue/PhotoQueue.tsx'), waiting)
const PopReading = lazyPart(() => import('./PopReader.tsx'), waiting)

const waitingFirst = () => ({ sort: 'waiting' })

export default function PopPage() {
  const { role } = useUser()
  const { open } = useListState(pops.list)
  const mayEdit = useMay(pops.update)
  const mayReview = useMay(photoQueue.list)
  const [queue] = useSearchParam('queue')
  if (role === 'driver') {
    return <DriverPhotos />
  }
  if (mayReview && queue !== undefined) return <PhotoQueue />
  if (mayEdit && open !== undefined && open !== NEW_RECORD) {
    return <PopEditor key={open} uid={open} />
  }
  return (
    <DataTable
      nouns={['POP', 'POPs']}
      list={pops.list}
      {...(mayEdit && { startsWith: waitingFirst })}
      columns={mayEdit ? popColumns : popReaderColumns}
      filters={mayEdit ? popFilters : []}
      actions={mayReview && <ReviewPhotos />}
      form={PopReading}
      next={{ label: 'New program', needs: programs.create, to: '/client-programs', search: { open: NEW_RECORD } }}
      empty={
        mayEdit
          ? 'No POPs yet. Every program gets its proof of play: photos, routes and figures, published by you.'
          : 'No POPs yet. The proof of play of each program appears here as soon as it is published.'
      }
    />
  )
}

const ONLY_THE_NUMBER = { pageSize: '10' }

/** Leads to the photos of all programs that wait for approval. */
function ReviewPhotos() {
  const total = useList(photoQueue.list, ONLY_THE_NUMBER).data?.total
  return (
    <LinkButton to="/client-pop" search={{ queue: 'photos' }}>
      Review photos{total ? ` (${formatCount(total)})` : ''}
    </LinkButton>
  )
}
