import type { UserSession } from '@roadshow/contract/accounts/sign-in'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { localZone, timestamp } from '../../ui/time.ts'
import { browserOf } from './browser.ts'
import styles from './SessionList.module.css'

interface SessionListProps {
  found: UseQueryResult<UserSession[]>
  /** Undefined where they are only looked at. */
  ways:
    | {
        endOne: (sessionUid: string) => Promise<unknown>
        endAll: () => Promise<unknown>
        /** Whether a session can be ended from here. */
        mayEnd: (session: UserSession) => boolean
        /** Of ending all: the button, what is asked first, and what is said when it is done. */
        words: { button: string; question: string; text: string; done: string }
      }
    | undefined
  empty: string
}

/** Where a user is or was signed in; one session or all of them can be ended. */
export function SessionList({ found, ways, empty }: SessionListProps) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const notice = useNotice()

  const end = async (work: Promise<unknown>, text: string) => {
    setBusy(true)
    try {
      await work
      notice(text)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setBusy(false)
    setAsking(false)
    await found.refetch()
  }

  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton active />
  const mayEnd = (session: UserSession) => session.endedAt === null && ways?.mayEnd(session) === true
  return (
    <>
      {ways && (
        <Button danger disabled={!found.data.some(mayEnd)} onClick={() => setAsking(true)}>
          {ways.words.button}
        </Button>
      )}
      {found.data.length === 0 && <p>{empty}</p>}
      {found.data.length > 0 && <p className={styles.hint}>Times are in {localZone()}.</p>}
      <ul className={styles.sessions} aria-label="Sessions">
        {found.data.map((session) => (
          <Session
            key={session.uid}
            session={session}
            onEnd={ways && mayEnd(session) && (() => void end(ways.endOne(session.uid), 'Session ended.'))}
          />
        ))}
      </ul>
      {ways && (
        <Confirm
          open={asking}
          question={ways.words.question}
          text={ways.words.text}
          act="Sign out"
          busy={busy}
          onAct={() => void end(ways.endAll(), ways.words.done)}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface SessionProps {
  session: UserSession
  onEnd: (() => void) | false | undefined
}

const Session = ({ session, onEnd }: SessionProps) => (
  <li>
    <div>
      <p>
        <strong>{browserOf(session.userAgent)}</strong> {session.address}
        {session.isThisOne && ' · this session'}
      </p>
      <p className={`${styles.hint} figures`}>
        Signed in {timestamp(session.signedInAt)}
        <br />
        {session.endedAt ? `Ended ${timestamp(session.endedAt)}` : `Last seen ${timestamp(session.seenAt)}`}
      </p>
    </div>
    {onEnd && (
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
