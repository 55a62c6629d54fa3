import { defineModule } from '../../platform/module.ts'
import { feedRoutes } from './routes.ts'

export { readCursor, writeCursor, writeStoredOffset } from './cursor.ts'
export { testFeeds } from './try-out.ts'

export const feedModule = defineModule({ name: 'outreach/feeds', routes: feedRoutes })
