import { partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { recordsOf } from '../in-use/index.ts'
import { defineModule } from '../../platform/module.ts'
import { sdAddressImport } from './set-import.ts'
import { addressRoutes } from './routes.ts'

export { testGeocoder } from './geocoder.ts'

export const addressModule = defineModule({
  name: 'catalog/addresses',
  tables: {
    address_set: record,
    sd_address: partOfRecord,
    past_sd_address: {
      kept: 'for good',
      bound: 'Earlier places of SD addresses that plays and approaches refer to, one for each change by a person.',
    },
  },
  routes: addressRoutes,
  imports: [sdAddressImport],
  dependents: [
    recordsOf('addressSets', 'address_set', {
      program: { column: 'program_uid', screen: (uid) => `/gps-addresses?program=${uid}` },
    }),
  ],
})
