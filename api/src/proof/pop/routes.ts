import type { App } from '../../platform/http/app.ts'
import { editorRoutes } from './editor-routes.ts'
import { photoRoutes } from './photo-routes.ts'
import type { PreviewSettings } from './preview.ts'
import { publicRoutes } from './public-routes.ts'

/** The calls of proof of play: its photos, its editor, and what the public sees. */
export async function popRoutes(app: App, settings: PreviewSettings): Promise<void> {
  await photoRoutes(app)
  editorRoutes(app, settings)
  publicRoutes(app)
}
