import type { Language } from '@roadshow/contract/live/driver-app'
import { browserLanguage } from '@roadshow/contract/platform/languages'
import { en } from './en.ts'
import type { Words } from './en.ts'
import { es } from './es.ts'

export type { Words }

export const wordsOf: Record<Language, Words> = { en, es }

/** The language of the app: the driver's own choice, then the browser's. */
export const languageFor = (chosen: Language | null | undefined, browser: readonly string[]): Language =>
  chosen ?? browserLanguage(browser)
