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

/** What was done here to a photo, which the list may not know yet. */
interface Mine {
  /** Decided photos leave at once, and come back if the decision is refused or someone lets them wait again. */
  isDecided: boolean
  /** The version that was saved; none is newer while it is being saved. */
  version: number
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
  const [mine, setMine] = useState<ReadonlyMap<string, Mine>>(new Map())
  const [last, setLast] = useState<Decided>()
  const [chosen, choose] = useState<string>()
  const [place, setPlace] = useState(0)

  const loaded = found.data?.data
  const isAway = ({ uid, version }: QueuedPhoto) => {
    const own = mine.get(uid)
    return own?.isDecided === true && version <= own.version
  }
  const photos = loaded?.filter((each) => !isAway(each))
  const at = photos?.findIndex(({ uid }) => uid === chosen) ?? -1
  const index = at >= 0 ? at : Math.min(place, Math.max(0, (photos?.length ?? 0) - 1))
  const photo = photos?.[index]
  const hiddenHere = loaded?.filter(isAway).length ?? 0

  const tellWhoDecided = async (gone: QueuedPhoto) => {
    const now = await isOver(gone.uid)
    if (now && now.status === 'waiting') return
    const who = now?.changedBy?.uid === me ? 'you, in another window' : now?.changedBy?.name
    const what = now ? photoStatusLabel[now.status].toLowerCase() : 'deleted'
    notice(`${photoTitle(gone)} left the queue: ${what}${who ? ` by ${who}` : ''}.`)
  }
  useWhatLeft(loaded, isAway, (gone) => void tellWhoDecided(gone))

  const remember = (uid: string, own: Mine) => setMine((all) => new Map([...all, [uid, own]]))
  const forget = (uid: string) => setMine((all) => new Map([...all].filter(([each]) => each !== uid)))
  const moveTo = (next: number) => {
    const to = photos?.[next]
    if (!to) return
    choose(to.uid)
    setPlace(next)
  }

  async function send(before: QueuedPhoto, { status, rejection, marketUid }: Decision) {
    try {
      const body = { ...inputOf(before), status, ...(rejection && { rejection }), ...(marketUid && { marketUid }) }
      const saved = (await save.mutateAsync({ body })).data
      remember(saved.uid, { isDecided: true, version: saved.version })
      return saved
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
      } else {
        if (now) remember(before.uid, { isDecided: true, version: now.version })
        if (now?.changedBy?.uid !== me || now.status !== status) await tellWhoDecided(before)
      }
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
      // The list may still show how the photo was before it was put back here.
      const before = { ...photo, version: Math.max(photo.version, mine.get(photo.uid)?.version ?? 0) }
      remember(photo.uid, { isDecided: true, version: Infinity })
      choose(photos[index + 1]?.uid)
      setPlace(index)
      setLast({ before, saving: send(before, decision) })
    },
    /** Puts the photo of the last decision back as it was, and looks at it again. */
    async undo() {
      if (!last) return
      setLast(undefined)
      const saved = await last.saving
      if (!saved) return
      try {
        const body = { ...inputOf(last.before), version: saved.version, status: 'waiting' as const }
        const { uid, version } = (await save.mutateAsync({ body })).data
        remember(uid, { isDecided: false, version })
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
  isAway: (photo: QueuedPhoto) => boolean,
  onGone: (gone: QueuedPhoto) => void,
) {
  const before = useRef<readonly QueuedPhoto[]>([])
  useEffect(() => {
    if (!loaded) return
    const now = new Set(loaded.map(({ uid }) => uid))
    const gone = before.current.filter((each) => !now.has(each.uid) && !isAway(each))
    before.current = loaded
    for (const each of gone) onGone(each)
    // Only another answer of the server makes photos leave.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [loaded])
}
