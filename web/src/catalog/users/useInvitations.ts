import { MAX_INVITATIONS, users } from '@roadshow/contract/catalog/users'
import type { InvitationsResult } from '@roadshow/contract/catalog/users'
import { useRef } from 'react'
import { useSaveOnce } from '../../api/useSave.ts'

/** What was sent until a call failed: sent again, only the rest is. */
const nothingYet = () => ({ done: new Set<string>(), sent: 0, skipped: [] as InvitationsResult['skipped'] })

/** Invites any number of users, in several calls if need be. Each gets one mail, also if a call failed and is sent again. */
export function useInvitations() {
  const { mutateAsync, isPending } = useSaveOnce(users.sendInvitations)
  const progress = useRef(nothingYet())
  const send = async (userUids: readonly string[]): Promise<InvitationsResult> => {
    const { done, skipped } = progress.current
    const left = userUids.filter((uid) => !done.has(uid))
    for (let at = 0; at < left.length; at += MAX_INVITATIONS) {
      const part = left.slice(at, at + MAX_INVITATIONS)
      const { data } = await mutateAsync({ body: { userUids: part } })
      for (const uid of part) done.add(uid)
      progress.current.sent += data.sent
      skipped.push(...data.skipped)
    }
    const { sent } = progress.current
    progress.current = nothingYet()
    return { sent, skipped }
  }
  return { send, isSending: isPending }
}
