import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import type { QueuedPhoto } from '@roadshow/contract/proof/photo-queue'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import type { UrlSearch } from '../../../ui/useListState.ts'
import { photoTitle } from '../PhotoCard.tsx'
import { Picture } from '../Picture.tsx'
import { QueueEvidence } from './QueueEvidence.tsx'
import { RejectPhoto } from './RejectPhoto.tsx'
import { rejections } from './rejections.ts'
import { useKeys } from './useKeys.ts'
import { usePhotoQueue } from './usePhotoQueue.ts'
import styles from './PhotoQueue.module.css'

/** The photos of all programs that wait for approval, one after the other. */
export default function PhotoQueue() {
  const queue = usePhotoQueue()
  const { found, photos, photo, index, total } = queue
  return (
    <Stack gap={3}>
      <Row gap={3} align="baseline" wrap between as="header">
        <Row gap={3} align="baseline" wrap>
          <h2 className={styles.title}>Photos waiting</h2>
          {total !== undefined && total > 0 && (
            <Soft className="figures" role="status">
              {formatCount(index + 1)} of {countOf(total, 'photo')}
            </Soft>
          )}
        </Row>
        <Link
          to="."
          className={styles.back ?? ''}
          search={(old: UrlSearch) => ({ ...old, queue: undefined, program: undefined })}
        >
          All POPs
        </Link>
      </Row>
      {found.isError && !photos && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!photos && !found.isError && <SkeletonLines rows={9} />}
      {photos && !photo && <NothingLeft isLoading={found.isFetching} {...queue} />}
      {photo && <OnePhoto key={photo.uid} photo={photo} queue={queue} />}
      {photos?.[index + 1] && <img src={photos[index + 1]?.urls.large} alt="" hidden />}
    </Stack>
  )
}

type Queue = ReturnType<typeof usePhotoQueue>

function NothingLeft({ isLoading, canUndo, undo }: { isLoading: boolean } & Pick<Queue, 'canUndo' | 'undo'>) {
  useKeys({ u: () => void undo() })
  if (isLoading) return <SkeletonLines rows={9} />
  return (
    <Row gap={3} align="center" wrap>
      <p>No photos are waiting. New ones appear here as drivers send them.</p>
      {canUndo && <Button onClick={() => void undo()}>Undo last</Button>}
    </Row>
  )
}

function OnePhoto({ photo, queue }: { photo: QueuedPhoto; queue: Queue }) {
  const only = photo.markets.length === 1 ? photo.markets[0]?.uid : undefined
  const [marketUid, setMarketUid] = useState(photo.market?.uid ?? only)
  const [isRejecting, setRejecting] = useState(false)
  const [isMarketAsked, askMarket] = useState(false)
  const needsMarket = photo.market === null

  const approve = () => {
    if (marketUid === undefined) askMarket(true)
    else queue.decide({ status: 'approved', ...(needsMarket && { marketUid }) })
  }
  const reject = (rejection: string) => queue.decide({ status: 'hidden', rejection })
  const byNumber = isRejecting
    ? rejections.map((text) => () => reject(text))
    : needsMarket
      ? photo.markets.map(
          ({ uid }) =>
            () =>
              setMarketUid(uid),
        )
      : []
  useKeys({
    ...Object.fromEntries(byNumber.slice(0, 9).map((act, place) => [String(place + 1), act])),
    a: approve,
    r: () => setRejecting(true),
    escape: () => setRejecting(false),
    u: () => void queue.undo(),
    arrowright: queue.next,
    j: queue.next,
    arrowleft: queue.previous,
    k: queue.previous,
  })
  useEffect(() => {
    scrollTo({ top: 0 })
  }, [])

  return (
    <>
      <div className={styles.columns}>
        <Picture photo={photo} alt={photoTitle(photo)} isWhole />
        <QueueEvidence
          photo={photo}
          marketUid={marketUid}
          isMarketAsked={isMarketAsked && marketUid === undefined}
          onMarket={setMarketUid}
        />
      </div>
      <div className={styles.bar} role="toolbar" aria-label="Decide">
        {isRejecting ? (
          <RejectPhoto onReject={reject} onCancel={() => setRejecting(false)} />
        ) : (
          <>
            <Button type="primary" onClick={approve} aria-keyshortcuts="A">
              Approve <kbd>A</kbd>
            </Button>
            <Button onClick={() => setRejecting(true)} aria-keyshortcuts="R">
              Reject… <kbd>R</kbd>
            </Button>
            <Button onClick={queue.previous} disabled={queue.index === 0} aria-keyshortcuts="ArrowLeft">
              Previous <kbd>←</kbd>
            </Button>
            <Button
              onClick={queue.next}
              disabled={queue.index + 1 >= (queue.photos?.length ?? 0)}
              aria-keyshortcuts="ArrowRight"
            >
              Next <kbd>→</kbd>
            </Button>
            <Button type="text" onClick={() => void queue.undo()} disabled={!queue.canUndo} aria-keyshortcuts="U">
              Undo last <kbd>U</kbd>
            </Button>
          </>
        )}
      </div>
    </>
  )
}
