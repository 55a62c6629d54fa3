import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { connection, useIsAway } from '../../api/connection.ts'
import { isFormOpen, isTyping, keepDrafts } from '../../api/drafts.ts'
import { refreshAfter } from '../../api/live.ts'
import { readToken, savedUserUid } from '../../api/session.ts'
import { reopenWaitingSave, sendWaitingSaves, waitingSaves } from '../../api/waiting-saves.ts'
import type { WaitingSave } from '../../api/waiting-saves.ts'
import { useNotice } from '../../ui/notices.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { prepareOffline } from './prepareOffline.ts'
import { ServicesBar } from './ServicesBar.tsx'

const RETRY_MS = 15_000

/** What the console does while the server is away. It is loaded ahead: without a server it could not be loaded. */
export default function OfflineTools() {
  const isAway = useIsAway()
  const saves = useSyncExternalStore(waitingSaves.subscribe, waitingSaves.all)
  const open = useReopen()
  useSendingWhenBack(isAway, saves.filter(({ refused }) => !refused).length, open)
  useTypedKept(saves.length > 0)
  useEffect(() => void prepareOffline(), [])
  return (
    <>
      <OfflineBar isAway={isAway} saves={saves} onOpen={open} />
      <ServicesBar />
    </>
  )
}

/** Opens the form of a save again, with the words that were typed. */
function useReopen() {
  const router = useRouter()
  const notice = useNotice()
  return (save: WaitingSave) => {
    if (isFormOpen(save.draft.name)) return notice('Close the form that is open first.', 'bad')
    reopenWaitingSave(save)
    router.history.push(save.place)
  }
}

function useSendingWhenBack(isAway: boolean, count: number, open: (save: WaitingSave) => void): void {
  const queries = useQueryClient()
  const notice = useNotice()
  const send = useEffectEvent(() => {
    void sendWaitingSaves({
      onSent: ({ name, path }) => {
        notice(`${name} saved.`)
        refreshAfter(queries, { path })
      },
      // A form that is being filled in stays; the bar offers the refused one.
      onRefused: (save) => (isTyping() ? notice(`${save.name} was not saved.`, 'bad') : open(save)),
    })
  })
  useEffect(() => {
    if (isAway || count === 0) return undefined
    send()
    const timer = setInterval(() => send(), RETRY_MS)
    return () => clearInterval(timer)
  }, [isAway, count])
}

/** Leaving a page while the server is away keeps what was typed; closing one with waiting saves asks first. */
function useTypedKept(hasWaiting: boolean): void {
  useEffect(() => {
    const keep = () => connection.isAway() && keepDrafts(savedUserUid())
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [])
  useEffect(() => {
    if (!hasWaiting) return undefined
    // A page whose session has ended must go; what waits is sent after the next sign-in.
    const ask = (event: BeforeUnloadEvent) => readToken() !== undefined && event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [hasWaiting])
}
