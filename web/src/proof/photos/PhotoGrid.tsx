import type { Page } from '@roadshow/contract/platform/common'
import { pops } from '@roadshow/contract/proof/pop'
import type { PopPhoto } from '@roadshow/contract/proof/pop'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useRefreshAfter, useSave } from '../../api/useSave.ts'
import { Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import type { PhotoMarkets } from './usePhotoActions.tsx'
import { usePhotoActions } from './usePhotoActions.tsx'
import { PhotoCard, photoTitle } from './PhotoCard.tsx'
import { useReorder } from '../../ui/rows/useReorder.ts'
import reorder from '../../ui/rows/reorder.module.css'
import shared from './photos.module.css'

interface PhotoGridProps {
  /** The market's. */
  name: string
  photos: readonly PopPhoto[]
  markets: PhotoMarkets
  /** The query of the list, whose cached order is changed before the server's. */
  query: object
  chosen: readonly string[]
  onChoose: (uids: string[], isChosen: boolean) => void
  onOpen: (uid: string) => void
}

/** The photos of one market, in the order of the page. */
export function PhotoGrid({ name, photos, markets, query, chosen, onChoose, onOpen }: PhotoGridProps) {
  const uids = photos.map(({ uid }) => uid)
  const acts = usePhotoActions()
  const movePhoto = useMovePhoto(query)
  const nameOf = (uid: string) => photoTitle(photos.find((photo) => photo.uid === uid) as PopPhoto)
  const { list, announcement, place, handle } = useReorder({
    ids: uids,
    nameOf,
    onMove: (from, to) => void movePhoto(photos, from, to),
  })
  const isWhole = uids.every((uid) => chosen.includes(uid))
  return (
    <section aria-label={name} className={shared.market}>
      <header>
        <h3>{name}</h3>
        <Soft small className={`figures ${shared.hint ?? ''}`}>
          {countOf(photos.length, 'photo')}
        </Soft>
        <Button type="link" size="small" onClick={() => onChoose(uids, !isWhole)} aria-label={`Select all in ${name}`}>
          {isWhole ? 'Clear selection' : 'Select all'}
        </Button>
      </header>
      <ol ref={list as never} className={shared.grid}>
        {photos.map((photo) => (
          <li key={photo.uid} {...place(photo.uid)} className={shared.card} data-status={photo.status}>
            <PhotoCard
              photo={photo}
              isChosen={chosen.includes(photo.uid)}
              onChoose={(isChosen) => onChoose([photo.uid], isChosen)}
              onOpen={() => onOpen(photo.uid)}
              onStatus={(status) => void acts.set([photo], status, markets)}
              handle={<button {...handle(photo.uid)} className={reorder.handle} />}
            />
          </li>
        ))}
      </ol>
      <p role="status" className={reorder.announcement}>
        {announcement}
      </p>
      {acts.marketQuestion}
    </section>
  )
}

/** Moves a photo among those of its market: at once on the screen, then on the server. */
function useMovePhoto(query: object) {
  const queries = useQueryClient()
  const move = useSave(pops.movePhoto)
  const refresh = useRefreshAfter(pops.movePhoto)
  const notice = useNotice()
  const key = keyOf(pops.photos, { query })
  return async (photos: readonly PopPhoto[], from: number, to: number) => {
    const moved = photos[from]
    if (!moved) return
    const rest = photos.filter((photo) => photo !== moved)
    const order = rest.toSpliced(to, 0, moved)
    queries.setQueryData<Page<PopPhoto>>(key, (page) => {
      if (!page) return page
      // Those of other markets keep their places.
      const next = order.values()
      const isOfMarket = (photo: PopPhoto) => order.some(({ uid }) => uid === photo.uid)
      return { ...page, data: page.data.map((photo) => (isOfMarket(photo) ? (next.next().value ?? photo) : photo)) }
    })
    try {
      await move.mutateAsync({ body: { uid: moved.uid, before: rest[to]?.uid ?? null } })
    } catch (error) {
      notice(errorMessage(error), 'bad')
      refresh()
    }
  }
}
