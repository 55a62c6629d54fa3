import { pops } from '@roadshow/contract/proof/pop'
import { useMay, useUser } from '../../api/user.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { SkeletonLines } from '../../ui/states.tsx'
import { NEW_RECORD, useListState } from '../../ui/useListState.ts'
import { popColumns, popFilters, popReaderColumns } from './popColumns.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'

const waiting = { waiting: () => <SkeletonLines rows={9} /> }
const PopEditor = lazyPart(() => import('./editor/PopEditor.tsx'), waiting)
const DriverPhotos = lazyPart(() => import('../photos/DriverPhotos.tsx'), waiting)
const PopReading = lazyPart(() => import('./PopReader.tsx'), waiting)

const waitingFirst = () => ({ sort: 'waiting' })

export default function PopPage() {
  const { role } = useUser()
  const { open } = useListState(pops.list)
  const mayEdit = useMay(pops.update)
  if (role === 'driver') {
    return <DriverPhotos />
  }
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
      form={PopReading}
      empty={mayEdit ? 'No POPs yet. Every client program gets one automatically.' : 'No POPs yet.'}
    />
  )
}
