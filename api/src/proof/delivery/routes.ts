import { delivery } from '@roadshow/contract'
import { sharedNow } from '../../platform/db/clock.ts'
import type { App } from '../../platform/http/app.ts'
import { byBody } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { deliveriesOf } from './deliveries.ts'
import { campaignsBehind, planMakeUp } from './issues.ts'

export function deliveryRoutes(app: App): void {
  serve(app, delivery.program, async ({ db, scope, params: { uid } }) => {
    const found = (await deliveriesOf(db, scope, [uid], await sharedNow(db))).get(uid)
    if (!found) throw new AppError('notFound')
    return { data: found }
  })

  serve(app, delivery.behind, async ({ db, scope }) => ({
    data: await campaignsBehind(db, scope, await sharedNow(db)),
  }))

  serve(app, delivery.planShifts, byBody(planMakeUp))
}
