import type { notifications } from '@roadshow/contract/outreach/notifications'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { endpointWithoutSchemas } from '../../api/call.ts'
import { useCall } from '../../api/useCall.ts'
import styles from './NotificationBell.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const loadPanel = () => import('./NotificationPanel.tsx')
const NotificationPanel = lazyOverlay(loadPanel)

// The header is on every first screen: it does without the schemas.
const unreadCall = endpointWithoutSchemas<typeof notifications.unread>({
  method: 'GET',
  path: 'notifications/unread',
  access: 'signedIn',
  follows: ['notifications', 'issues', 'shifts', 'photos'],
  atMostEvery: 5,
})

const MOST_SHOWN = 99

const needs = (unread: number) => `${unread} ${unread === 1 ? 'needs' : 'need'} you`

/** Says new ones aloud once. What was there when the page opened, and what was settled since, is no news. */
function useNews(unread: number | undefined): string {
  const [last, setLast] = useState<number>()
  const [news, setNews] = useState('')
  if (last !== unread) {
    setLast(unread)
    setNews(last !== undefined && unread !== undefined && last < unread ? `New notification. ${needs(unread)}.` : '')
  }
  return news
}

async function followPush(open: (path: string) => void, signal: AbortSignal): Promise<void> {
  const { confirmPush, onNotificationClick } = await import('../push/browserPush.ts')
  if (signal.aborted || !('serviceWorker' in navigator)) return
  signal.addEventListener('abort', onNotificationClick(open))
  // Without an answer nothing changes: the next page asks again.
  await confirmPush().catch(() => undefined)
}

/** Clicked notifications of this browser open in this tab; those of an earlier user of the browser end. */
function usePushHere(): void {
  const router = useRouter()
  useEffect(() => {
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
    const leaving = new AbortController()
    void followPush((path) => router.history.push(path), leaving.signal)
    return () => leaving.abort()
  }, [router])
}

/** The bell of the header: how many need the user, and a panel with them and the latest others. */
export function NotificationBell({ className }: { className: string }) {
  const known = useCall(unreadCall).data?.unread
  const news = useNews(known)
  const unread = known ?? 0
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  usePushHere()
  return (
    <>
      <button
        type="button"
        className={`${className} ${styles.bell}`}
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${needs(unread)}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={() => void loadPanel()}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden>
          <path
            d="M8 2a4 4 0 0 0-4 4c0 4-1.5 5-1.5 5h11S12 10 12 6a4 4 0 0 0-4-4Zm-1.5 11.5a1.5 1.5 0 0 0 3 0"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
        {unread > 0 && (
          <span className={`${styles.count} figures`} aria-hidden>
            {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
          </span>
        )}
      </button>
      <span className={styles.spoken} role="status" aria-live="polite">
        {news}
      </span>
      {wanted && <NotificationPanel open={open} unread={unread} onClose={() => setOpen(false)} />}
    </>
  )
}
