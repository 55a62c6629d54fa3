import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import type { Credential } from '@roadshow/contract/accounts/credentials'
import { browserParts } from '@roadshow/contract/platform/user-agent'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { factorCalls } from '../../api/factor-calls.ts'
import { Soft } from '../../ui/layout.tsx'
import { useLanguage, useWords } from '../context.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { Words } from '../words/index.ts'
import { meCalls } from './calls.ts'
import { MeFrame } from './MeFrame.tsx'
import { useLoaded } from './useLoaded.ts'
import styles from './me.module.css'

const stays = { staysOnPage: true } as const

async function load() {
  const [credentials, factors, me] = await Promise.all([
    call(meCalls.credentials, {}, stays),
    call(factorCalls.list, {}, stays),
    call(meCalls.me, {}, stays),
  ])
  return {
    sessions: credentials.data.filter(({ kind }) => kind === 'session'),
    hasFactor: factors.data.passkeys.length > 0 || factors.data.codeApp !== null,
    email: me.data.email,
  }
}

/** Password, second step and the places where the driver is signed in: the session of a lost phone is ended here. */
export default function AccessPage() {
  const words = useWords()
  const loaded = useLoaded(load, 'access')
  return (
    <MeFrame title={words.signInAndAccess} loaded={loaded}>
      {({ sessions, hasFactor, email }) => (
        <>
          <PasswordPart email={email} />
          <section className={styles.card}>
            <h2>{words.secondStep}</h2>
            <p>{hasFactor ? words.secondStepOn : words.secondStepOff}</p>
            <ButtonLink to="/me/access/second-step">
              {hasFactor ? words.secondStepChange : words.secondStepTurnOn}
            </ButtonLink>
          </section>
          <SessionsPart sessions={sessions} onChange={loaded.reload} />
        </>
      )}
    </MeFrame>
  )
}

/** The browser of a session, such as `Chrome on Android`. */
function browserName(userAgent: string, words: Words): string {
  const { browser, system } = browserParts(userAgent)
  if (!browser) return words.browserUnknown
  return system ? words.browserOn(browser, system) : browser
}

function PasswordPart({ email }: { email: string }) {
  const words = useWords()
  const [state, setState] = useState<'idle' | 'mailed' | 'failed'>('idle')
  const mail = async () => {
    try {
      await call(meCalls.mailPasswordLink, { body: { email } }, stays)
      setState('mailed')
    } catch {
      setState('failed')
    }
  }
  return (
    <section className={styles.card}>
      <h2>{words.password}</h2>
      <Button onClick={() => void mail()}>{words.changePassword}</Button>
      {state === 'mailed' && <p role="status">{words.passwordMailed(email)}</p>}
      {state === 'failed' && <p role="alert">{words.couldNotLoad}</p>}
    </section>
  )
}

function SessionsPart({ sessions, onChange }: { sessions: Credential[]; onChange: () => Promise<void> }) {
  const words = useWords()
  const language = useLanguage()
  const [isAsking, setIsAsking] = useState(false)
  const [said, setSaid] = useState<string>()
  const run = async (work: () => Promise<unknown>, done: string | undefined) => {
    setIsAsking(false)
    try {
      await work()
      setSaid(done)
    } catch {
      setSaid(words.couldNotLoad)
    }
    await onChange()
  }
  return (
    <>
      <h2>{words.sessions}</h2>
      {sessions.map((session) => (
        <section key={session.uid} className={styles.card}>
          <h3>{session.isThisOne ? words.thisPhone : browserName(session.name, words)}</h3>
          <Soft as="p">{words.signedInSince(formatMoment(session.createdAt, localZone(), language))}</Soft>
          {!session.isThisOne && (
            <Button
              onClick={() =>
                void run(
                  () => call(meCalls.endCredential, { params: { kind: 'session', uid: session.uid } }, stays),
                  undefined,
                )
              }
            >
              {words.endSession}
            </Button>
          )}
        </section>
      ))}
      {sessions.length > 1 && <Button onClick={() => setIsAsking(true)}>{words.endOthers}</Button>}
      <p role="status">{said}</p>
      {isAsking && (
        <Dialog title={words.endOthersTitle} onClose={() => setIsAsking(false)}>
          <p>{words.endOthersText}</p>
          <Button
            look="bad"
            onClick={() => void run(() => call(meCalls.endOtherSessions, {}, stays), words.otherSessionsEnded)}
          >
            {words.endOthers}
          </Button>
          <Button onClick={() => setIsAsking(false)}>{words.cancel}</Button>
        </Dialog>
      )}
    </>
  )
}
