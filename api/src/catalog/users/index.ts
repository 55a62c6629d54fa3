import { partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { recordsOf } from '../in-use/index.ts'
import { defineModule } from '../../platform/module.ts'
import { userImport } from './import.ts'
import { payRateImport } from './pay-rate-import.ts'
import { userRoutes } from './routes.ts'

export { languageOf } from './profile.ts'
export { addFirstAdmin, setPayRates, userRecords, userText } from './queries.ts'

export const userModule = defineModule({
  name: 'catalog/users',
  tables: { user_account: record, pay_rate: partOfRecord },
  routes: userRoutes,
  imports: [userImport, payRateImport],
  dependents: [
    recordsOf('users', 'user_account', { client: { column: 'client_uid', screen: (uid) => `/users?client=${uid}` } }),
  ],
})
