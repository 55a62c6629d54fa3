import { partOfRecord } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { campaignMailRoutes } from './routes.ts'
import { checkReportMail, publishedHandler, sendReportsJob } from './send.ts'

export const campaignMailModule = defineModule({
  name: 'proof/campaign-mails',
  tables: {
    report_recipient: partOfRecord,
    report_sent: {
      kept: 'for good',
      bound:
        'One row for each mailed report: at most one a week, of a client one a month, one for each version, and those sent by hand.',
    },
  },
  routes: campaignMailRoutes,
  jobs: [sendReportsJob],
  eventHandlers: [publishedHandler],
  beforeSending: checkReportMail,
})
