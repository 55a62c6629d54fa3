import type { ChannelChoice, NotificationSettings } from '@roadshow/contract/outreach/notifications'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { findSubscription, forgetPush, pushSupport, turnOnPush } from '../../outreach/push/browserPush.ts'
import { useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import type { Words } from '../words/index.ts'
import { meCalls } from './calls.ts'
import { MeFrame } from './MeFrame.tsx'
import { useLoaded } from './useLoaded.ts'
import styles from './me.module.css'

const stays = { staysOnPage: true } as const

async function load() {
  const [settings, browsers, own] = await Promise.all([
    call(meCalls.notificationSettings, {}, stays),
    call(meCalls.pushBrowsers, {}, stays),
    findSubscription(),
  ])
  const here = own && browsers.data.browsers.find(({ isThisOne }) => isThisOne)
  return { settings: settings.data, publicKey: browsers.data.publicKey, here }
}

/** Whether this phone shows notifications, and of what. */
export default function NotificationsPage() {
  const words = useWords()
  const loaded = useLoaded(load, 'notifications')
  return (
    <MeFrame title={words.notifications} loaded={loaded}>
      {({ settings, publicKey, here }) => (
        <>
          <PhonePush publicKey={publicKey} uid={here?.uid} onChange={loaded.reload} />
          <KindChoices settings={settings} />
        </>
      )}
    </MeFrame>
  )
}

const supportWord = {
  blocked: 'pushBlocked',
  needsInstall: 'pushNeedsInstall',
  unsupported: 'pushUnsupported',
} as const satisfies Record<string, keyof Words>

interface PhonePushParts {
  publicKey: string
  /** Of this phone's own subscription; undefined while it has none. */
  uid: string | undefined
  onChange: () => Promise<void>
}

function PhonePush({ publicKey, uid, onChange }: PhonePushParts) {
  const words = useWords()
  const [hasFailed, setHasFailed] = useState(false)
  const [support, setSupport] = useState(pushSupport)
  const run = async (work: () => Promise<unknown>) => {
    setHasFailed(false)
    await work().catch(() => setHasFailed(true))
    setSupport(pushSupport())
    await onChange()
  }
  const turnOff = async (known: string) => {
    await call(meCalls.endCredential, { params: { kind: 'push', uid: known } }, stays)
    await forgetPush()
  }
  return (
    <section className={styles.card}>
      <p>{uid ? words.pushOn : support === 'ready' ? words.pushOff : words[supportWord[support]]}</p>
      {uid && <Button onClick={() => void run(() => turnOff(uid))}>{words.turnOff}</Button>}
      {!uid && support === 'ready' && (
        <Button look="primary" onClick={() => void run(() => turnOnPush(publicKey))}>
          {words.turnOn}
        </Button>
      )}
      {hasFailed && <p role="alert">{words.pushFailed}</p>}
    </section>
  )
}

const kindWord: Partial<Record<ChannelChoice['kind'], keyof Words>> = {
  shiftGiven: 'kindShiftGiven',
  shiftMoved: 'kindShiftMoved',
  shiftCancelled: 'kindShiftCanceled',
  dispatchMessage: 'kindDispatchMessage',
}
const channels = [
  ['mail', 'byMail'],
  ['push', 'byPush'],
] as const

function KindChoices({ settings }: { settings: NotificationSettings }) {
  const words = useWords()
  const [choices, setChoices] = useState(settings.choices)
  const [hasFailed, setHasFailed] = useState(false)
  const change = async (next: ChannelChoice) => {
    const before = choices
    const changed = choices.map((each) => (each.kind === next.kind ? next : each))
    setChoices(changed)
    setHasFailed(false)
    await call(meCalls.saveNotificationSettings, { body: { ...settings, choices: changed } }, stays).catch(() => {
      setChoices(before)
      setHasFailed(true)
    })
  }
  return (
    <>
      <h2>{words.whatReachesYou}</h2>
      {choices.map((choice) => {
        const word = kindWord[choice.kind]
        if (!word) return null
        const kind = words[word] as string
        return (
          <fieldset key={choice.kind} className={styles.group}>
            <legend>{kind}</legend>
            {channels.map(([channel, label]) => (
              <label key={channel} className={styles.choice}>
                <input
                  type="checkbox"
                  checked={choice[channel]}
                  aria-label={words.choiceOf(kind, words[label])}
                  onChange={({ target }) => void change({ ...choice, [channel]: target.checked })}
                />
                <span>{words[label]}</span>
              </label>
            ))}
          </fieldset>
        )
      })}
      {hasFailed && <p role="alert">{words.couldNotSave}</p>}
    </>
  )
}
