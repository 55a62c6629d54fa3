export * from './catalog/addresses.ts'
export * from './catalog/artwork.ts'
export * from './accounts/api-keys.ts'
export * from './accounts/audit-log.ts'
export * from './accounts/credentials.ts'
export * from './accounts/preferences.ts'
export * from './accounts/second-factors.ts'
export * from './accounts/sign-in.ts'
export * from './accounts/single-sign-on.ts'
export * from './planning/calendar.ts'
export * from './console/business.ts'
export * from './planning/day-sheet.ts'
export * from './console/changes.ts'
export * from './console/charts.ts'
export * from './console/deletable-records.ts'
export * from './catalog/booked-lines.ts'
export * from './catalog/clients.ts'
export * from './catalog/drawn-truck.ts'
export * from './catalog/drawn-truck-rear.ts'
export * from './platform/common.ts'
export * from './platform/constants.ts'
export * from './platform/dates.ts'
export * from './platform/figures.ts'
export * from './platform/typed-time.ts'
export * from './platform/typed-values.ts'
export * from './platform/durations.ts'
export * from './live/device-events.ts'
export * from './live/figure-drops.ts'
export * from './live/position-sources.ts'
export * from './live/driver-app.ts'
export * from './live/shift-driver.ts'
export * from './live/shift-times.ts'
export * from './catalog/devices.ts'
export * from './platform/endpoint.ts'
export * from './platform/errors.ts'
export * from './platform/follows.ts'
export * from './platform/files.ts'
export * from './live/fleet.ts'
export * from './live/track-gaps.ts'
export * from './catalog/driver-profile.ts'
export * from './platform/languages.ts'
export * from './live/inspections.ts'
export * from './live/issue-work.ts'
export * from './live/truck-issue.ts'
export * from './platform/geo.ts'
export * from './platform/sent-later.ts'
export * from './platform/history.ts'
export * from './platform/deletion.ts'
export type { ThingInTheWay } from './platform/in-the-way.ts'
export * from './platform/record-kinds.ts'
export * from './platform/dependents.ts'
export * from './platform/imports.ts'
export * from './platform/local-path.ts'
export * from './catalog/truck-issues.ts'
export * from './console/jump.ts'
export * from './console/list-facts.ts'
export * from './console/program-steps.ts'
export * from './console/services.ts'
export * from './console/setup.ts'
export * from './console/setup-access.ts'
export * from './legacy.ts'
export * from './catalog/markets.ts'
export * from './outreach/notification-kinds.ts'
export * from './outreach/notifications.ts'
export * from './outreach/messages.ts'
export * from './outreach/feeds.ts'
export * from './outreach/proposal-document.ts'
export * from './outreach/proposals.ts'
export * from './pay/pay-calendar.ts'
export * from './pay/pay-files.ts'
export * from './pay/pay-periods.ts'
export * from './pay/pay-reason.ts'
export * from './pay/pay-review.ts'
export * from './pay/payroll.ts'
export * from './outreach/webhook-events.ts'
export * from './outreach/webhooks.ts'
export * from './platform/permissions.ts'
export * from './catalog/pixel-maps.ts'
export * from './catalog/test-patterns.ts'
export * from './proof/delivery.ts'
export * from './proof/delivery-rule.ts'
export * from './proof/delivery-words.ts'
export * from './proof/impressions.ts'
export * from './proof/campaign-links.ts'
export * from './proof/campaigns.ts'
export * from './proof/campaign-words.ts'
export * from './proof/route-sheet.ts'
export * from './proof/pop-document.ts'
export * from './proof/pop-figure-words.ts'
export * from './proof/pop-words.ts'
export * from './proof/campaign-mails.ts'
export * from './proof/client-reports.ts'
export * from './proof/public-page.ts'
export * from './proof/photo-queue.ts'
export * from './proof/pop.ts'
export * from './catalog/programs.ts'
export * from './proof/ad-log.ts'
export * from './proof/replay.ts'
export * from './proof/sd-report.ts'
export * from './proof/shift-plays.ts'
export type { ReportMarket, ReportProgram } from './proof/report-parts.ts'
export * from './platform/retries.ts'
export * from './catalog/pay-calendars.ts'
export * from './catalog/settings.ts'
export * from './planning/out-of-service.ts'
export * from './planning/rotations.ts'
export * from './planning/shift-plan-changes.ts'
export * from './planning/board-cells.ts'
export * from './planning/fill.ts'
export * from './planning/shift-time.ts'
export * from './planning/shift-upload.ts'
export * from './planning/shift-window.ts'
export * from './planning/shifts.ts'
export * from './planning/time-question.ts'
export * from './planning/stop-time.ts'
export * from './planning/stretch.ts'
export * from './planning/stop-words.ts'
export * from './planning/suggestions.ts'
export * from './live/screens.ts'
export * from './live/smart-directional.ts'
export * from './platform/sockets.ts'
export * from './platform/user-agent.ts'
export * from './outreach/push.ts'
export * from './live/web-events.ts'
export * from './catalog/truck-trackers.ts'
export * from './catalog/trucks.ts'
export * from './catalog/import-columns.ts'
export * from './console/imports.ts'
export * from './catalog/users.ts'
export * from './console/incidents.ts'
export * from './console/error-log.ts'

