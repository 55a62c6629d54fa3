import type { Brand } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { setMailLine } from '../../platform/mail/mail-html.ts'
import { readSettings } from './queries.ts'

/** The names that nodes were started with: a company without a name of its own goes by it. */
const startedWith = new WeakMap<Brand, string>()

/** Takes name, color and logo of the company over into what pages and mails of this node show. */
export async function applyBrand(db: Db, env: Brand): Promise<void> {
  const { companyName, companyColor, companyLogoUid } = await readSettings(db)
  const usual = startedWith.get(env) ?? env.brandName
  startedWith.set(env, usual)
  env.brandName = companyName ?? usual
  env.brandColor = companyColor ?? undefined
  env.brandLogoUid = companyLogoUid ?? undefined
  setMailLine(env.brandColor)
}
