import { users } from '@roadshow/contract/users'
import type { UserSession } from '@roadshow/contract/users'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { call, sentenceOf } from '../api/call.ts'
import { keyOf } from '../api/queryClient.ts'
import { useSave } from '../api/useSave.ts'
import { useMay } from '../api/user.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useNotice } from '../ui/notices.tsx'
import { ErrorState } from '../ui/states.tsx'
import { localZone, timestamp } from '../ui/time.ts'
import { browserOf } from './browser.ts'
import styles from './users.module.css'

/** Where a user is signed in, and was; an admin ends one session or all of them. */
export function SessionsTab({ userUid, name }: { userUid: string; name: string }) {
  const params = { uid: userUid }
  const found = useQuery({
    queryKey: keyOf(users.sessions, params),
    queryFn: async ({ signal }) => (await call(users.sessions, { params }, { signal })).data,
    refetchOnMount: 'always',
  })
  const [asking, setAsking] = useState(false)
  const all = useSave(users.forceLogout)
  const one = useSave(users.endSession)
  const mayEnd = useMay(users.forceLogout)
  const notice = useNotice()

  const end = async (work: Promise<unknown>, text: string) => {
    try {
      await work
      notice(text)
    } catch (error) {
      notice(sentenceOf(error), 'bad')
    }
    setAsking(false)
    await found.refetch()
  }

  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton active />
  const isAnyOpen = found.data.some(({ endedAt }) => endedAt === null)
  return (
    <>
      {mayEnd && (
        <Button danger disabled={!isAnyOpen} onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      )}
      {found.data.length === 0 && <p>{name} has not signed in yet.</p>}
      {found.data.length > 0 && <p className={styles.hint}>Times are in {localZone()}.</p>}
      <ul className={styles.sessions} aria-label="Sessions">
        {found.data.map((session) => (
          <Session
            key={session.uid}
            session={session}
            mayEnd={mayEnd}
            onEnd={() =>
              void end(one.mutateAsync({ params: { ...params, sessionUid: session.uid } }), 'The session is ended.')
            }
          />
        ))}
      </ul>
      <Confirm
        open={asking}
        question={`Sign ${name} out everywhere?`}
        text="Every page they have open goes back to the login at once. What they typed and have not saved is lost."
        act="Sign out"
        busy={all.isPending}
        onAct={() => void end(all.mutateAsync({ params }), `${name} is signed out everywhere.`)}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

interface SessionProps {
  session: UserSession
  mayEnd: boolean
  onEnd: () => void
}

const Session = ({ session, mayEnd, onEnd }: SessionProps) => (
  <li>
    <div>
      <p>
        <strong>{browserOf(session.userAgent)}</strong> {session.address}
        {session.isThisOne && ' · this one'}
      </p>
      <p className={`${styles.hint} figures`}>
        Signed in {timestamp(session.signedInAt)}
        <br />
        {session.endedAt ? `Ended ${timestamp(session.endedAt)}` : `Last seen ${timestamp(session.seenAt)}`}
      </p>
    </div>
    {mayEnd && session.endedAt === null && (
      <Button
        size="small"
        onClick={onEnd}
        aria-label={`End the session of ${browserOf(session.userAgent)} at ${session.address}`}
      >
        End
      </Button>
    )}
  </li>
)
