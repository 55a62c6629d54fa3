import { current, keptFor, partOfUser, queue } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { sendDigestsJob } from './digest.ts'
import { eventNoticeHandler } from './event-notices.ts'
import { issueHandler, repeatAlertsJob } from './issue-alerts.ts'
import { checkBeforeSending } from './message-check.ts'
import { notificationRoutes } from './routes.ts'
import { shiftHandler, tellDriversJob } from './shift-notices.ts'
import { notificationSockets } from './sockets.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'
import { recordWatch, startWatch, watchStorage } from './watches.ts'

export const notificationModule = defineModule({
  name: 'outreach/notifications',
  tables: {
    notification: keptFor('90 days', 'at', { bound: 'What the bell shows to a user: a few rows a day for each.' }),
    notification_message: { kept: 'as long as the message', bound: 'Which messages were made of a notification.' },
    notification_choice: partOfUser,
    notification_setting: partOfUser,
    issue_alert: current,
    shift_notice: queue,
  },
  routes: async (app, context) => {
    notificationRoutes(app)
    await unsubscribeRoutes(app, context)
  },
  sockets: notificationSockets,
  jobs: [repeatAlertsJob, tellDriversJob, sendDigestsJob],
  watches: [startWatch, recordWatch, watchStorage()],
  eventHandlers: [issueHandler, shiftHandler, eventNoticeHandler],
  beforeSending: checkBeforeSending,
})
