import type { Language } from '@roadshow/contract'
import { type AccountMailWords, en } from './en.ts'
import { es } from './es.ts'

export type { AccountMailWords, FactorName } from './en.ts'

export const accountMailWords: Record<Language, AccountMailWords> = { en, es }
