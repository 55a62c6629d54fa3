import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { MAX_PHOTO_BYTES, photoTypes, pops } from '@roadshow/contract/proof/pop'
import type { photoUpload } from '@roadshow/contract/proof/pop'
import type * as z from '@roadshow/contract/platform/zod'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call, newKey, errorMessage } from '../../api/call.ts'
import { withProgress } from '../../api/with-progress.ts'
import { useRefreshPops } from './refreshPops.ts'

const AT_ONCE = 3
// While hundreds arrive, the grid follows every now and then.
const REFRESH_MS = 1_500

/** What is known of where photos belong; the rest the server proposes. */
export type PhotoDestination = Pick<z.input<typeof photoUpload>, 'programUid' | 'marketUid' | 'shiftUid'>

export interface PhotoUpload {
  /** Also the Idempotency-Key: sent again, it is still the same photo. */
  key: string
  file: File
  where: PhotoDestination
  state: 'queued' | 'sending' | 'added' | 'already' | 'refused' | 'failed'
  /** How much of it has arrived, in percent. */
  percent: number
  /** Why it was refused, or could not be sent. */
  problem?: string | undefined
}

const isUnderWay = ({ state }: PhotoUpload) => state === 'queued' || state === 'sending'

function problemOf({ name, size, type }: File): string | undefined {
  if (size === 0) return 'The file is empty.'
  if (size > MAX_PHOTO_BYTES) return `It is larger than ${MAX_PHOTO_BYTES / 1024 / 1024} MB.`
  const isPhoto = (photoTypes as readonly string[]).includes(type) || /\.(jpe?g|png|webp|hei[cf])$/i.test(name)
  return isPhoto ? undefined : 'It is no photo: choose JPEG, PNG or WebP files.'
}

// What the server refuses, it will refuse again; a broken connection, a full server and a timeout pass.
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)

type AddPhotos = Omit<typeof pops.addPhotos, 'path'> & Pick<Endpoint, 'path'>

/** Sends photos, a few at a time and each by a call of its own, and tells how far each of them is. */
export function usePhotoUploads(addPhotos: AddPhotos = pops.addPhotos) {
  const [photos, setPhotos] = useState<readonly PhotoUpload[]>([])
  const queue = useRef<PhotoUpload[]>([])
  const running = useRef(new Map<string, AbortController>())
  const refreshPops = useRefreshPops(addPhotos)
  const refreshing = useRef<ReturnType<typeof setTimeout>>(undefined)

  const show = (key: string, more: Partial<PhotoUpload>) =>
    setPhotos((now) => now.map((photo) => (photo.key === key ? { ...photo, ...more } : photo)))

  const refreshSoon = () => {
    refreshing.current ??= setTimeout(() => {
      refreshing.current = undefined
      refreshPops()
    }, REFRESH_MS)
  }

  // Leaving stops what is under way; what has arrived stays.
  useEffect(() => {
    const stops = running.current
    return () => {
      queue.current = []
      for (const stop of stops.values()) stop.abort()
    }
  }, [])

  async function sendOne({ key, file, where }: PhotoUpload) {
    const stop = new AbortController()
    running.current.set(key, stop)
    show(key, { state: 'sending', percent: 0, problem: undefined })
    let percent = 0
    const onSent = (bytes: number, of: number) => {
      const now = Math.floor((bytes / of) * 100)
      if (now !== percent) show(key, { percent: (percent = now) })
    }
    try {
      const options = { idempotencyKey: key, signal: stop.signal, by: withProgress(onSent) }
      const { data } = await call(addPhotos, { body: where, files: { photos: [file] } }, options)
      show(key, { state: data[0]?.outcome ?? 'failed', problem: data[0]?.error })
      refreshSoon()
    } catch (error) {
      const problem = stop.signal.aborted ? 'Stopped.' : errorMessage(error)
      show(key, { state: isRefusal(error) ? 'refused' : 'failed', problem })
    }
    running.current.delete(key)
    sendNext()
  }

  function sendNext() {
    while (running.current.size < AT_ONCE) {
      const next = queue.current.shift()
      if (!next) return
      void sendOne(next)
    }
  }

  return {
    photos,
    isSending: () => queue.current.length > 0 || running.current.size > 0,
    add(files: Iterable<File>, where: PhotoDestination) {
      const added = [...files].map((file): PhotoUpload => {
        const problem = problemOf(file)
        return { key: newKey(), file, where, state: problem ? 'refused' : 'queued', percent: 0, problem }
      })
      setPhotos((now) => [...now, ...added])
      queue.current.push(...added.filter(isUnderWay))
      sendNext()
    },
    retry(which: readonly PhotoUpload[]) {
      for (const { key } of which) show(key, { state: 'queued', problem: undefined })
      queue.current.push(...which)
      sendNext()
    },
    stop() {
      const left = queue.current.splice(0)
      for (const { key } of left) show(key, { state: 'failed', problem: 'Stopped.' })
      for (const stop of running.current.values()) stop.abort()
    },
    /** Forgets those that are through; what is under way goes on. */
    clear: () => setPhotos((now) => now.filter(isUnderWay)),
  }
}
export type PhotoUploads = ReturnType<typeof usePhotoUploads>
