import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import type { QueuedPhoto } from '@roadshow/contract/proof/photo-queue'
import { photoStatusLabel, pops } from '@roadshow/contract/proof/pop'
import type { PhotoInput, PopPhoto } from '@roadshow/contract/proof/pop'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call, errorMessage } from '../../../api/call.ts'
import { useList } from '../../../api/useList.ts'
import { useSave } from '../../../api/useSave.ts'
import { useUser } from '../../../api/user.ts'
import { useNotice } from '../../../ui/notices.tsx'
import { useListState } from '../../../ui/useListState.ts'
import { photoTitle } from '../PhotoCard.tsx'

/** As many as are loaded at once; more follow as these are decided. */
const LOADED = { pageSize: '50' }

type Decision = Pick<PhotoInput, 'status'> & { rejection?: string; marketUid?: string }

/** The last decision, and how the photo was before it. */
interface Decided {
  before: QueuedPhoto
  /** As it was saved; without it, the save is not over. */
  saving: Promise<PopPhoto | undefined>
}

const isOver = async (uid: string): Promise<PopPhoto | undefined> => {
  try {
    return (await call(pops.photo, { params: { uid } })).data
  } catch {
    // Deleted meanwhile, or no answer: no one can be named.
    return undefined
  }
}

const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403

const inputOf = ({ uid, version, caption, market, shift }: PopPhoto) => ({
  uid,
  version,
  caption,
  marketUid: market?.uid ?? null,
  shiftUid: shift?.uid ?? null,
})

/** The photos that wait, one of which is looked at, and the decisions on them. */
export function usePhotoQueue() {
  const { query } = useListState(photoQueue.list)
  const found = useList(photoQueue.list, { ...LOADED, ...(query.program !== undefined && { program: query.program }) })
  const save = useSave(pops.updatePhoto)
  const notice = useNotice()
  const me = useUser().userUid
  /** Decided here: they leave at once, and come back if the decision is refused. */
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<Decided>()
  const [chosen, choose] = useState<string>()
  const [place, setPlace] = useState(0)

  const loaded = found.data?.data
  const photos = loaded?.filter(({ uid }) => !decided.has(uid))
  const at = photos?.findIndex(({ uid }) => uid === chosen) ?? -1
  const index = at >= 0 ? at : Math.min(place, Math.max(0, (photos?.length ?? 0) - 1))
  const photo = photos?.[index]
  const hiddenHere = loaded?.filter(({ uid }) => decided.has(uid)).length ?? 0

  const tellWhoDecided = async (gone: QueuedPhoto) => {
    const now = await isOver(gone.uid)
    if (now && now.status === 'waiting') return
    const who = now?.changedBy?.uid === me ? 'you, in another window' : now?.changedBy?.name
    const what = now ? photoStatusLabel[now.status].toLowerCase() : 'deleted'
    notice(`${photoTitle(gone)} left the queue: ${what}${who ? ` by ${who}` : ''}.`)
  }
  useWhatLeft(loaded, decided, (gone) => void tellWhoDecided(gone))

  const forget = (uid: string) => setDecided((all) => new Set([...all].filter((each) => each !== uid)))
  const moveTo = (next: number) => {
    const to = photos?.[next]
    if (!to) return
    choose(to.uid)
    setPlace(next)
  }

  async function send(before: QueuedPhoto, { status, rejection, marketUid }: Decision) {
    try {
      const body = { ...inputOf(before), status, ...(rejection && { rejection }), ...(marketUid && { marketUid }) }
      return (await save.mutateAsync({ body })).data
    } catch (error) {
      if (isForbidden(error)) {
        // Nothing of it was decided, and the queue says so when it is asked again.
        notice(errorMessage(error), 'bad')
        void found.refetch()
        return undefined
      }
      const now = await isOver(before.uid)
      if (now && now.status === 'waiting') {
        forget(before.uid)
        choose(before.uid)
        notice(errorMessage(error), 'bad')
      } else if (now?.changedBy?.uid !== me || now.status !== status) await tellWhoDecided(before)
      void found.refetch()
      return undefined
    }
  }

  return {
    found,
    photos,
    photo,
    index,
    /** All that wait, those not loaded yet included. */
    total: found.data === undefined ? undefined : Math.max(0, found.data.total - hiddenHere),
    canUndo: last !== undefined,
    next: () => moveTo(index + 1),
    previous: () => moveTo(index - 1),
    /** Decides the photo that is looked at, and goes to the next. */
    decide(decision: Decision) {
      if (!photo || !photos) return
      setDecided((all) => new Set([...all, photo.uid]))
      choose(photos[index + 1]?.uid)
      setPlace(index)
      setLast({ before: photo, saving: send(photo, decision) })
    },
    /** Puts the photo of the last decision back as it was, and looks at it again. */
    async undo() {
      if (!last) return
      setLast(undefined)
      const saved = await last.saving
      if (!saved) return
      try {
        const body = { ...inputOf(last.before), version: saved.version, status: 'waiting' as const }
        await save.mutateAsync({ body })
        forget(last.before.uid)
        choose(last.before.uid)
        notice(`${photoTitle(last.before)} waits again.`)
      } catch (error) {
        notice(errorMessage(error), 'bad')
      }
    },
  }
}

/** Calls back for the photos that were loaded and are gone, other than by a decision of this page. */
function useWhatLeft(
  loaded: readonly QueuedPhoto[] | undefined,
  decided: ReadonlySet<string>,
  onGone: (gone: QueuedPhoto) => void,
) {
  const before = useRef<readonly QueuedPhoto[]>([])
  useEffect(() => {
    if (!loaded) return
    const now = new Set(loaded.map(({ uid }) => uid))
    const gone = before.current.filter(({ uid }) => !now.has(uid) && !decided.has(uid))
    before.current = loaded
    for (const each of gone) onGone(each)
    // Only another answer of the server makes photos leave.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [loaded])
}
