import { notifications } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { countUnread, listNotifications, markAllRead, markRead } from './queries.ts'
import { readNotificationSettings, saveNotificationSettings } from './settings.ts'

export function notificationRoutes(app: App): void {
  serve(app, notifications.list, ({ db, scope, query }) => listNotifications(db, scope.actor, query))
  serve(app, notifications.unread, async ({ db, scope }) => ({ data: await countUnread(db, scope.actor) }))
  serve(app, notifications.markRead, async ({ db, scope, body }) => ({
    data: await markRead(db, scope.actor, body.uids),
  }))
  serve(app, notifications.markAllRead, async ({ db, scope, body }) => ({
    data: await markAllRead(db, scope.actor, body.until),
  }))
  serve(app, notifications.settings, async ({ db, scope }) => ({
    data: await readNotificationSettings(db, scope.actor),
  }))
  serve(app, notifications.saveSettings, async ({ db, scope, body }) => ({
    data: await saveNotificationSettings(db, scope.actor, body),
  }))
}
