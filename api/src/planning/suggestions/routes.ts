import { shiftSuggestions } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { suggestForShift } from './suggest.ts'

export function suggestionRoutes(app: App): void {
  serve(app, shiftSuggestions.list, async ({ db, scope, query }) => ({ data: await suggestForShift(db, scope, query) }))
}
