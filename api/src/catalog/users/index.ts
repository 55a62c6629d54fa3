import { defineModule } from '../../platform/module.ts'
import { userRoutes } from './routes.ts'

export { addFirstAdmin } from './first-admin.ts'
export { languageOf } from './profile.ts'
export { userRecords, userText } from './queries.ts'

export const userModule = defineModule({
  name: 'catalog/users',
  tables: ['user_account', 'pay_rate'],
  routes: userRoutes,
})
