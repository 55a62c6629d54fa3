import { credentials } from '@roadshow/contract/accounts/credentials'
import { push } from '@roadshow/contract/outreach/push'
import type { PushBrowser } from '@roadshow/contract/outreach/push'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { ApiError, call, errorMessage } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { keptCurrent } from '../../api/useCall.ts'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { findSubscription, forgetPush, pushSupport, turnOnPush } from './browserPush.ts'
import type { PushSupport } from './browserPush.ts'
import styles from './PushBrowsers.module.css'

const problems: Record<Exclude<PushSupport, 'ready'>, string> = {
  blocked:
    'Notifications are blocked in this browser. Allow them in the site settings, beside the address, and try again.',
  needsInstall:
    'On iPhone and iPad, notifications need the app: tap Share, then Add to Home Screen, and open it from there.',
  unsupported: 'This browser can’t show notifications while the console is closed.',
}

const COULD_NOT = 'This browser couldn’t reach its notification service. Check your connection and try again.'

/** Browsers that show notifications while no page is open: this one can be turned on, each can be turned off. */
export function PushBrowsers() {
  const found = useQuery({
    queryKey: [...keyOf(push.browsers), 'here'],
    ...keptCurrent(push.browsers, {}),
    // A subscription that the browser has dropped shows nothing any more, whatever the server still knows.
    queryFn: async ({ signal }) => {
      const [{ data }, own] = await Promise.all([call(push.browsers, {}, { signal }), findSubscription()])
      return { ...data, isOnHere: own !== undefined && data.browsers.some(({ isThisOne }) => isThisOne) }
    },
    refetchOnMount: 'always',
  })
  const [busy, setBusy] = useState(false)
  const [support, setSupport] = useState(pushSupport)
  const notice = useNotice()

  const run = async (work: () => Promise<string | undefined>) => {
    setBusy(true)
    try {
      const text = await work()
      if (text) notice(text)
    } catch (error) {
      notice(error instanceof ApiError ? errorMessage(error) : COULD_NOT, 'bad')
    }
    setSupport(pushSupport())
    setBusy(false)
    await found.refetch()
  }

  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  const { publicKey, browsers, isOnHere } = found.data

  const turnOn = () =>
    run(async () => ((await turnOnPush(publicKey)) ? 'Notifications are on in this browser.' : undefined))
  const turnOff = ({ uid, isThisOne }: PushBrowser) =>
    run(async () => {
      await call(credentials.endOwn, { params: { kind: 'push', uid } })
      if (isThisOne) await forgetPush()
      return 'Notifications turned off.'
    })
  const sendTest = ({ uid }: PushBrowser) =>
    run(async () => {
      await call(push.test, { params: { uid } })
      return 'Test notification sent.'
    })

  return (
    <>
      {!isOnHere && support === 'ready' && (
        <Row as="p" gap={3} align="center" wrap className={styles.here}>
          <span>Notifications are off in this browser.</span>
          <Button type="primary" loading={busy} onClick={() => void turnOn()}>
            Turn on in this browser
          </Button>
        </Row>
      )}
      {!isOnHere && support !== 'ready' && <Alert type="warning" showIcon title={problems[support]} />}
      {browsers.length > 0 && (
        <List above={3} className={styles.rows} aria-label="Browsers with notifications">
          {browsers.map((browser) => (
            <BrowserRow key={browser.uid} browser={browser} busy={busy} onTest={sendTest} onEnd={turnOff} />
          ))}
        </List>
      )}
    </>
  )
}

interface BrowserRowProps {
  browser: PushBrowser
  busy: boolean
  onTest: (browser: PushBrowser) => Promise<void>
  onEnd: (browser: PushBrowser) => Promise<void>
}

const BrowserRow = ({ browser, busy, onTest, onEnd }: BrowserRowProps) => (
  <li>
    <div>
      <p>
        <strong>{browser.name}</strong>
        {browser.isThisOne && ' · this browser'}
      </p>
      <Soft as="p" small className="figures">
        Since {formatDateTime(browser.createdAt, localZone())}
        {browser.acceptedAt && ` · Last notification ${formatDateTime(browser.acceptedAt, localZone())}`}
      </Soft>
    </div>
    <Button disabled={busy} onClick={() => void onTest(browser)} aria-label={`Send a test: ${browser.name}`}>
      Send a test
    </Button>
    <Button disabled={busy} onClick={() => void onEnd(browser)} aria-label={`Turn off: ${browser.name}`}>
      Turn off
    </Button>
  </li>
)
