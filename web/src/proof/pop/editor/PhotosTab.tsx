import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { photoStatusLabel, pops } from '@roadshow/contract/proof/pop'
import type { Pop, PopPhoto } from '@roadshow/contract/proof/pop'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useList } from '../../../api/useList.ts'
import { FilterChips } from '../../../ui/list/FilterChips.tsx'
import { Pager } from '../../../ui/rows/Pager.tsx'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { useSearchParam } from '../../../ui/useSearchParam.ts'
import { useFocusReturn } from '../../../ui/record/useFocusReturn.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { AddPhotos } from '../../photos/AddPhotos.tsx'
import { PhotoBulkBar } from '../../photos/PhotoBulkBar.tsx'
import { PhotoGrid } from '../../photos/PhotoGrid.tsx'
import { usePopEditor } from './usePopEditor.ts'
import { usePhotoUploads } from '../../photos/usePhotoUploads.ts'
import shared from '../../photos/photos.module.css'
import styles from './PopEditor.module.css'
import { lazyOverlay } from '../../../ui/lazyPart.tsx'

const PhotoDrawer = lazyOverlay(
  () => import('../../photos/PhotoDrawer.tsx'),
  ({ onOpen }) => onOpen(undefined),
)

const filtersOf = ({ markets }: Pop) => [
  { key: 'status', label: 'Status', words: photoStatusLabel },
  { key: 'grade', label: 'Grade', words: popGradeLabel },
  ...(markets.length > 1
    ? [
        {
          key: 'market',
          label: 'Market',
          inMenu: true as const,
          words: Object.fromEntries(markets.map(({ market }) => [market.uid, market.name])),
        },
      ]
    : []),
]

/** Photos by market in the order of the page; photos without a market come last. */
function chaptersOf({ markets }: Pop, photos: readonly PopPhoto[]) {
  const named = new Map(markets.map(({ market }) => [market.uid, market.name]))
  for (const { market } of photos) if (market && !named.has(market.uid)) named.set(market.uid, market.name)
  const chapters = [...named].map(([uid, name]) => ({
    uid,
    name,
    photos: photos.filter(({ market }) => market?.uid === uid),
  }))
  const others = { uid: 'none', name: 'No market', photos: photos.filter(({ market }) => !market) }
  return [...chapters, others].filter((chapter) => chapter.photos.length > 0)
}

/** The photos of a POP: add, review, describe and order them. */
export function PhotosTab({ pop }: { pop: Pop }) {
  const { narrowed, isNarrowed, page, setPage } = usePopEditor()
  const [opened, open] = useSearchParam('photo')
  useFocusReturn(opened !== undefined)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const query = { ...narrowed, program: pop.uid, pageSize: String(MAX_PAGE_SIZE), page: String(page) }
  const found = useList(pops.photos, query)
  const { data: photos, total = 0 } = found.data ?? {}
  const chapters = photos && chaptersOf(pop, photos)
  const markets = pop.markets.map(({ market }) => market)
  const photosInOrder = chapters?.flatMap((chapter) => chapter.photos) ?? []
  const inOrder = photosInOrder.map(({ uid }) => uid)
  // Chosen photos that have left the list are not acted on.
  const chosenHere = chosen.filter((uid) => inOrder.includes(uid))
  const choose = (uids: readonly string[], isChosen: boolean) =>
    setChosen(isChosen ? [...new Set([...chosenHere, ...uids])] : chosenHere.filter((uid) => !uids.includes(uid)))
  return (
    <Stack gap={4}>
      <AddPhotosToPop pop={pop} />
      <PhotoFilters pop={pop} count={found.data && total} />
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!photos && !found.isError && <SkeletonLines rows={7} />}
      {photos?.length === 0 && (
        <Soft as="p">
          {isNarrowed
            ? 'No photos match.'
            : 'No photos yet. Drivers add them from their shifts, or you can add some here.'}
        </Soft>
      )}
      {chapters?.map((chapter) => (
        <PhotoGrid
          key={chapter.uid}
          name={chapter.name}
          photos={chapter.photos}
          markets={markets}
          query={query}
          chosen={chosenHere}
          onChoose={choose}
          onOpen={open}
        />
      ))}
      <Pager page={page} perPage={MAX_PAGE_SIZE} total={total} onChange={setPage} />
      <PhotoBulkBar
        chosen={photosInOrder.filter(({ uid }) => chosenHere.includes(uid))}
        markets={markets}
        total={inOrder.length}
        onAll={() => setChosen(inOrder)}
        onNone={() => setChosen([])}
      />
      {opened && <PhotoDrawer uid={opened} markets={markets} among={inOrder} onOpen={open} />}
    </Stack>
  )
}

function AddPhotosToPop({ pop }: { pop: Pop }) {
  const uploads = usePhotoUploads()
  const [marketUid, setMarketUid] = useState<string>()
  return (
    <AddPhotos uploads={uploads} where={{ programUid: pop.uid, ...(marketUid && { marketUid }) }}>
      {pop.markets.length > 0 && (
        <Select
          allowClear
          aria-label="Market of added photos"
          placeholder="Market by time and place"
          popupMatchSelectWidth={false}
          value={marketUid ?? null}
          options={pop.markets.map(({ market }) => ({ value: market.uid, label: market.name }))}
          onChange={(next) => setMarketUid(next ?? undefined)}
        />
      )}
    </AddPhotos>
  )
}

function PhotoFilters({ pop, count }: { pop: Pop; count: number | undefined }) {
  const { narrowed, isNarrowed, narrow } = usePopEditor()
  const clear = () => narrow({ status: undefined, grade: undefined, market: undefined })
  return (
    <Row gap={3} lineGap={2} align="center" wrap className={styles.toolbar} role="search" aria-label="Photos">
      <FilterChips filters={filtersOf(pop)} given={narrowed} onChange={narrow} />
      {isNarrowed && (
        <Button type="link" size="small" onClick={clear}>
          Clear
        </Button>
      )}
      <Soft role="status" small className={`figures ${shared.hint ?? ''}`}>
        {count !== undefined && countOf(count, 'photo')}
      </Soft>
    </Row>
  )
}
