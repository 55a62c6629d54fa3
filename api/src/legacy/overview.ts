import { type OldOverviewPhoto, oldOverview, type PopPhoto } from '@roadshow/contract'
import { shiftsOfDay } from '../live/fleet/index.ts'
import type { App } from '../platform/http/app.ts'
import { serve } from '../platform/http/serve.ts'
import { newestPhotos } from '../proof/photos/index.ts'
import { flatParties, reshaped } from './flat.ts'

export function oldOverviewRoutes(app: App): void {
  serve(app, oldOverview.shifts, ({ db, scope, query }) => reshaped(shiftsOfDay(db, scope, query), flatParties))
  serve(app, oldOverview.photos, ({ db, scope, query }) => reshaped(newestPhotos(db, scope, query), toOldPhoto))
}

const toOldPhoto = ({ program, market, truck, shift, takenBy, urls, ...photo }: PopPhoto): OldOverviewPhoto => ({
  ...photo,
  programUid: program.uid,
  programName: program.name,
  marketUid: market?.uid ?? null,
  marketName: market?.name ?? null,
  truckUid: truck?.uid ?? null,
  truckNumber: truck?.name ?? null,
  shiftUid: shift?.uid ?? null,
  takenByUid: takenBy?.uid ?? null,
  takenByName: takenBy?.name ?? null,
  smallUrl: urls.small,
  mediumUrl: urls.medium,
  largeUrl: urls.large,
})
