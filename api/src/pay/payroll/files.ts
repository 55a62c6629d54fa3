import {
  type payroll,
  type PayFileCheck,
  type PayFileSystem,
  payFileLabel,
  payOptionLabel,
  type QueryOf,
} from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type DriverPay, payBook, totalsOf } from './book.ts'
import { periodRecords } from './periods.ts'

type Query = QueryOf<typeof payroll.file>

interface Given {
  query: Query
  from: string
  to: string
  paid: DriverPay[]
}

/** How another program wants it. */
interface Format {
  filename: (given: Given) => string
  /** Why a driver cannot be in the file; undefined where they can. */
  problem: (pay: DriverPay, namesakes: DriverPay[]) => string | undefined
  /** What stands above, and a row for each driver or shift. */
  lines: (given: Given) => { head: string[][]; rows: string[][] }
  separator: ',' | '\t'
  /** What it cannot take of what is paid. */
  notes: (given: Given) => string[]
}

/** An amount; nothing where there is none, because a zero overwrites what was entered there. */
const amount = (cents: number) => (cents === 0 ? '' : (cents / 100).toFixed(2))
const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** The last word is the family name, as far as a program can know. */
function nameParts(name: string): [first: string, last: string] {
  const words = name.split(/\s+/).filter(Boolean)
  return [words.slice(0, -1).join(' '), words.at(-1) ?? '']
}

const adp: Format = {
  // Two characters of a company are filled up.
  filename: ({ query }) => `PR${(query.companyCode ?? '').padEnd(3, '_')}EPI.csv`,
  problem: ({ driver }) => (driver.payrollId === '' ? 'has no payroll id, which ADP needs as File #' : undefined),
  lines: ({ query, to, paid }) => ({
    head: [
      ['Co Code', 'Batch ID', 'File #', 'Earnings 3 Code', 'Earnings 3 Amount', 'Earnings 4 Code', 'Earnings 4 Amount'],
    ],
    rows: paid.map(({ driver, figures: { shiftCents, adjustmentCents } }) => [
      query.companyCode ?? '',
      to.replaceAll('-', '').slice(2),
      driver.payrollId,
      shiftCents === 0 ? '' : query.earningsCode,
      amount(shiftCents),
      adjustmentCents === 0 ? '' : query.adjustmentCode,
      amount(adjustmentCents),
    ]),
  }),
  separator: ',',
  notes: () => [
    'Day pay stands in Earnings 3, adjustments in Earnings 4; hours are not sent, so that ADP pays no rate for them.',
  ],
}

const gusto: Format = {
  filename: ({ from, to }) => `gusto_${from}_${to}.csv`,
  problem: ({ driver }, namesakes) => {
    if (nameParts(driver.name)[0] === '') return 'has only one name, and Gusto needs a first and a last one'
    if (namesakes.length > 0 && driver.payrollId === '') {
      return 'has the name of another driver, and no payroll id for Gusto to tell them apart by'
    }
    return driver.payrollId !== '' && driver.payrollId.length !== 6
      ? 'has a payroll id that is not one of Gusto’s, which have six characters'
      : undefined
  },
  lines: ({ query: { payColumn }, from, to, paid }) => {
    const isOne = payColumn === 'correction_payment'
    const columns = isOne ? ['correction_payment'] : [payColumn, 'correction_payment']
    return {
      head: [['last_name', 'first_name', 'gusto_employee_id', ...columns, 'personal_note']],
      rows: paid.map(({ driver, figures: { shiftCents, adjustmentCents, cents } }) => {
        const [first, last] = nameParts(driver.name)
        const amounts = isOne ? [amount(cents)] : [amount(shiftCents), amount(adjustmentCents)]
        return [last, first, driver.payrollId, ...amounts, `${from} to ${to}`]
      }),
    }
  },
  separator: ',',
  notes: ({ query: { payColumn } }) => [
    `Gusto has no column for day pay: it stands in ${payColumn}, adjustments in correction_payment.`,
  ],
}

