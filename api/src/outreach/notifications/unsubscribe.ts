import { isForDrivers } from '@roadshow/contract'
import { sql } from 'kysely'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { requestLanguage } from '../../platform/http/request-language.ts'
import { serveUnsubscribePage } from '../../platform/mail/unsubscribe-page.ts'
import { UNSUBSCRIBE_PATH } from './mails.ts'
import { loadReaders } from './rights.ts'
import { loadChoices, saveChoice } from './settings.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'
import { kindLabel, notificationWords } from './words.ts'

/** The page behind the link to unsubscribe. Its token names one kind of one user and nothing else. */
export async function unsubscribeRoutes(app: App, { db, env }: AppContext): Promise<void> {
  await serveUnsubscribePage(
    app,
    () => env.brandName,
    UNSUBSCRIBE_PATH,
    async (token, change, request) => {
      const subscription = readUnsubscribeToken(token)
      const [reader] = subscription ? await loadReaders(db, sql`u.uid = ${subscription.userUid}`) : []
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
    },
  )
}
