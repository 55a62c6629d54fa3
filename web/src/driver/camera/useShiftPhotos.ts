import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { useEffect, useRef, useState } from 'react'
import { useApp, useAppState } from '../context.ts'
import type { PhonePlace, QueuedPhoto } from '../queue/items.ts'
import type { PositionFix } from './moment-rules.ts'
import { shrinkPicture, UnusablePicture } from './shrinkPicture.ts'

/** A photo that was taken on this page or still waits from before. */
export interface ShownPhoto {
  id: string
  /** A small picture of one that was taken on this page. */
  thumbnailUrl: string | undefined
  /** Undefined once it is sent. */
  queued: QueuedPhoto | undefined
}

interface Moment {
  takenAt: number | null
  place: PositionFix | null
}

const placeOf = (fix: PositionFix | null): PhonePlace =>
  fix && { latitude: fix.latitude, longitude: fix.longitude, accuracyM: fix.accuracyM }

/** The photos of a shift on this phone, and how to add one. */
export function useShiftPhotos(shift: DriverAppShift, common: { side: TruckSide | null; caption: string }) {
  const app = useApp()
  const { queue } = useAppState()
  const [taken, setTaken] = useState<{ id: string; thumbnailUrl: string }[]>([])
  const [problem, setProblem] = useState<'pictureUnreadable' | 'storeFull'>()
  const made = useRef<string[]>([])
  useEffect(() => () => made.current.forEach((url) => URL.revokeObjectURL(url)), [])

  const keep = async (picture: Promise<Blob>, { takenAt, place }: Moment): Promise<void> => {
    try {
      const { content, thumbnail } = await shrinkPicture(await picture)
      const id = await app.addPhoto(shift, { blob: content, takenAt, place: placeOf(place), ...common })
      const thumbnailUrl = URL.createObjectURL(thumbnail)
      made.current.push(thumbnailUrl)
      setTaken((before) => [...before, { id, thumbnailUrl }])
      setProblem(undefined)
    } catch (error) {
      setProblem(error instanceof UnusablePicture ? 'pictureUnreadable' : 'storeFull')
    }
  }

  const queued = queue.filter((item) => item.kind === 'photo' && item.about.shiftUid === shift.uid)
  const byId = new Map(queued.map((item) => [item.id, item as QueuedPhoto]))
  const urls = new Map(taken.map(({ id, thumbnailUrl }) => [id, thumbnailUrl]))
  const ids = [...new Set([...byId.keys(), ...urls.keys()])]
  const list: ShownPhoto[] = ids.map((id) => ({ id, thumbnailUrl: urls.get(id), queued: byId.get(id) }))
  return { keep, list, problem, count: taken.length }
}
