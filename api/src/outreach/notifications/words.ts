import {
  type DriverNotificationKind,
  formatClock,
  formatClocks,
  formatMoment,
  formatFullDay,
  type Language,
  type NotificationChannel,
  type NotificationKind,
  notificationKindOf,
  zoneName,
} from '@roadshow/contract'
import type { ShiftState } from '../../planning/shifts/index.ts'

export type ShiftNoticeKind = Extract<DriverNotificationKind, 'shiftGiven' | 'shiftMoved' | 'shiftCancelled'>

/** `Mon, Nov 16, 2026, 8:00 PM–2:00 AM CST` */
const hoursOf = ({ date, start, end, startsAt, zone }: ShiftState, language: Language) =>
  `${formatFullDay(date, language)}, ${formatClocks({ start, end }, language)} ${zoneName(zone, startsAt)}`

// Every text that a driver can get, in the bell, by mail and by push. The other kinds are for staff and in English.
const en = {
  kinds: {
    shiftGiven: notificationKindOf('shiftGiven').label,
    shiftMoved: notificationKindOf('shiftMoved').label,
    shiftCancelled: notificationKindOf('shiftCancelled').label,
    dispatchMessage: notificationKindOf('dispatchMessage').label,
  } satisfies Record<DriverNotificationKind, string> as Record<DriverNotificationKind, string>,

  // Changes of shifts
  shiftLine: (shift: ShiftState) =>
    `${hoursOf(shift, 'en')}: ${shift.program.name}, ${shift.market.name}, truck ${shift.truck.name}`,
  shiftMovedLine: (now: string, before: string) => `Now ${now} (before: ${before})`,
  shiftReplacedLine: (shift: string, driver: string) => `${shift}. ${driver} drives now.`,
  shiftReplaced: (shift: ShiftState, driver: string) => `${driver} drives your shift: ${hoursOf(shift, 'en')}`,
  shiftsReplaced: (count: number) => `${count} of your shifts were given to others`,
  shiftsGone: (count: number) => `${count} of your shifts were canceled or given to others`,
  oneShift: {
    shiftGiven: (shift) => `New shift: ${hoursOf(shift, 'en')}`,
    shiftMoved: (shift) => `Shift changed: ${hoursOf(shift, 'en')}`,
    shiftCancelled: (shift) => `Shift canceled: ${hoursOf(shift, 'en')}`,
  } as Record<ShiftNoticeKind, (shift: ShiftState) => string>,
  severalShifts: {
    shiftGiven: (count) => `${count} new shifts`,
    shiftMoved: (count) => `${count} shifts changed`,
    shiftCancelled: (count) => `${count} shifts canceled`,
  } as Record<ShiftNoticeKind, (count: number) => string>,

  // A message of dispatch
  messageSubject: ({ truck, start }: ShiftState) => `Message from dispatch: ${truck.name}, ${formatClock(start)}`,
  messageShift: ({ startsAt, zone, truck }: ShiftState) =>
    `Shift of ${formatMoment(startsAt, zone)}, truck ${truck.name}.`,

  // What stands around them in a mail
  openApp: 'Open in the app',
  whyThisMail: (kind: string) => `You get emails about “${kind}”. Change this under Me, Notifications in the app.`,
  digestSubject: (count: number) => `${count} notifications since your last digest`,
  digestText: (count: number) =>
    count === 1
      ? 'You have 1 notification that you have not read yet.'
      : `You have ${count} notifications that you have not read yet.`,
  digestAction: 'Open notifications',
  whyThisDigest: 'This is your daily digest. Change its time, or what it holds, under Notifications in the console.',

  // The page to unsubscribe
  unsubscribe: 'Unsubscribe',
  unsubscribed: 'Unsubscribed',
  undo: 'Undo',
  isOn: {
    mail: (kind) => `You get “${kind}” by email.`,
    push: (kind) => `You get “${kind}” by push.`,
  } as Record<NotificationChannel, (kind: string) => string>,
  isOff: {
    mail: (kind) => `You no longer get “${kind}” by email. It is still in the bell of the console.`,
    push: (kind) => `You no longer get “${kind}” by push. It is still in the bell of the console.`,
  } as Record<NotificationChannel, (kind: string) => string>,
  linkMissing: 'Link not found',
  linkMissingText: 'This link is incomplete or its account no longer exists.',
}

