import type { Language } from '@roadshow/contract'

const en = {
  testTitle: (brand: string) => `${brand}: test notification`,
  testText: 'Notifications work in this browser.',
}

const es: typeof en = {
  testTitle: (brand) => `${brand}: aviso de prueba`,
  testText: 'Los avisos funcionan en este navegador.',
}

export const pushWords: Record<Language, typeof en> = { en, es }
