// This file has no schemas, so that a page that needs only these words does not load zod.

/** The languages of the driver's phone, and of mails and notifications to drivers. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]
export const languageLabel: Record<Language, string> = { en: 'English', es: 'Español' }
