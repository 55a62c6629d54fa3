import {
  type payroll,
  type PayFileCheck,
  type PayFileSystem,
  payFileLabel,
  type PayOption,
  type QueryOf,
  formatDollars,
} from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type DriverPay, loadPayBook } from './book.ts'
import { totalPay } from './book-rules.ts'
import { periodRecords } from './periods.ts'

type Query = QueryOf<typeof payroll.file>

/** The pay of a closed period, to be written as a file. */
interface PayFileData {
  query: Query
  from: string
  to: string
  paid: DriverPay[]
}

/** The file format of a payroll program. */
interface PayFileFormat {
  filename: (data: PayFileData) => string
  /** Why a driver cannot be in the file; undefined if they can. */
  problem: (pay: DriverPay, namesakes: DriverPay[]) => string | undefined
  /** Header lines, and a row for each driver or shift. */
  lines: (data: PayFileData) => { head: string[][]; rows: string[][] }
  separator: ',' | '\t'
  /** Notes for the user, such as pay that the format cannot carry. */
  notes: (data: PayFileData) => string[]
}

/** An amount; empty for zero, because a zero overwrites an entered amount. */
const amount = (cents: number) => (cents === 0 ? '' : (cents / 100).toFixed(2))

/** The last word counts as the last name. */
function splitName(name: string): [first: string, last: string] {
  const words = name.split(/\s+/).filter(Boolean)
  return [words.slice(0, -1).join(' '), words.at(-1) ?? '']
}

const hasOvertime = (paid: readonly DriverPay[]) => paid.some(({ figures }) => figures.paidOvertimeCents !== 0)

const ADP_TITLES = [
  'Co Code',
  'Batch ID',
  'File #',
  'Earnings 3 Code',
  'Earnings 3 Amount',
  'Earnings 4 Code',
  'Earnings 4 Amount',
]

const adp: PayFileFormat = {
  // A company code of two characters is padded.
  filename: ({ query }) => `PR${(query.companyCode ?? '').padEnd(3, '_')}EPI.csv`,
  problem: ({ driver }) => (driver.payrollId === '' ? 'has no payroll ID, which ADP needs as File #' : undefined),
  lines: ({ query, to, paid }) => ({
    head: [hasOvertime(paid) ? [...ADP_TITLES, 'Earnings 5 Code', 'Earnings 5 Amount'] : ADP_TITLES],
    rows: paid.map(({ driver, figures: { shiftCents, adjustmentCents, paidOvertimeCents } }) => [
      query.companyCode ?? '',
      to.replaceAll('-', '').slice(2),
      driver.payrollId,
      shiftCents === 0 ? '' : query.earningsCode,
      amount(shiftCents),
      adjustmentCents === 0 ? '' : query.adjustmentCode,
      amount(adjustmentCents),
      ...(hasOvertime(paid) ? [paidOvertimeCents === 0 ? '' : query.overtimeCode, amount(paidOvertimeCents)] : []),
    ]),
  }),
  separator: ',',
  notes: ({ paid }) => [
    `Day pay is in Earnings 3, adjustments in Earnings 4${hasOvertime(paid) ? ', overtime owed in Earnings 5' : ''}. Hours are left out so that ADP does not pay them by rate.`,
  ],
}

const gusto: PayFileFormat = {
  filename: ({ from, to }) => `gusto_${from}_${to}.csv`,
  problem: ({ driver }, namesakes) => {
    if (splitName(driver.name)[0] === '') return 'has only one name, but Gusto needs a first and a last name'
    if (namesakes.length > 0 && driver.payrollId === '') {
      return 'has the same name as another driver and no payroll ID for Gusto to tell them apart'
    }
    return driver.payrollId !== '' && driver.payrollId.length !== 6
      ? 'has a payroll ID that is not from Gusto: Gusto IDs have six characters'
      : undefined
  },
  lines: ({ query: { payColumn }, from, to, paid }) => {
    const isOne = payColumn === 'correction_payment'
    const columns = isOne ? ['correction_payment'] : [payColumn, 'correction_payment']
    return {
      head: [['last_name', 'first_name', 'gusto_employee_id', ...columns, 'personal_note']],
      rows: paid.map(({ driver, figures: { adjustmentCents, cents } }) => {
        const [first, last] = splitName(driver.name)
        const amounts = isOne ? [amount(cents)] : [amount(cents - adjustmentCents), amount(adjustmentCents)]
        return [last, first, driver.payrollId, ...amounts, `${from} to ${to}`]
      }),
    }
  },
  separator: ',',
  notes: ({ query: { payColumn }, paid }) => [
    `Gusto has no column for day pay: it is in ${payColumn}${hasOvertime(paid) ? ', with the overtime owed' : ''}; adjustments are in correction_payment.`,
  ],
}

