import { credentialKinds } from '@roadshow/contract/accounts/credentials'
import type { Credential } from '@roadshow/contract/accounts/credentials'
import { madeByLabel } from '@roadshow/contract/accounts/sign-in'
import type { UserSession } from '@roadshow/contract/accounts/sign-in'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { browserOf } from '@roadshow/contract/platform/user-agent'
import { List, Soft } from '../../ui/layout.tsx'
import { credentialWords } from './words.ts'
import styles from './CredentialList.module.css'

interface CredentialListProps {
  found: UseQueryResult<Credential[]>
  /** Which of them are listed; all unless said. */
  isListed?: (credential: Credential) => boolean
  /** Ended sessions, shown below the open credentials. */
  earlier: UseQueryResult<UserSession[]>
  /** Undefined where they are only looked at. */
  ways:
    | {
        endOne: (credential: Credential) => Promise<unknown>
        endAll: () => Promise<unknown>
        /** Whether signing out everywhere ends it. */
        endsWithAll: (credential: Credential) => boolean
        /** Of signing out everywhere: the button, what is asked first, and what is said when it is done. */
        words: { button: string; question: string; text: string; done: string }
      }
    | undefined
  empty: string
}

interface Question {
  question: string
  text: string
  act: string
  onAct: () => Promise<void>
}

/** Everything open that lets a user in or acts for them; each can be ended. */
export function CredentialList({ found, isListed = () => true, earlier, ways, empty }: CredentialListProps) {
  // The question stays while its dialog closes.
  const [asked, setAsked] = useState<Question & { open: boolean }>()
  const [busy, setBusy] = useState(false)
  const notice = useNotice()

  const close = () => setAsked((last) => last && { ...last, open: false })
  const end = async (work: Promise<unknown>, text: string) => {
    setBusy(true)
    try {
      await work
      notice(text)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setBusy(false)
    close()
    await Promise.all([found.refetch(), earlier.refetch()])
  }

  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  const listed = found.data.filter(isListed)

  const endOne = (credential: Credential) => {
    if (!ways) return
    const { act, ask, done } = credentialWords[credential.kind]
    const onAct = () => end(ways.endOne(credential), done)
    if (ask) setAsked({ ...ask, act, onAct, open: true })
    else void onAct()
  }
  const endAll = () =>
    ways &&
    setAsked({
      question: ways.words.question,
      text: ways.words.text,
      act: 'Sign out',
      onAct: () => end(ways.endAll(), ways.words.done),
      open: true,
    })
  return (
    <>
      {ways && (
        <Button danger className={styles.all ?? ''} disabled={!listed.some(ways.endsWithAll)} onClick={endAll}>
          {ways.words.button}
        </Button>
      )}
      {listed.length === 0 && <p>{empty}</p>}
      <OpenCredentials credentials={listed} busy={busy} onEnd={ways && endOne} />
      <EarlierSessions sessions={earlier.data ?? []} />
      <Confirm
        key={asked?.question}
        open={asked?.open === true}
        question={asked?.question ?? ''}
        text={asked?.text ?? ''}
        act={asked?.act ?? ''}
        busy={busy}
        onAct={() => void asked?.onAct()}
        onCancel={close}
      />
    </>
  )
}

interface OpenCredentialsProps {
  credentials: Credential[]
  busy: boolean
  onEnd: ((credential: Credential) => void) | undefined
}

const OpenCredentials = ({ credentials, busy, onEnd }: OpenCredentialsProps) =>
  credentialKinds
    .map((kind) => ({ kind, rows: credentials.filter((each) => each.kind === kind) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ kind, rows }) => (
      <section key={kind} className={styles.kind}>
        <h3>{credentialWords[kind].title}</h3>
        <List gap={3} above={3} className={styles.rows} aria-label={credentialWords[kind].title}>
          {rows.map((row) => (
            <CredentialRow key={row.uid} credential={row} busy={busy} onEnd={row.canEnd && onEnd} />
          ))}
        </List>
      </section>
    ))

const nameOf = ({ kind, name }: Credential) => (kind === 'session' ? browserOf(name) : name)

/** When it was made, used and ends, in one line each. */
const datesOf = ({ kind, createdAt, lastUsedAt, expiresAt }: Credential) => [
  `${kind === 'session' ? 'Signed in' : 'Created'} ${formatDateTime(createdAt, localZone())}`,
  ...(lastUsedAt ? [`Last used ${formatDateTime(lastUsedAt, localZone())}`] : []),
  ...(expiresAt && kind !== 'session' ? [`Expires ${formatDateTime(expiresAt, localZone())}`] : []),
]

interface CredentialRowProps {
  credential: Credential
  busy: boolean
  onEnd: ((credential: Credential) => void) | false | undefined
}

function CredentialRow({ credential, busy, onEnd }: CredentialRowProps) {
  const { act, title } = credentialWords[credential.kind]
  const more = [
    credential.detail,
    credential.address,
    credential.isThisOne ? (credential.kind === 'session' ? 'this session' : 'this browser') : '',
  ].filter(Boolean)
  return (
    <li>
      <div>
        <p>
          <strong>{nameOf(credential)}</strong>
        </p>
        {more.length > 0 && <p>{more.join(' · ')}</p>}
        {datesOf(credential).map((line) => (
          <Soft as="p" key={line} small className="figures">
            {line}
          </Soft>
        ))}
      </div>
      {onEnd && (
        <Button
          disabled={busy}
          onClick={() => onEnd(credential)}
          aria-label={`${act}: ${[title, nameOf(credential), credential.address].filter(Boolean).join(', ')}`}
        >
          {act}
        </Button>
      )}
    </li>
  )
}

function EarlierSessions({ sessions }: { sessions: UserSession[] }) {
  const ended = sessions.filter(({ endedAt }) => endedAt !== null)
  if (ended.length === 0) return null
  return (
    <details className={styles.kind}>
      <summary>Earlier sessions ({ended.length})</summary>
      <List gap={3} above={3} className={styles.rows} aria-label="Earlier sessions">
        {ended.map((session) => (
          <li key={session.uid}>
            <div>
              <p>
                <strong>{browserOf(session.userAgent)}</strong> {session.address}
              </p>
              <Soft as="p" small className="figures">
                Signed in {formatDateTime(session.signedInAt, localZone())} · {madeByLabel[session.madeBy]}
              </Soft>
              <Soft as="p" small className="figures">
                Ended {formatDateTime(session.endedAt ?? '', localZone())}
              </Soft>
            </div>
          </li>
        ))}
      </List>
    </details>
  )
}