import { addresses } from './catalog/addresses.ts'
import { artworkSets } from './catalog/artwork.ts'
import { apiKeys } from './accounts/api-keys.ts'
import { auditLog } from './accounts/audit-log.ts'
import { credentials } from './accounts/credentials.ts'
import { secondFactors } from './accounts/second-factors.ts'
import { auth } from './accounts/sign-in.ts'
import { preferences } from './accounts/preferences.ts'
import { singleSignOn } from './accounts/single-sign-on.ts'
import { calendar } from './planning/calendar.ts'
import { business } from './console/business.ts'
import { daySheet } from './planning/day-sheet.ts'
import { changes } from './console/changes.ts'
import { charts } from './console/charts.ts'
import { clients } from './catalog/clients.ts'
import { devices, screenPairings } from './catalog/devices.ts'
import { driverApp } from './live/driver-app.ts'
import { shiftDrivers } from './live/shift-driver.ts'
import { shiftTimes } from './live/shift-times.ts'
import type { Endpoint } from './platform/endpoint.ts'
import { files } from './platform/files.ts'
import { driverProfile } from './catalog/driver-profile.ts'
import { fleet } from './live/fleet.ts'
import { inspectionItems, inspections } from './live/inspections.ts'
import { issueWork } from './live/issue-work.ts'
import { jump } from './console/jump.ts'
import { listFacts } from './console/list-facts.ts'
import { programProgress } from './console/program-steps.ts'
import { services } from './console/services.ts'
import { setup } from './console/setup.ts'
import { legacy } from './legacy.ts'
import { markets } from './catalog/markets.ts'
import { notifications } from './outreach/notifications.ts'
import { messages } from './outreach/messages.ts'
import { feeds } from './outreach/feeds.ts'
import { publicProposal, salesProposals } from './outreach/proposals.ts'
import { payReview } from './pay/pay-review.ts'
import { payroll } from './pay/payroll.ts'
import { push } from './outreach/push.ts'
import { programs } from './catalog/programs.ts'
import { pixel } from './catalog/pixel-maps.ts'
import { delivery } from './proof/delivery.ts'
import { impressions } from './proof/impressions.ts'
import { campaignMails, clientMails } from './proof/campaign-mails.ts'
import { clientReports } from './proof/client-reports.ts'
import { campaignLinks, publicCampaign } from './proof/campaign-links.ts'
import { campaigns } from './proof/campaigns.ts'
import { publicPop } from './proof/public-page.ts'
import { photoQueue } from './proof/photo-queue.ts'
import { pops } from './proof/pop.ts'
import { adLog } from './proof/ad-log.ts'
import { replays } from './proof/replay.ts'
import { sdReport } from './proof/sd-report.ts'
import { shiftPlays } from './proof/shift-plays.ts'
import { sentPositions, sources, trackFiles, truckTrackers } from './live/position-sources.ts'
import { screens } from './live/screens.ts'
import { settings } from './catalog/settings.ts'
import { shiftFill } from './planning/fill.ts'
import { outOfServices } from './planning/out-of-service.ts'
import { rotations } from './planning/rotations.ts'
import { shiftUpload } from './planning/shift-upload.ts'
import { shifts } from './planning/shifts.ts'
import { shiftPlanChanges } from './planning/shift-plan-changes.ts'
import { shiftSuggestions } from './planning/suggestions.ts'
import { trucks } from './catalog/trucks.ts'
import { users } from './catalog/users.ts'
import { imports } from './console/imports.ts'
import { incidents } from './console/incidents.ts'
import { errorLog } from './console/error-log.ts'
import { webhookDeliveries, webhooks } from './outreach/webhooks.ts'

/** Every call of the API, by domain. */
export const contract = {
  addresses,
  artworkSets,
  auth,
  preferences,
  credentials,
  singleSignOn,
  secondFactors,
  files,
  fleet,
  driverProfile,
  inspectionItems,
  inspections,
  issueWork,
  clients,
  programs,
  markets,
  settings,
  shifts,
  shiftPlanChanges,
  shiftSuggestions,
  shiftFill,
  outOfServices,
  rotations,
  shiftUpload,
  calendar,
  daySheet,
  driverApp,
  shiftDrivers,
  shiftTimes,
  trucks,
  sources,
  trackFiles,
  truckTrackers,
  sentPositions,
  users,
  payroll,
  payReview,
  errorLog,
  auditLog,
  messages,
  apiKeys,
  changes,
  webhooks,
  webhookDeliveries,
  devices,
  screenPairings,
  screens,
  push,
  jump,
  business,
  listFacts,
  programProgress,
  imports,
  incidents,
  services,
  setup,
  notifications,
  pixel,
  delivery,
  photoQueue,
  pops,
  publicPop,
  impressions,
  campaignMails,
  clientMails,
  clientReports,
  campaigns,
  campaignLinks,
  publicCampaign,
  sdReport,
  adLog,
  replays,
  shiftPlays,
  charts,
  feeds,
  salesProposals,
  publicProposal,
  ...legacy,
}
export const endpoints: Endpoint[] = Object.values(contract).flatMap((domain): Endpoint[] => Object.values(domain))
