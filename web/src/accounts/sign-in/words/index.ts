import { browserLanguage } from '@roadshow/contract/platform/languages'
import { en } from './en.tsx'
import type { SignInWords } from './en.tsx'

// Loaded here and not above: most people sign in in English. Without it the page works, in English.
const loadSpanish = () => import('./es.tsx').catch(() => undefined)

/** Who signs in is not known yet, so the browser decides. */
const wanted = browserLanguage(navigator.languages)
const spanish = wanted === 'es' ? await loadSpanish() : undefined

/** The language of the page. */
export const language = spanish ? 'es' : 'en'

export const words: SignInWords = spanish?.es ?? en

const TOO_MANY = 'Too many attempts.'

/** A sentence of the server in the language of the page, as far as it is known. */
export function translated(sentence: string): string {
  if (!spanish) return sentence
  if (sentence.startsWith(TOO_MANY)) return spanish.tooManyAttempts
  return spanish.spanishSentences[sentence] ?? sentence
}
