import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { photoStatusLabel, pops } from '@roadshow/contract/proof/pop'
import type { PhotoInput, PopPhoto } from '@roadshow/contract/proof/pop'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import { Button, Drawer, Select } from 'antd'
import { useId, useState } from 'react'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { HistoryTab } from '../../ui/record/HistoryTab.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { PlaceMap } from '../../ui/map/PlaceMap.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'
import { DELETE_PHOTO_EFFECT } from './PhotoBulkBar.tsx'
import { CaptionField, photoStatusActions, photoTitle, useSavePhoto } from './PhotoCard.tsx'
import { PhotoFacts } from './PhotoFacts.tsx'
import { usePhotoActions } from './usePhotoActions.tsx'
import { Picture } from './Picture.tsx'
import styles from './photos.module.css'

const fields: FieldsOf<PhotoInput> & Record<string, string | readonly [string, Record<string, string>]> = {
  caption: 'Caption',
  status: ['Status', photoStatusLabel],
  rejection: 'Rejected because',
  marketUid: 'Market',
  shiftUid: 'Shift',
  grade: ['Grade', popGradeLabel],
}

interface PhotoDrawerProps {
  uid: string
  markets: readonly { uid: string; name: string }[]
  /** The photos before and after it. */
  among: readonly string[]
  onOpen: (uid: string | undefined) => void
}

/** One photo, large, with all its facts. */
export default function PhotoDrawer({ uid, markets, among, onOpen }: PhotoDrawerProps) {
  const found = useCall(pops.photo, { params: { uid } })
  const place = among.indexOf(uid)
  const step = (by: 1 | -1) => {
    const next = place < 0 ? undefined : among[place + by]
    return { disabled: next === undefined, onClick: () => onOpen(next) }
  }
  return (
    <Drawer
      open
      focusable={{ focusTriggerAfterClose: false }}
      onClose={() => onOpen(undefined)}
      size={LARGE_DRAWER_WIDTH}
      title={found.data ? photoTitle(found.data) : 'Loading…'}
      extra={
        <>
          <Button size="small" {...step(-1)}>
            Earlier
          </Button>{' '}
          <Button size="small" {...step(1)}>
            Later
          </Button>
        </>
      }
    >
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines />}
      {found.data && <OnePhoto key={uid} photo={found.data} markets={markets} onGone={() => onOpen(undefined)} />}
    </Drawer>
  )
}

interface OnePhotoProps {
  photo: PopPhoto
  markets: PhotoDrawerProps['markets']
  onGone: () => void
}

function OnePhoto({ photo, markets, onGone }: OnePhotoProps) {
  const actions = usePhotoActions()
  const mayLookBack = useMay(pops.photoHistory)
  const [asking, setAsking] = useState(false)
  const { uid, latitude, longitude } = photo
  return (
    <Stack gap={4} className={styles.one}>
      <Picture photo={photo} alt={photoTitle(photo)} isWhole />
      <Row gap={3} lineGap={2} align="center" wrap lastRight>
        {photoStatusActions[photo.status].map(([status, act]) => (
          <Button key={status} onClick={() => void actions.set([photo], status, markets)}>
            {act}
          </Button>
        ))}
        {photo.status !== 'waiting' && (
          <Button onClick={() => void actions.set([photo], 'waiting', markets)}>Back to waiting</Button>
        )}
        <Button danger type="text" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </Row>
      <CaptionField photo={photo} />
      <PhotoMarket photo={photo} markets={markets} />
      <PhotoFacts photo={photo} />
      {latitude !== null && longitude !== null && (
        <PlaceMap
          label="Where it was taken"
          height={220}
          places={[{ id: uid, name: photoTitle(photo), latitude, longitude }]}
          selected={uid}
        />
      )}
      {mayLookBack && (
        <section>
          <h3>History</h3>
          <HistoryTab history={pops.photoHistory} uid={uid} fields={fields} />
        </section>
      )}
      {actions.marketQuestion}
      <Confirm
        open={asking}
        question={`Delete ${photoTitle(photo)}?`}
        text={DELETE_PHOTO_EFFECT}
        act="Delete photo"
        busy={actions.isBusy}
        onAct={() => void actions.remove([photo]).then(onGone)}
        onCancel={() => setAsking(false)}
      />
    </Stack>
  )
}

/** The market of a photo; its current one is offered even when the POP no longer has it. */
function PhotoMarket({ photo, markets }: Pick<OnePhotoProps, 'photo' | 'markets'>) {
  const save = useSavePhoto()
  const id = useId()
  const { market } = photo
  const options = [...markets, ...(market && !markets.some((each) => each.uid === market.uid) ? [market] : [])]
  return (
    <Stack gap={1}>
      <label htmlFor={id}>Market</label>
      <Select
        id={id}
        // An approved photo appears in its market, so it keeps one.
        allowClear={photo.status !== 'approved'}
        placeholder="No market"
        value={market?.uid ?? null}
        options={options.map(({ uid: value, name: label }) => ({ value, label }))}
        onChange={(next) => void save(photo, { marketUid: next ?? null }).catch(() => undefined)}
      />
    </Stack>
  )
}
