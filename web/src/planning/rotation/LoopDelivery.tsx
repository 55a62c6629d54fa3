import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { formatMoment } from '@roadshow/contract/platform/dates'
import { compareLoop } from '@roadshow/contract/planning/loop-delivery'
import type { Rotation } from '@roadshow/contract/planning/rotations'
import { shiftPlays } from '@roadshow/contract/proof/shift-plays'
import type { PlaysOfShift } from '@roadshow/contract/proof/shift-plays'
import { useMemo } from 'react'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import { lineNames } from './deliveryWords.ts'
import styles from './LoopPlan.module.css'
import { useShiftLoop } from './useShiftLoop.ts'
import type { ShiftOfLoop } from './useShiftLoop.ts'

/** What a shift without a set of its own has played, beside what was expected. */
export function LoopDelivery({ shift }: { shift: ShiftOfLoop }) {
  const shown = useShiftLoop(shift)
  const isAsked = useMay(shiftPlays.byHour) && shown !== undefined
  const found = useCall(shiftPlays.byHour, { params: { uid: shift.uid } }, { enabled: isAsked })
  if (!isAsked || found.data?.playLog === 'printed') return null
  return (
    <Stack gap={2} as="section" className={styles.ofShift}>
      <h2>Expected and delivered plays</h2>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.isError && !found.data && <SkeletonLines />}
      {found.data?.playLog === 'old' && <p>Single plays of this day are no longer kept.</p>}
      {found.data?.playLog === 'kept' && <Delivery shift={shift} plays={found.data} {...shown} />}
    </Stack>
  )
}

interface DeliveryProps extends NonNullable<ReturnType<typeof useShiftLoop>> {
  shift: ShiftOfLoop
  plays: PlaysOfShift
}

function Delivery({ shift, plays, loop, rotation }: DeliveryProps) {
  const compared = useMemo(
    () =>
      compareLoop<TruckSide>({
        loop,
        shown: rotation.lines.map(({ uid, artworkSet }) => ({
          uid,
          setUid: artworkSet.uid,
          isMissing: !artworkSet.isApproved,
        })),
        sides: truckSides,
        delivered: {
          hours: plays.hours.map(({ artwork, ...each }) => ({ ...each, setUid: artwork.uid })),
          runs: plays.runs,
          countedAt: Date.parse(plays.countedAt),
        },
        from: Date.parse(shift.startsAt),
        to: Date.parse(shift.endsAt),
      }),
    [loop, rotation, plays, shift.startsAt, shift.endsAt],
  )
  const { rotationChangedAt } = plays
  return (
    <>
      {rotationChangedAt !== null && (
        <p>
          The rotation was changed after this shift began, last on {formatMoment(rotationChangedAt, shift.zone)}. The
          plan beside the plays is the present one.
        </p>
      )}
      <MissingArtwork rotation={rotation} />
      <OtherArtwork rotation={rotation} plays={plays} />
      <SilentSides sides={compared.sides} />
      {compared.lines.some(({ uids }) => uids.length > 1) && (
        <p>Lines that show the same artwork in the same hour are counted together.</p>
      )}
      <Soft as="p" small>
        A turn is shown on all sides at once and counts once here. “All sides” counts each side, as the ad log does.
      </Soft>
      <DeliveryTable shift={shift} compared={compared} names={lineNames(compared.lines, rotation)} />
    </>
  )
}

function MissingArtwork({ rotation }: { rotation: Rotation }) {
  const missing = new Set(
    rotation.lines.filter(({ artworkSet }) => !artworkSet.isApproved).map(({ artworkSet }) => artworkSet.name),
  )
  if (missing.size === 0) return null
  return (
    <p>
      {[...missing].join(', ')} {missing.size === 1 ? 'is' : 'are'} not approved: the house artwork takes these turns,
      and no other line gains.
    </p>
  )
}

/** Artwork that left the rotation since, or that a shift named while it ran. */
function OtherArtwork({ rotation, plays }: { rotation: Rotation; plays: PlaysOfShift }) {
  const known = new Set(rotation.lines.map(({ artworkSet }) => artworkSet.uid))
  const others = plays.hours.filter(({ artwork, isForAddress }) => !isForAddress && !known.has(artwork.uid))
  const names = new Set(others.map(({ artwork }) => artwork.name))
  return names.size === 0 ? null : <p>Also played, and not in the rotation: {[...names].join(', ')}.</p>
}

/** Sides that played nothing in the whole shift are not compared. */
function SilentSides({ sides }: { sides: readonly TruckSide[] }) {
  const silent = truckSides.filter((side) => !sides.includes(side))
  if (sides.length === 0 || silent.length === 0) return null
  return <p>Sides without plays: {silent.map((side) => truckSideLabel[side]).join(', ')}.</p>
}