/** MM/DD/YY */
const americanDay = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(2, 4)}`
const two = (number: number) => String(number).padStart(2, '0')
// A day has no more for QuickBooks.
const LONGEST = 23 * 60 + 59
const minutesOf = (line: DriverPay['lines'][number]) => Math.min(line.actualMinutes ?? line.plannedMinutes, LONGEST)
const duration = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

const paidLines = ({ lines }: DriverPay) => lines.filter(({ unpaid }) => unpaid === '')

const quickbooks: Format = {
  filename: ({ from, to }) => `quickbooks_${from}_${to}.iif`,
  problem: ({ driver }, namesakes) =>
    namesakes.length > 0 && driver.payrollId === ''
      ? 'has the name of another driver, and no payroll id to add to it'
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
      // QuickBooks has each name once: there, namesakes carry their id.
      const employee = isAlone ? driver.name : `${driver.name} ${driver.payrollId}`
      return paidLines(pay).map((line) => [
        'TIMEACT',
        americanDay(line.date),
        '',
        employee,
        line.option ? payOptionLabel[line.option] : '',
        '',
        duration(minutesOf(line)),
        '',
        `Truck ${line.truck}`,
        '0',
      ])
    }),
  }),
  separator: '\t',
  notes: ({ paid }) => {
    const { shiftCents, adjustmentCents } = totalsOf(paid.map(({ figures }) => figures))
    return [
      `The file holds time, which QuickBooks pays by item; here the shifts are ${dollars(shiftCents)}.`,
      ...(adjustmentCents === 0 ? [] : [`Adjustments of ${dollars(adjustmentCents)} are to be entered by hand.`]),
    ]
  },
}

const formats: Record<PayFileSystem, Format> = { adp, gusto, quickbooks }

// Payroll programs take a quote in front of it literally, so it is refused rather than neutralised.
const WOULD_RUN = /^[=+\-@\t\r\0]/
const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function problemsOf({ paid }: Given, { problem }: Format): string[] {
  return paid.flatMap((pay) => {
    const { name } = pay.driver
    const namesakes = paid.filter((other) => other !== pay && other.driver.name === name)
    const runs = [name, ...nameParts(name)].some((part) => WOULD_RUN.test(part))
    const found = runs ? 'has a name that a spreadsheet would run as a formula' : problem(pay, namesakes)
    return found ? [`${name} ${found}.`] : []
  })
}

/** What is paid in a closed period, as another program wants it. */
async function given(db: Db, scope: Scope, query: Query): Promise<Given> {
  const { from, to, state } = await periodRecords.get(db, scope, query.period)
  if (state === 'open') {
    throw new AppError('payFileRefused', { text: 'Approve the period first: until then its figures can change.' })
  }
  const { drivers } = await payBook(db, { from, to }, { scope })
  const paid = drivers.filter(({ figures, lines }) => figures.cents !== 0 || lines.some(({ unpaid }) => unpaid === ''))
  return { query, from, to, paid }
}

/** The control totals of a file, and why it cannot be made. */
export async function checkPayFile(db: Db, scope: Scope, query: Query): Promise<PayFileCheck> {
  const of = await given(db, scope, query)
  const format = formats[query.system]
  const { shiftCents, adjustmentCents, cents } = totalsOf(of.paid.map(({ figures }) => figures))
  const lines = of.paid.flatMap(paidLines)
  return {
    filename: format.filename(of),
    rows: format.lines(of).rows.length,
    drivers: of.paid.length,
    minutes: lines.reduce((sum, line) => sum + minutesOf(line), 0),
    shiftCents,
    adjustmentCents,
    cents,
    problems: problemsOf(of, format),
    notes: format.notes(of),
  }
}

/** The file itself. */
export async function payFile(db: Db, scope: Scope, query: Query): Promise<{ filename: string; content: string }> {
  const of = await given(db, scope, query)
  const format = formats[query.system]
  const problems = problemsOf(of, format)
  if (problems.length > 0) {
    const text = `The file for ${payFileLabel[query.system]} cannot be made: ${joinNames(problems.map((each) => each.replace(/\.$/, '')))}.`
    throw new AppError('payFileRefused', { text })
  }
  const { head, rows } = format.lines(of)
  const write = format.separator === ',' ? cell : (text: string) => text
  const content = [...head, ...rows].map((row) => row.map(write).join(format.separator)).join('\r\n')
  return { filename: format.filename(of), content: `${content}\r\n` }
}
