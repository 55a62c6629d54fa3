import { type Language, shiftStatusLabel } from '@roadshow/contract'

const en = {
  client: (name: string) => `Client: ${name}`,
  artwork: (name: string) => `Artwork: ${name}`,
  addresses: (name: string) => `SD addresses: ${name}`,
  status: (label: string) => `Status: ${label}`,
  reason: (reason: string) => `Reason: ${reason}`,
  statuses: shiftStatusLabel,
}

const es: typeof en = {
  client: (name) => `Cliente: ${name}`,
  artwork: (name) => `Arte: ${name}`,
  addresses: (name) => `Direcciones SD: ${name}`,
  status: (label) => `Estado: ${label}`,
  reason: (reason) => `Motivo: ${reason}`,
  statuses: {
    planned: 'Planeado',
    out: 'En curso',
    completed: 'Completado',
    cancelled: 'Cancelado',
    noShow: 'No se presentó',
  },
}

/** What calendars show of a shift beside its names. */
export const calendarWords: Record<Language, typeof en> = { en, es }
