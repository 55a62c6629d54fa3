import type { App } from '../../platform/http/app.ts'
import { editorRoutes } from './editor/routes.ts'
import type { PreviewSettings } from './editor/preview.ts'
import { publicRoutes } from './public-page/routes.ts'

/** The endpoints of proof of play: the editor and the public page. */
export function popRoutes(app: App, settings: PreviewSettings): void {
  editorRoutes(app, settings)
  publicRoutes(app)
}
