import type { pops, ReplyOf } from '@roadshow/contract'
import { gradingProgress } from '../../../live/plays/index.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { longLivedFileUrl } from '../../../platform/files/index.ts'
import { draftDocument } from '../publication/document.ts'
import { popPage } from '../public-page/page.ts'
import type { AppContext } from '../../../platform/context.ts'
import { approvedWithoutMarket, pictureAddress } from '../../photos/index.ts'
import { describeChangesSince } from '../publication/publish.ts'

export interface PreviewSettings {
  env: Pick<AppContext['env'], 'brandName' | 'publicUrl'>
  /** The built HTML of the public page; tests of the API have none. */
  shell?: string | undefined
}

// The page works without its script, and a preview stands inside the console, where none may run.
export const withoutScripts = (shell: string) =>
  shell.replace(/<script\b[^>]*>\s*<\/script>|<link rel="modulepreload"[^>]*>/g, '')

/** The page as it would be published now. Pictures have signed addresses that expire. */
export async function previewPop(
  db: Db,
  uid: string,
  { env: { brandName, publicUrl }, shell }: PreviewSettings,
): Promise<ReplyOf<typeof pops.preview>['data']> {
  const edition = { brand: brandName, version: 0, publishedAt: new Date(await sharedNow(db)).toISOString() }
  const document = await draftDocument(db, uid, edition)
  const logo = document.logo && (await logoAddress(db, uid))
  const html = popPage(document, {
    shell: shell && withoutScripts(shell),
    publicUrl,
    isPreview: true,
    pictureUrl: (key, size) => (logo && key === document.logo?.key ? logo : pictureAddress(key, size)),
  })
  return {
    html,
    document,
    changes: await describeChangesSince(db, uid, document),
    grading: await gradingProgress(db, { program: uid }),
    photosWithoutMarket: await approvedWithoutMarket(db, uid),
  }
}

async function logoAddress(db: Db, uid: string): Promise<string | null> {
  const client = await db
    .selectFrom('client_program as p')
    .innerJoin('client as c', 'c.uid', 'p.client_uid')
    .select('c.logo_file_uid')
    .where('p.uid', '=', uid)
    .executeTakeFirst()
  return client?.logo_file_uid ? longLivedFileUrl(client.logo_file_uid) : null
}
