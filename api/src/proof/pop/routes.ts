import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { editorRoutes } from './editor/routes.ts'
import { passwordRoutes } from './public-page/password.ts'
import { publicRoutes } from './public-page/routes.ts'

/** The endpoints of proof of play: the editor and the public page. */
export async function popRoutes(app: App, context: AppContext): Promise<void> {
  const { brandName, publicUrl } = context.env
  editorRoutes(app, { brandName, publicUrl, shell: await context.entryHtml('pop.html') })
  publicRoutes(app)
  await passwordRoutes(app, context)
}
