import { sql } from 'kysely'
import { deleteOlder } from '../../platform/db/delete-older.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { defineModule } from '../../platform/module.ts'
import { notificationRoutes } from './routes.ts'
import { notificationSockets } from './sockets.ts'

/** Days that notifications stay in the bell. */
const KEPT_DAYS = 90

const sweepNotifications = defineJob({
  name: 'sweep-notifications',
  every: '1h',
  lock: 'cluster',
  run: ({ db, signal }) =>
    deleteOlder(db, 'notification', { column: 'at', before: sql`now() - make_interval(days => ${KEPT_DAYS})`, signal }),
})

export const notificationModule = defineModule({
  name: 'outreach/notifications',
  tables: [
    'notification',
    'notification_message',
    'notification_choice',
    'notification_setting',
    'notification_digest',
    'issue_alert',
    'shift_notice',
    'watched_condition',
  ],
  routes: notificationRoutes,
  sockets: notificationSockets,
  jobs: [sweepNotifications],
})
