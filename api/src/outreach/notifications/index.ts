import { sql } from 'kysely'
import { deleteOlder } from '../../platform/db/delete-older.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { defineModule } from '../../platform/module.ts'
import { conditionHandlers } from './condition-notices.ts'
import { sendDigestsJob } from './digest.ts'
import { issueHandler, repeatAlertsJob } from './issue-alerts.ts'
import { checkBeforeSending } from './message-check.ts'
import { notificationRoutes } from './routes.ts'
import { shiftHandler, tellDriversJob } from './shift-notices.ts'
import { notificationSockets } from './sockets.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'
import { watchRecordsJob, watchStartsJob, watchStorageJob } from './watches.ts'

/** Days that notifications stay in the bell. */
const KEPT_DAYS = 90

const sweepNotifications = defineJob('sweep-notifications', ({ db, timeUp: signal }) =>
  deleteOlder(db, 'notification', { column: 'at', before: sql`now() - make_interval(days => ${KEPT_DAYS})`, signal }),
)

export const notificationModule = defineModule({
  name: 'outreach/notifications',
  tables: [
    'notification',
    'notification_message',
    'notification_choice',
    'notification_setting',
    'issue_alert',
    'shift_notice',
    'watched_condition',
  ],
  routes: async (app, context) => {
    notificationRoutes(app)
    await unsubscribeRoutes(app, context)
  },
  sockets: notificationSockets,
  jobs: [
    sweepNotifications,
    repeatAlertsJob,
    tellDriversJob,
    sendDigestsJob,
    watchStartsJob,
    watchRecordsJob,
    watchStorageJob,
  ],
  eventHandlers: [issueHandler, shiftHandler, ...conditionHandlers],
  beforeSending: checkBeforeSending,
})
