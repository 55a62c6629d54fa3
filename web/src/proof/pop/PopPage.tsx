import { pops } from '@roadshow/contract/proof/pop'
import { lazy, Suspense } from 'react'
import { useMay, useUser } from '../../api/user.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { SkeletonLines } from '../../ui/states.tsx'
import { NEW_RECORD, useListState } from '../../ui/useListState.ts'
import { popColumns, popFilters, popReaderColumns } from './popColumns.tsx'

const PopEditor = lazy(() => import('./editor/PopEditor.tsx'))
const DriverPhotos = lazy(() => import('../photos/DriverPhotos.tsx'))
const PopReading = lazy(() => import('./PopReader.tsx'))

export default function PopPage() {
  const { role } = useUser()
  const { open } = useListState(pops.list)
  const mayEdit = useMay(pops.update)
  if (role === 'driver') {
    return (
      <Suspense fallback={<SkeletonLines rows={9} />}>
        <DriverPhotos />
      </Suspense>
    )
  }
  if (mayEdit && open !== undefined && open !== NEW_RECORD) {
    return (
      <Suspense fallback={<SkeletonLines rows={9} />}>
        <PopEditor key={open} uid={open} />
      </Suspense>
    )
  }
  return (
    <DataTable
      nouns={['POP', 'POPs']}
      list={pops.list}
      columns={mayEdit ? popColumns : popReaderColumns}
      filters={mayEdit ? popFilters : []}
      form={PopReading}
      empty={mayEdit ? 'No POPs yet. Every client program gets one automatically.' : 'No POPs yet.'}
    />
  )
}