export type NotificationWords = typeof en

const es: NotificationWords = {
  kinds: {
    shiftGiven: 'Turno nuevo',
    shiftMoved: 'Turno cambiado',
    shiftCancelled: 'Turno cancelado',
    dispatchMessage: 'Mensaje de despacho',
  },

  shiftLine: (shift) =>
    `${hoursOf(shift, 'es')}: ${shift.program.name}, ${shift.market.name}, camión ${shift.truck.name}`,
  shiftMovedLine: (now, before) => `Ahora ${now} (antes: ${before})`,
  shiftReplacedLine: (shift, driver) => `${shift}. Ahora conduce ${driver}.`,
  shiftReplaced: (shift, driver) => `${driver} hará su turno: ${hoursOf(shift, 'es')}`,
  shiftsReplaced: (count) => `${count} de sus turnos pasaron a otras personas`,
  shiftsGone: (count) => `${count} de sus turnos se cancelaron o pasaron a otras personas`,
  oneShift: {
    shiftGiven: (shift) => `Turno nuevo: ${hoursOf(shift, 'es')}`,
    shiftMoved: (shift) => `Turno cambiado: ${hoursOf(shift, 'es')}`,
    shiftCancelled: (shift) => `Turno cancelado: ${hoursOf(shift, 'es')}`,
  },
  severalShifts: {
    shiftGiven: (count) => `${count} turnos nuevos`,
    shiftMoved: (count) => `${count} turnos cambiados`,
    shiftCancelled: (count) => `${count} turnos cancelados`,
  },

  messageSubject: ({ truck, start }) => `Mensaje de despacho: ${truck.name}, ${formatClock(start, 'es')}`,
  messageShift: ({ startsAt, zone, truck }) => `Turno del ${formatMoment(startsAt, zone, 'es')}, camión ${truck.name}.`,

  openApp: 'Abrir en la aplicación',
  whyThisMail: (kind) => `Usted recibe correos del tipo “${kind}”. Puede cambiarlo en la aplicación, en Yo, Avisos.`,
  digestSubject: (count) => `${count} avisos desde su último resumen`,
  digestText: (count) =>
    count === 1 ? 'Tiene 1 aviso que todavía no ha leído.' : `Tiene ${count} avisos que todavía no ha leído.`,
  digestAction: 'Abrir los avisos',
  whyThisDigest: 'Este es su resumen diario. Puede cambiar su hora y su contenido en Notifications, en la consola.',

  unsubscribe: 'Cancelar suscripción',
  unsubscribed: 'Suscripción cancelada',
  undo: 'Deshacer',
  isOn: {
    mail: (kind) => `Usted recibe “${kind}” por correo.`,
    push: (kind) => `Usted recibe “${kind}” en sus dispositivos.`,
  },
  isOff: {
    mail: (kind) => `Ya no recibe “${kind}” por correo. Sigue viéndolo en la campana de la consola.`,
    push: (kind) => `Ya no recibe “${kind}” en sus dispositivos. Sigue viéndolo en la campana de la consola.`,
  },
  linkMissing: 'Enlace no encontrado',
  linkMissingText: 'Este enlace está incompleto o su cuenta ya no existe.',
}

export const notificationWords: Record<Language, NotificationWords> = { en, es }

/** What people call a kind. Kinds for staff have English names only. */
export const kindLabel = (kind: NotificationKind, language: Language): string =>
  (notificationWords[language].kinds as Partial<Record<NotificationKind, string>>)[kind] ??
  notificationKindOf(kind).label

/** Subject and sentences of a notification. */
export interface NoticeText {
  /** One line. */
  subject: string
  /** Sentences, one a line. */
  text: string
}

/** The text of a notification for drivers in each language. */
export const inEachLanguage = (
  write: (words: NotificationWords) => NoticeText,
): NoticeText & { spanish: NoticeText } => ({ ...write(en), spanish: write(es) })
