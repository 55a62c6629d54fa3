import { pops } from '@roadshow/contract/proof/pop'
import type { PopPhoto } from '@roadshow/contract/proof/pop'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { shifts, blocksTruck } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { Button } from 'antd'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { formatShiftTime } from '../../planning/shifts/shiftText.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { zoneName } from '@roadshow/contract/platform/dates'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { localZone } from '@roadshow/contract/platform/dates'
import { useNow } from '../../ui/useNow.ts'
import { ConfirmStopUploads, PhotoButton } from './AddPhotos.tsx'
import { orderForPhotos, shiftPhase } from './driverShifts.ts'
import type { ShiftPhase } from './driverShifts.ts'
import { usePhotoActions } from './usePhotoActions.tsx'
import { CaptionField } from './PhotoCard.tsx'
import { PhotoList } from './PhotoList.tsx'
import { PhotoUploadProgress } from './PhotoUploadProgress.tsx'
import { usePhotoUploads } from './usePhotoUploads.ts'
import shared from './photos.module.css'
import styles from './DriverPhotos.module.css'

const PER_PAGE = 50
// A night shift ends tomorrow, and yesterday's photos may be added today.
const DAYS_BACK = 2

/** Photos of a driver: the shifts of these days, a camera, and the status of own photos. */
export default function DriverPhotos() {
  const uploads = usePhotoUploads()
  const maySeeShifts = useMay(shifts.byDriver)
  const [page, setPage] = useState(1)
  const today = localDay(localZone())
  const span = { from: addDays(today, -DAYS_BACK), to: addDays(today, 1) }
  const found = useList(shifts.byDriver, span, maySeeShifts)
  const photos = useList(pops.photos, { sort: '-takenAt', pageSize: String(PER_PAGE), page: String(page) })
  const now = useNow()
  const planned = found.data?.data.flatMap((driver) => driver.shifts).filter(({ status }) => blocksTruck(status))
  const own = planned && orderForPhotos(planned, now)
  const ofShift = (uid: string) => photos.data?.data.filter(({ shift }) => shift?.uid === uid)
  const isOfThese = ({ shift }: PopPhoto) => shift !== null && (own ?? []).some(({ uid }) => uid === shift.uid)
  const { total = 0 } = photos.data ?? {}
  return (
    <Stack gap={4}>
      <PhotoUploadProgress uploads={uploads} />
      <ConfirmStopUploads uploads={uploads} />
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {maySeeShifts && !own && !found.isError && <SkeletonLines rows={5} />}
      {own?.length === 0 && <Soft as="p">You have no shifts on these days.</Soft>}
      {own?.map((shift) => (
        <DriverShiftPhotos
          key={shift.uid}
          shift={shift}
          phase={shiftPhase(shift, now)}
          photos={ofShift(shift.uid)}
          onAdd={(files) => uploads.add(files, { shiftUid: shift.uid })}
        />
      ))}
      <section className={styles.shift} aria-labelledby="other-photos">
        <h2 id="other-photos">Other photos</h2>
        <p className={shared.hint}>
          <Soft small>For an earlier shift: it is matched by time and place of the photo.</Soft>
        </p>
        <Row gap={3} lineGap={2} align="center" wrap>
          <PhotoButton words="Choose photos" onChoose={(files) => files.length > 0 && uploads.add(files, {})} />
        </Row>
        {photos.isError && <ErrorState error={photos.error} onRetry={() => void photos.refetch()} />}
        {!photos.isError && (
          <OwnPhotos photos={photos.data?.data.filter((photo) => !isOfThese(photo))} empty="No photos yet." />
        )}
        <Pager page={page} perPage={PER_PAGE} total={total} onChange={setPage} />
      </section>
    </Stack>
  )
}

interface ShiftPhotosProps {
  shift: Shift
  phase: ShiftPhase
  photos: readonly PopPhoto[] | undefined
  onAdd: (files: File[]) => void
}

const phaseWords: Record<ShiftPhase, string> = { running: ', running now', next: ', upcoming', past: '' }

function DriverShiftPhotos({ shift, phase, photos, onAdd }: ShiftPhotosProps) {
  const { zone, truck, program, market } = shift
  const add = (files: File[]) => files.length > 0 && onAdd(files)
  return (
    <section className={styles.shift} aria-label={formatShiftTime(shift)}>
      <h2>
        {formatShiftTime(shift)} {zoneName(zone, shift.startsAt)}
        {phaseWords[phase]}
      </h2>
      <p>
        <strong>{program.name}</strong> · {market.name} · {truck.name}
      </p>
      <div className={styles.bigActs}>
        <PhotoButton words="Take a photo" isCamera isLarge onChoose={add} />
        <PhotoButton words="Choose photos" isLarge onChoose={add} />
      </div>
      <OwnPhotos photos={photos} empty="No photos for this shift yet." />
    </section>
  )
}

/** The driver's own photos. A waiting photo can get a caption or be deleted. */
function OwnPhotos({ photos, empty }: { photos: readonly PopPhoto[] | undefined; empty: string }) {
  const acts = usePhotoActions()
  const [asked, setAsked] = useState<PopPhoto>()
  const remove = async (photo: PopPhoto) => {
    await acts.remove([photo])
    setAsked(undefined)
  }
  return (
    <>
      <PhotoList photos={photos} empty={empty} withStatus>
        {(photo) =>
          photo.status === 'waiting' ? (
            <>
              <CaptionField photo={photo} />
              <Button size="small" onClick={() => setAsked(photo)} aria-label={`Delete ${photo.name}`}>
                Delete
              </Button>
            </>
          ) : (
            <>
              {photo.rejection && <span>Not used: {photo.rejection}</span>}
              {photo.caption && <span>{photo.caption}</span>}
            </>
          )
        }
      </PhotoList>
      <Confirm
        open={asked !== undefined}
        question="Delete this photo?"
        text="The photo is removed and will not be used."
        act="Delete photo"
        busy={acts.isBusy}
        onAct={() => asked && void remove(asked)}
        onCancel={() => setAsked(undefined)}
      />
    </>
  )
}