/** MM/DD/YY */
const americanDay = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(2, 4)}`
const twoDigits = (number: number) => String(number).padStart(2, '0')
// QuickBooks accepts no longer day.
const MAX_MINUTES = 23 * 60 + 59
const minutesOf = (line: DriverPay['lines'][number]) => Math.min(line.actualMinutes ?? line.plannedMinutes, MAX_MINUTES)
const clockDuration = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

const paidLines = ({ lines }: DriverPay) => lines.filter(({ unpaid }) => unpaid === '')

// Items that customers have set up in QuickBooks: renaming one breaks their imports.
const quickbooksItem: Record<PayOption, string> = {
  halfDay: 'Half day',
  eightHours: 'Eight hours',
  twelveHours: 'Twelve hours',
}

const quickbooks: PayFileFormat = {
  filename: ({ from, to }) => `quickbooks_${from}_${to}.iif`,
  problem: ({ driver }, namesakes) =>
    namesakes.length > 0 && driver.payrollId === ''
      ? 'has the same name as another driver and no payroll ID to tell them apart'
      : undefined,
  lines: ({ paid }) => ({
    head: [
      ['!TIMERHDR', 'VER', 'REL', 'COMPANYNAME', 'FROMTIMER', 'COMPANYCREATETIME'],
      ['TIMERHDR', '8', '0', '', 'Y', '0'],
      ['!TIMEACT', 'DATE', 'JOB', 'EMP', 'ITEM', 'PITEM', 'DURATION', 'PROJ', 'NOTE', 'BILLINGSTATUS'],
    ],
    rows: paid.flatMap((pay) => {
      const { driver } = pay
      const isAlone = paid.every((other) => other === pay || other.driver.name !== driver.name)
      // Names are unique in QuickBooks, so drivers of the same name get their payroll ID added.
      const employee = isAlone ? driver.name : `${driver.name} ${driver.payrollId}`
      return paidLines(pay).map((line) => [
        'TIMEACT',
        americanDay(line.date),
        '',
        employee,
        line.option ? quickbooksItem[line.option] : '',
        '',
        clockDuration(minutesOf(line)),
        '',
        `Truck ${line.truck}`,
        '0',
      ])
    }),
  }),
  separator: '\t',
  notes: ({ paid }) => {
    const { shiftCents, adjustmentCents, paidOvertimeCents } = totalPay(paid.map(({ figures }) => figures))
    return [
      `The file has hours, which QuickBooks pays by item. The shifts add up to ${formatDollars(shiftCents)}.`,
      ...(adjustmentCents === 0 ? [] : [`Enter adjustments of ${formatDollars(adjustmentCents)} by hand.`]),
      ...(paidOvertimeCents === 0 ? [] : [`Enter overtime owed of ${formatDollars(paidOvertimeCents)} by hand.`]),
    ]
  },
}

const formats: Record<PayFileSystem, PayFileFormat> = { adp, gusto, quickbooks }

// Payroll programs take an escaping quote literally, so such a name is refused rather than escaped.
const FORMULA_START = /^[=+\-@\t\r\0]/
const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function problemsOf({ paid }: PayFileData, { problem }: PayFileFormat): string[] {
  return paid.flatMap((pay) => {
    const { name } = pay.driver
    const namesakes = paid.filter((other) => other !== pay && other.driver.name === name)
    const isFormula = [name, ...splitName(name)].some((part) => FORMULA_START.test(part))
    const found = isFormula ? 'has a name that a spreadsheet would run as a formula' : problem(pay, namesakes)
    return found ? [`${name} ${found}.`] : []
  })
}

/** Loads the pay of a closed period. */
async function loadFileData(db: Db, scope: Scope, query: Query): Promise<PayFileData> {
  const { from, to, state } = await periodRecords.get(db, scope, query.period)
  if (state === 'open') {
    throw new AppError('payFileRefused', { text: 'Approve the pay period first. Until then its figures can change.' })
  }
  const { drivers } = await loadPayBook(db, { from, to }, { scope })
  const paid = drivers.filter(({ figures, lines }) => figures.cents !== 0 || lines.some(({ unpaid }) => unpaid === ''))
  return { query, from, to, paid }
}

/** The control totals of a file, and the problems that prevent it. */
export async function checkPayFile(db: Db, scope: Scope, query: Query): Promise<PayFileCheck> {
  const data = await loadFileData(db, scope, query)
  const format = formats[query.system]
  const { shiftCents, adjustmentCents, paidOvertimeCents, cents } = totalPay(data.paid.map(({ figures }) => figures))
  const lines = data.paid.flatMap(paidLines)
  return {
    filename: format.filename(data),
    rows: format.lines(data).rows.length,
    drivers: data.paid.length,
    minutes: lines.reduce((sum, line) => sum + minutesOf(line), 0),
    shiftCents,
    adjustmentCents,
    overtimeCents: paidOvertimeCents,
    cents,
    problems: problemsOf(data, format),
    notes: format.notes(data),
  }
}

/** Makes the file. */
export async function makePayFile(db: Db, scope: Scope, query: Query): Promise<{ filename: string; content: string }> {
  const data = await loadFileData(db, scope, query)
  const format = formats[query.system]
  const problems = problemsOf(data, format)
  if (problems.length > 0) {
    const text = `Couldn't create the file for ${payFileLabel[query.system]}: ${joinNames(problems.map((each) => each.replace(/\.$/, '')))}.`
    throw new AppError('payFileRefused', { text })
  }
  const { head, rows } = format.lines(data)
  const write = format.separator === ',' ? csvCell : (text: string) => text
  const content = [...head, ...rows].map((row) => row.map(write).join(format.separator)).join('\r\n')
  return { filename: format.filename(data), content: `${content}\r\n` }
}
