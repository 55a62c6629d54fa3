import { addDays, CHART_WEEKS, charts, day, workweekOf } from '@roadshow/contract'
import { type FillIn, today } from '../../platform/http/fill-in.ts'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { driverHoursSheet, playHourSheet, rowsOrFile, startsSheet, utilizationSheet } from './files.ts'
import { loadDriverHours, loadPlaysByHour, loadStarts } from './queries.ts'
import { loadUtilization } from './utilization.ts'

export { loadStarts } from './queries.ts'

/** The weeks up to the last day, or up to this week's Sunday. */
const fillWeeks: FillIn = async ({ query }, db) => {
  const to = day.safeParse(query['to']).data ?? addDays(workweekOf(await today(db)), 6)
  return { from: addDays(workweekOf(to), -7 * (CHART_WEEKS - 1)), to }
}

/** Figures of the fleet as charts. It counts by the functions of planning and plays. */
export const chartModule = defineModule({
  name: 'console/charts',
  routes(app) {
    serve(app, charts.utilization, (call) => rowsOrFile(call, loadUtilization, utilizationSheet), fillWeeks)
    serve(app, charts.driverHours, (call) => rowsOrFile(call, loadDriverHours, driverHoursSheet), fillWeeks)
    serve(app, charts.starts, (call) => rowsOrFile(call, loadStarts, startsSheet), fillWeeks)
    serve(app, charts.plays, (call) => rowsOrFile(call, loadPlaysByHour, playHourSheet), fillWeeks)
  },
})
