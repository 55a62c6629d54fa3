import { defineModule } from '../../platform/module.ts'
import { userRoutes } from './routes.ts'

export { userRecords, userText } from './queries.ts'

export const userModule = defineModule({
  name: 'catalog/users',
  tables: ['user_account', 'pay_rate'],
  routes: userRoutes,
})
