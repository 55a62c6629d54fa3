import { notifications } from '@roadshow/contract/outreach/notifications'
import type { NotificationSettings } from '@roadshow/contract/outreach/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useCall } from '../../api/useCall.ts'
import { Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { PushBrowsers } from '../push/PushBrowsers.tsx'
import { HourSettings } from './HourSettings.tsx'
import { KindSettings } from './KindSettings.tsx'
import styles from './NotificationSettingsPage.module.css'

const key = keyOf(notifications.settings)

/** The settings, and how to change them: shown at once, saved one after the other, taken back if they are refused. */
function useNotificationSettings() {
  const queries = useQueryClient()
  const notice = useNotice()
  const found = useCall(notifications.settings)
  const save = useMutation({
    scope: { id: 'notification-settings' },
    mutationFn: (body: NotificationSettings) => call(notifications.saveSettings, { body }),
    onSuccess: () => notice('Saved.'),
    onError: async (error) => {
      notice(errorMessage(error), 'bad')
      await found.refetch()
    },
  })
  const change = (next: NotificationSettings) => {
    queries.setQueryData(key, { data: next })
    save.mutate(next)
  }
  return { found, change }
}

/** Which notifications reach the user outside the console, in which browsers, and when. */
export default function NotificationSettingsPage() {
  const { found, change } = useNotificationSettings()
  const settings = found.data
  return (
    <div className={styles.page}>
      <Part title="Browsers" text="Notifications appear in these browsers even while the console is closed.">
        <PushBrowsers />
      </Part>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!settings && !found.isError && <SkeletonLines rows={9} />}
      {settings && (
        <>
          <Part title="What reaches you" text="Everything is in the bell too. Push goes to the browsers above.">
            <KindSettings settings={settings} onChange={change} />
          </Part>
          <Part title="When" text="Emails and push messages wait until quiet hours are over.">
            <HourSettings settings={settings} onChange={change} />
          </Part>
        </>
      )}
    </div>
  )
}

const Part = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <section className={styles.part} aria-label={title}>
    <h2>{title}</h2>
    <Soft as="p" below={3}>
      {text}
    </Soft>
    {children}
  </section>
)
