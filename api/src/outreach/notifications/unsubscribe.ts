import { isForDrivers, type Role } from '@roadshow/contract'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { App } from '../../platform/http/app.ts'
import { requestLanguage } from '../../platform/http/request-language.ts'
import { serveUnsubscribePage } from '../../platform/mail/unsubscribe-page.ts'
import { UNSUBSCRIBE_PATH } from './mails.ts'
import { loadChoices, saveChoice } from './settings.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'
import { kindLabel, notificationWords } from './words.ts'

interface Reader {
  uid: string
  role: Role
}

const readerOf = (db: Db, userUid: string): Promise<Reader | undefined> =>
  db
    .selectFrom('user_account')
    .select(['uid', 'role'])
    .$narrowType<{ role: Role }>()
    .where('uid', '=', userUid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The page behind the link to unsubscribe. Its token names one kind of one user and nothing else. */
export async function unsubscribeRoutes(app: App, { db, env: { brandName } }: AppContext): Promise<void> {
  await serveUnsubscribePage(app, brandName, UNSUBSCRIBE_PATH, async (token, change, request) => {
    const subscription = readUnsubscribeToken(token)
    const reader = subscription && (await readerOf(db, subscription.userUid))
    if (!subscription || !reader) {
      const language = requestLanguage(request) ?? 'en'
      const words = notificationWords[language]
      return { title: words.linkMissing, sentence: words.linkMissingText, language }
    }
    if (change !== undefined) await saveChoice(db, subscription, change)
    const { kind, channel } = subscription
    const isOn = (await loadChoices(db, [reader]))(reader, kind, channel)
    const language = isForDrivers(kind) ? await recipientLanguage(db, reader.uid, request) : 'en'
    const words = notificationWords[language]
    return {
      title: isOn ? words.unsubscribe : words.unsubscribed,
      sentence: words[isOn ? 'isOn' : 'isOff'][channel](kindLabel(kind, language)),
      choice: { isOn, button: isOn ? words.unsubscribe : words.undo },
      language,
    }
  })
}
