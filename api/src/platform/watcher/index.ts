import { current } from '../lifetimes/lifetime.ts'
import { defineModule } from '../module.ts'

export { watchJobs } from './jobs.ts'
export { type Condition, defineWatch, eventCondition, type Found, type FoundEvent } from './watch.ts'
export { raisedSubjects } from './watched.ts'

export const watcherModule = defineModule({ name: 'platform/watcher', tables: { watched_condition: current } })
