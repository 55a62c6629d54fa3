import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { MAX_PHOTO_BYTES, photoTypes, pops } from '@roadshow/contract/proof/pop'
import type { photoUpload } from '@roadshow/contract/proof/pop'
import type * as z from '@roadshow/contract/platform/zod'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call, newIdempotencyKey, errorMessage } from '../../api/call.ts'
import { useRefreshAfter } from '../../api/useSave.ts'
import { withProgress } from '../../api/with-progress.ts'

const AT_ONCE = 3
// While hundreds arrive, the grid is refreshed this often at most.
const REFRESH_MS = 1_500

/** Where photos belong, as far as known; the server proposes the rest. */
export type PhotoDestination = Pick<z.input<typeof photoUpload>, 'programUid' | 'marketUid' | 'shiftUid'>

export interface PhotoUpload {
  /** Also the Idempotency-Key, so that a retry adds no second photo. */
  key: string
  file: File
  where: PhotoDestination
  state: 'queued' | 'sending' | 'added' | 'already' | 'refused' | 'failed'
  /** The sent share in percent. */
  percent: number
  /** Why it was refused or not sent. */
  problem?: string | undefined
}

const isUnderWay = ({ state }: PhotoUpload) => state === 'queued' || state === 'sending'
// A failed photo exists nowhere else: it counts as not sent until it is sent or discarded.
const isUnsent = (photo: PhotoUpload) => isUnderWay(photo) || photo.state === 'failed'

function problemOf({ name, size, type }: File): string | undefined {
  if (size === 0) return 'The file is empty.'
  if (size > MAX_PHOTO_BYTES) return `The file is larger than ${MAX_PHOTO_BYTES / 1024 / 1024} MB.`
  const isPhoto = (photoTypes as readonly string[]).includes(type) || /\.(jpe?g|png|webp|hei[cf])$/i.test(name)
  return isPhoto ? undefined : 'This is not a photo. Choose a JPEG, PNG or WebP file.'
}

function uploadOf(file: File, where: PhotoDestination): PhotoUpload {
  const problem = problemOf(file)
  return { key: newIdempotencyKey(), file, where, state: problem ? 'refused' : 'queued', percent: 0, problem }
}

// A refusal will be repeated; a broken connection, a busy server and a timeout will pass.
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)

type AddPhotos = Omit<typeof pops.addPhotos, 'path'> & Pick<Endpoint, 'path'>

/** The photos being sent, their queue, and the calls that run. */
function useUploadQueue() {
  const [photos, setPhotos] = useState<readonly PhotoUpload[]>([])
  const queue = useRef<PhotoUpload[]>([])
  const running = useRef(new Map<string, AbortController>())
  const show = (key: string, more: Partial<PhotoUpload>) =>
    setPhotos((now) => now.map((photo) => (photo.key === key ? { ...photo, ...more } : photo)))

  // Leaving the screen stops the uploads; photos that have arrived stay.
  useEffect(() => {
    const stops = running.current
    return () => {
      queue.current = []
      for (const stop of stops.values()) stop.abort()
    }
  }, [])
  return { photos, setPhotos, queue, running, show }
}

/** Sends photos, a few at a time and each in its own call, with the progress of each. */
export function usePhotoUploads(addPhotos: AddPhotos = pops.addPhotos) {
  const { photos, setPhotos, queue, running, show } = useUploadQueue()
  const refresh = useRefreshAfter(addPhotos)

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
      refresh(REFRESH_MS)
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
    isSending: () => queue.current.length > 0 || running.current.size > 0 || photos.some(isUnsent),
    add(files: Iterable<File>, where: PhotoDestination) {
      const added = [...files].map((file) => uploadOf(file, where))
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
    /** Removes the finished ones from the list. */
    clear: () => setPhotos((now) => now.filter(isUnsent)),
    /** Gives up a failed photo. */
    discard: ({ key }: PhotoUpload) => setPhotos((now) => now.filter((photo) => photo.key !== key)),
  }
}
export type PhotoUploads = ReturnType<typeof usePhotoUploads>
