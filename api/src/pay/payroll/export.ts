import {
  type PayAdjustment,
  payAnomalyLabel,
  type PayLine,
  payOptionLabel,
  type PayRow,
  shiftStatusLabel,
  toMiles,
} from '@roadshow/contract'

const dollars = (cents: number) => cents / 100
/** Hours with two decimals. */
const hours = (minutes: number) => Math.round((minutes / 60) * 100) / 100

export const paySheet = {
  name: 'payroll',
  columns: {
    Driver: ({ driver }: PayRow) => driver.name,
    'Payroll id': ({ driver }: PayRow) => driver.payrollId,
    'Half days': (row: PayRow) => row.halfDay,
    '8-hour days': (row: PayRow) => row.eightHours,
    '12-hour days': (row: PayRow) => row.twelveHours,
    'Not paid': (row: PayRow) => row.unpaid,
    'Needs a decision': (row: PayRow) => row.undecided,
    'Planned hours': (row: PayRow) => hours(row.plannedMinutes),
    'Actual hours': (row: PayRow) => hours(row.actualMinutes),
    Miles: (row: PayRow) => Math.round(toMiles(row.metres) * 10) / 10,
    'Shifts ($)': (row: PayRow) => dollars(row.shiftCents),
    'Adjustments ($)': (row: PayRow) => dollars(row.adjustmentCents),
    'Total ($)': (row: PayRow) => dollars(row.cents),
    Anomalies: (row: PayRow) => row.anomalies,
    'Overtime hours': (row: PayRow) => hours(row.overtimeMinutes),
    'Overtime owed, for information ($)': (row: PayRow) => dollars(row.overtimeCents),
  },
}

/** A row of a statement: a shift or an adjustment. */
export type StatementItem = { line: PayLine } | { adjustment: PayAdjustment }

const ofLine =
  <T>(valueOf: (line: PayLine) => T) =>
  (item: StatementItem) =>
    'line' in item ? valueOf(item.line) : ''

const optionWord = (option: PayLine['option']) => (option ? payOptionLabel[option] : '')

/** Whether a shift is paid, in words. */
const payWord = ({ unpaid, needsDecision }: PayLine) =>
  needsDecision ? 'Not paid: needs a decision' : unpaid === '' ? 'Paid' : 'Not paid'

export const statementSheet = {
  name: 'pay-statement',
  columns: {
    Date: (item: StatementItem) => ('line' in item ? item.line.date : item.adjustment.date),
    Kind: (item: StatementItem) => ('line' in item ? 'Shift' : 'Adjustment'),
    Start: ofLine(({ start }) => start),
    End: ofLine(({ end }) => end),
    Zone: ofLine(({ zone }) => zone),
    Truck: ofLine(({ truck }) => truck),
    Program: ofLine(({ program }) => program),
    Market: ofLine(({ market }) => market),
    Status: ofLine(({ status }) => shiftStatusLabel[status]),
    'Planned hours': ofLine(({ plannedMinutes }) => hours(plannedMinutes)),
    'Actual hours': ofLine(({ actualMinutes }) => (actualMinutes === null ? '' : hours(actualMinutes))),
    Miles: ofLine(({ metres }) => (metres === null ? '' : Math.round(toMiles(metres) * 10) / 10)),
    Proposed: ofLine(({ proposed }) => payOptionLabel[proposed]),
    'Pay option': ofLine(({ option }) => optionWord(option)),
    Paid: ofLine(payWord),
    'Rate from': ofLine(({ rateFrom }) => rateFrom ?? ''),
    'Amount ($)': (item: StatementItem) => dollars('line' in item ? item.line.cents : item.adjustment.cents),
    Note: (item: StatementItem) =>
      'adjustment' in item ? item.adjustment.note : item.line.unpaid || item.line.override?.note || item.line.reason,
    Anomalies: ofLine(({ anomalies }) => anomalies.map(({ kind }) => payAnomalyLabel[kind]).join(', ')),
  },
}
