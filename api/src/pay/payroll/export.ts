import {
  type PayAdjustment,
  payAnomalyLabel,
  type PayLine,
  payOptionLabel,
  type PayRow,
  shiftStatusLabel,
} from '@roadshow/contract'
import {
  type Cell,
  clockColumn,
  countColumn,
  dayColumn,
  hoursColumn,
  milesColumn,
  moneyColumn,
} from '../../platform/spreadsheet/columns.ts'

export const paySheet = {
  name: 'payroll',
  columns: {
    Driver: ({ driver }: PayRow) => driver.name,
    'Payroll id': ({ driver }: PayRow) => driver.payrollId,
    'Half days': countColumn((row: PayRow) => row.halfDay),
    '8-hour days': countColumn((row: PayRow) => row.eightHours),
    '12-hour days': countColumn((row: PayRow) => row.twelveHours),
    'Not paid': countColumn((row: PayRow) => row.unpaid),
    'Needs a decision': countColumn((row: PayRow) => row.undecided),
    'Planned hours': hoursColumn((row: PayRow) => row.plannedMinutes),
    'Actual hours': hoursColumn((row: PayRow) => row.actualMinutes),
    Miles: milesColumn((row: PayRow) => row.metres),
    'Shifts ($)': moneyColumn((row: PayRow) => row.shiftCents),
    'Adjustments ($)': moneyColumn((row: PayRow) => row.adjustmentCents),
    'Total ($)': moneyColumn((row: PayRow) => row.cents),
    Anomalies: countColumn((row: PayRow) => row.anomalies),
    'Overtime hours': hoursColumn((row: PayRow) => row.overtimeMinutes),
    'Overtime owed ($)': moneyColumn((row: PayRow) => row.overtimeCents),
    'Overtime in total ($)': moneyColumn((row: PayRow) => row.paidOvertimeCents),
  },
}

/** A row of a statement: a shift or an adjustment. */
export type StatementItem = { line: PayLine } | { adjustment: PayAdjustment }

const ofLine =
  (valueOf: (line: PayLine) => Cell) =>
  (item: StatementItem): Cell =>
    'line' in item ? valueOf(item.line) : null

/** Whether a shift is paid, in words. */
const payWord = ({ unpaid, needsDecision }: PayLine) =>
  needsDecision ? 'Not paid: needs a decision' : unpaid === '' ? 'Paid' : 'Not paid'

export const statementSheet = {
  name: 'pay-statement',
  columns: {
    Date: dayColumn((item: StatementItem) => ('line' in item ? item.line.date : item.adjustment.date)),
    Kind: (item: StatementItem) => ('line' in item ? 'Shift' : 'Adjustment'),
    Start: clockColumn(ofLine(({ start }) => start)),
    End: clockColumn(ofLine(({ end }) => end)),
    Zone: ofLine(({ zone }) => zone),
    Truck: ofLine(({ truck }) => truck),
    Program: ofLine(({ program }) => program),
    Market: ofLine(({ market }) => market),
    Status: ofLine(({ status }) => shiftStatusLabel[status]),
    'Planned hours': hoursColumn(ofLine(({ plannedMinutes }) => plannedMinutes)),
    'Actual hours': hoursColumn(ofLine(({ actualMinutes }) => actualMinutes)),
    Miles: milesColumn(ofLine(({ metres }) => metres)),
    Proposed: ofLine(({ proposed }) => payOptionLabel[proposed]),
    'Pay option': ofLine(({ option }) => (option ? payOptionLabel[option] : '')),
    Paid: ofLine(payWord),
    'Rate from': dayColumn(ofLine(({ rateFrom }) => rateFrom)),
    'Amount ($)': moneyColumn((item: StatementItem) => ('line' in item ? item.line.cents : item.adjustment.cents)),
    Note: (item: StatementItem) =>
      'adjustment' in item ? item.adjustment.note : item.line.unpaid || item.line.override?.note || item.line.reason,
    Anomalies: ofLine(({ anomalies }) => anomalies.map(({ kind }) => payAnomalyLabel[kind]).join(', ')),
  },
}
