import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { editorRoutes } from './editor/routes.ts'
import { publicRoutes } from './public-page/routes.ts'

/** The endpoints of proof of play: the editor and the public page. */
export async function popRoutes(app: App, { env: { brandName, publicUrl }, entryHtml }: AppContext): Promise<void> {
  editorRoutes(app, { brandName, publicUrl, shell: await entryHtml('pop.html') })
  publicRoutes(app)
}
