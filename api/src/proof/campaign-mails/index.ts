import { defineModule } from '../../platform/module.ts'
import { campaignMailRoutes } from './routes.ts'
import { checkReportMail, publishedHandler, sendReportsJob } from './send.ts'

export const campaignMailModule = defineModule({
  name: 'proof/campaign-mails',
  tables: ['report_recipient', 'report_sent'],
  routes: campaignMailRoutes,
  jobs: [sendReportsJob],
  eventHandlers: [publishedHandler],
  beforeSending: checkReportMail,
})
