import { partOfRecord } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { shiftTimeRoutes } from './routes.ts'

export { noteTimeAnswer } from './answers.ts'
export { loadTimeQuestions } from './questions.ts'

/** Asks about a start or stop that the truck's own data contradict. */
export const shiftTimeModule = defineModule({
  name: 'live/shift-times',
  tables: { shift_time_answer: partOfRecord },
  routes: shiftTimeRoutes,
})
