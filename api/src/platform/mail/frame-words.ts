import type { Language } from '@roadshow/contract'

const en = {
  greeting: (name: string) => `Hello ${name},`,
  reason: (email: string, brand: string) => `This mail was sent to ${email} because of your ${brand} account.`,
  unsubscribe: 'Unsubscribe',
}

const es: typeof en = {
  greeting: (name) => `Hola, ${name}:`,
  reason: (email, brand) => `Este correo se envió a ${email} porque tiene una cuenta de ${brand}.`,
  unsubscribe: 'Cancelar suscripción',
}

/** What stands around the words of every mail. */
export const frameWords: Record<Language, typeof en> = { en, es }
