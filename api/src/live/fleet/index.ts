import { current, partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { counterWatch, fleetWatch } from './alerts.ts'
import { issueRoutes } from './issue-routes.ts'
import { fleetRoutes } from './routes.ts'
import { fleetSockets } from './sockets.ts'

export { counterWatch, fleetWatch } from './alerts.ts'
export { claimIssuePhotos, raiseDriverIssue } from './driver-issues.ts'
export { resolveIssue } from './issue-work.ts'
export { countTrucksOfPrograms, trucksOfClient, trucksOfPrograms } from './client-view.ts'
export { liveTrucks } from './live-trucks.ts'
export { shiftsOfDay } from './overview.ts'
export { countIssuesOfTrucks, issueDay } from './queries.ts'
export { weekMilesOfTrucks } from './day-miles.ts'
export { shouldHavePlays } from './without-plays.ts'
export { fleetSockets } from './sockets.ts'
export { readTruckDay } from './truck-day.ts'

export const fleetModule = defineModule({
  name: 'live/fleet',
  tables: {
    truck_issue: record,
    issue_comment: partOfRecord,
    issue_photo: partOfRecord,
    // Only nodes of an earlier version use it.
    issue_watch: current,
  },
  dbErrors: { issue_photo_pkey: 'fileUsed' },
  routes: (app, context) => {
    fleetRoutes(app, context)
    issueRoutes(app)
  },
  sockets: fleetSockets,
  watches: [fleetWatch, counterWatch],
})
