import {
  formatMinutes,
  type Language,
  payDecisionLabel,
  type PayLine,
  payOptionLabel,
  payPeriodStateLabel,
  payReason,
  type PayReason,
  type PayStatement,
  shiftStatusLabel,
} from '@roadshow/contract'

type Week = PayStatement['weeks'][number]

/** Why a shift is not paid. The rules say it in English. */
type Unpaid = (line: PayLine) => string

const unpaidInSpanish: Record<PayReason, string> = {
  halfDay: '',
  eightHours: '',
  twelveHours: '',
  undecided: 'La oficina todavía decide si se paga.',
  notCompleted: 'Todavía sin completar.',
  cancelled: 'El turno se canceló.',
  noShow: 'No se presentó.',
  unpaid: 'No se paga.',
}

const en = {
  title: (driver: string, days: string) => `Pay statement of ${driver}, ${days}`,
  heading: 'Pay statement',
  states: { ...payPeriodStateLabel, partly: 'Partly settled' },
  canChange: ' (figures can still change)',
  total: 'total',
  paidShifts: (count: number): string => (count === 1 ? 'paid shift' : 'paid shifts'),
  worked: 'worked',
  undecided: (count: number): string => (count === 1 ? 'shift not decided' : 'shifts not decided'),
  driven: 'driven',
  adjustments: 'adjustments',
  columns: ['Day', 'Scheduled', 'Truck and program', 'Planned', 'Worked', 'Paid as', 'Amount'],
  noShifts: 'No shifts on these days.',
  options: payOptionLabel,
  notPaid: 'Not paid',
  statuses: shiftStatusLabel,
  decisions: payDecisionLabel,
  unpaid: (({ unpaid }) => unpaid) as Unpaid,
  forShift: (note: string, day: string, truck: string) => `${note} (for the shift on ${day}, ${truck})`,
  sums: { shifts: 'Shifts', adjustments: 'Adjustments', overtime: 'Overtime owed', total: 'Total' },
  plannedOnly: (minutes: number) =>
    ` ${formatMinutes(minutes)} of them are planned hours, because actual hours are unknown.`,
  overtime: (days: string, { minutes, overtimeMinutes, isPaid }: Week, unknown: string, owed: string) =>
    `Week ${days}: ${formatMinutes(minutes)} worked, ${formatMinutes(overtimeMinutes)} over the limit.${unknown} ` +
    `At half the regular rate (29 CFR 778.112), ${owed} is owed. ${isPaid ? 'It is part of the total.' : 'For information only; not part of the total.'}`,
  printed: (day: string) => `Printed ${day}`,
}

const es: typeof en = {
  title: (driver, days) => `Comprobante de pago de ${driver}, ${days}`,
  heading: 'Comprobante de pago',
  states: { open: 'Abierto', approved: 'Aprobado', locked: 'Cerrado', partly: 'Liquidado en parte' },
  canChange: ' (las cifras pueden cambiar)',
  total: 'total',
  paidShifts: (count) => (count === 1 ? 'turno pagado' : 'turnos pagados'),
  worked: 'de trabajo',
  undecided: (count) => (count === 1 ? 'turno sin decidir' : 'turnos sin decidir'),
  driven: 'recorrido',
  adjustments: 'ajustes',
  columns: ['Día', 'Horario', 'Camión y programa', 'Planeado', 'Trabajado', 'Pagado como', 'Importe'],
  noShifts: 'No hay turnos en estos días.',
  options: { halfDay: 'Medio día', eightHours: 'Día de 8 h', twelveHours: 'Día de 12 h' },
  notPaid: 'No se paga',
  statuses: {
    planned: 'Planeado',
    out: 'En curso',
    completed: 'Completado',
    cancelled: 'Cancelado',
    noShow: 'No se presentó',
  },
  decisions: { pay: 'Pagar', doNotPay: 'No pagar' },
  unpaid: (line) => (line.unpaid === '' ? '' : unpaidInSpanish[payReason(line)]),
  forShift: (note, day, truck) => `${note} (por el turno del ${day}, ${truck})`,
  sums: { shifts: 'Turnos', adjustments: 'Ajustes', overtime: 'Horas extra', total: 'Total' },
  plannedOnly: (minutes) =>
    ` De ellas, ${formatMinutes(minutes)} son horas planeadas, porque no se conocen las trabajadas.`,
  overtime: (days, { minutes, overtimeMinutes, isPaid }, unknown, owed) =>
    `Semana ${days}: ${formatMinutes(minutes)} de trabajo, ${formatMinutes(overtimeMinutes)} sobre el límite.${unknown} ` +
    `A la mitad de la tarifa regular (29 CFR 778.112) se deben ${owed}. ${isPaid ? 'Forma parte del total.' : 'Solo informativo; no forma parte del total.'}`,
  printed: (day) => `Impreso el ${day}`,
}

/** What a pay statement says beside names and numbers. */
export const statementWords: Record<Language, typeof en> = { en, es }
export type StatementWords = typeof en
