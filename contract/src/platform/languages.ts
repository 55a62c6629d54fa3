// This file has no schemas, so that a page that needs only these words does not load zod.

/** The languages of the driver's phone, and of mails and notifications to drivers. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]
/** The first of a browser's languages that there is; English if there is none. */
export const browserLanguage = (wanted: readonly string[]): Language =>
  wanted
    .find((each) => /^(?:en|es)\b/i.test(each))
    ?.slice(0, 2)
    .toLowerCase() === 'es'
    ? 'es'
    : 'en'

export const languageLabel: Record<Language, string> = { en: 'English', es: 'Español' }
