import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { contract, type Endpoint } from '@roadshow/contract'
import { parse } from '@swc/core'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

// The words people read: screens, errors, mails, PDFs, exports and what the command line prints.

const root = path.resolve(import.meta.dirname, '../..')
const FOLDERS = ['contract/src', 'api/src', 'web/src', 'player/src', 'simulator/src']
const isTest = /[.]test[.]tsx?$|(^|\/)test-[^/]+$|schema[.]ts$/

/** Words of a private dialect, British spellings and metric units, with the plain way to say it. */
const avoided: readonly [RegExp, string][] = [
  [/\b(whoever|nobody|somebody)\b/i, 'name the person: "you", "the driver", "no one"'],
  [/\banew\b/i, 'again'],
  [/\b(is|are|was|were) told\b/i, 'say who tells whom, in the active voice'],
  [/\b(thereof|of which)\b/i, 'use a second sentence'],
  [/\bthere is no such\b/i, '"Truck not found."'],
  [/\bis not right\b/i, 'say what is wrong'],
  [/\bneeds a person\b/i, 'Needs attention'],
  [/\b(its|their) past stays\b/i, 'its history is kept'],
  [/\bhas not told\b|\bnothing was heard\b/i, 'No position yet, no GPS data from this truck'],
  [/\bwhat (came of it|was said)\b/i, 'Result, Description'],
  [/\bhow sure\b|\bas the system\b/i, 'Verification, Recorded by the system'],
  [/\bno ways to show\b/i, 'No route to show'],
  [/^(with the program|that of the (shift|program))\b[.]?$/i, 'Same as program, Same as shift'],
  [/^(approve|lock)[?]$/i, 'Approve this pay period?'],
  [/\bmeanwhile\b/i, 'say who did it: "Someone else changed this record."'],
  [/\bcheck the marked fields\b|\bof what was sent\b/i, 'Please fix the highlighted fields.'],
  [/\bcannot be changed like that\b/i, 'say why the change is not possible'],
  [/\bat another place\b/i, 'out of step'],
  [/\bopens nothing for\b/i, 'name the role that lacks the permission'],
  [/: done[.]$/i, 'Shift started.'],
  [/\b(kilo)?met(re|er)s?\b/i, 'miles, or feet below a tenth of a mile'],
  [/\b(colour|neighbour|centre|licence)/i, 'the American spelling'],
  [/(?<!')\bcancelled\b(?!'| or noShow)/i, 'canceled; only the value of a status is spelled otherwise'],
]

interface SourceNode {
  type?: string
  value?: string
  cooked?: string
  tag?: unknown
  quasis?: { raw?: string }[]
  expressions?: unknown
}

/** Every string, template and JSX text of a source file, without imports and SQL. */
async function textsOf(source: string, isJsx: boolean): Promise<string[]> {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, value, cooked, tag, quasis, expressions } = node as SourceNode
    if (type?.startsWith('Import') || type?.startsWith('ExportAll') || type === 'TsLiteralType') return
    if (type === 'TaggedTemplateExpression' && isSql(tag)) return
    if (type === 'TemplateLiteral' && STATEMENT.test(quasis?.[0]?.raw ?? '')) return visit(expressions)
    if (type === 'StringLiteral' || type === 'JSXText') found.push(value ?? '')
    if (type === 'TemplateElement') found.push(cooked ?? '')
    Object.values(node).forEach(visit)
  }
  visit(await parse(source, { syntax: 'typescript', tsx: isJsx }))
  return found
}

const STATEMENT = /^\s*(select|insert into|update|delete from|with) [a-z]/

const isSql = (tag: unknown): boolean => JSON.stringify(tag).includes('"value":"sql"')

/** Text for people has at least two words; keys, class names and codes have one. */
const isProse = (text: string) => /[A-Za-z]\S*\s+\S*[A-Za-z]/.test(text) && !STATEMENT.test(text)

const problemsOf = (text: string) => avoided.filter(([word]) => word.test(text)).map(([, better]) => better)

async function sources(): Promise<string[]> {
  const folders = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(path.join(root, folder), { recursive: true })).map((file) => `${folder}/${file}`),
    ),
  )
  return folders.flat().filter((file) => /[.]tsx?$/.test(file) && !isTest.test(file))
}

describe('text that people read', () => {
  test('is found in strings, templates and JSX, but not in imports and SQL', async () => {
    const source = `import x from 'some package'; const a = 'Truck not found.'; const b = \`Moved \${a} again\`
      const c = sql<string>\`select nobody from truck\`; const e = \`select uid, \${a}, nobody from truck\`
      const d = <p title="Two words">Read me</p>`
    const texts = await textsOf(source, true)
    expect(texts).toEqual(expect.arrayContaining(['Truck not found.', 'Moved ', ' again', 'Two words', 'Read me']))
    expect(texts.join(' ')).not.toMatch(/some package|nobody/)
    expect(problemsOf('Nobody is told anew.')).toHaveLength(3)
  })

  test('uses plain American words', async () => {
    const problems: string[] = []
    for (const file of await sources()) {
      const texts = await textsOf(await readFile(path.join(root, file), 'utf8'), file.endsWith('x'))
      for (const text of texts.filter(isProse)) {
        for (const better of problemsOf(text)) problems.push(`${file}: "${text.trim()}" (${better})`)
      }
    }
    expect(problems).toEqual([])
    // It reads every source, beside whatever else runs.
  }, 120_000)
})

/** Values that are wrong for most fields, each in its own way. */
const WRONG = [undefined, null, '', 'x', 'x'.repeat(100_000), -1, 1.5, 1e12, NaN, true, [], [null], {}, { x: 1 }]

function messagesOf(error: z.ZodError | undefined): string[] {
  const deep = (issue: z.core.$ZodIssue): string[] =>
    issue.code === 'invalid_union' ? [issue.message, ...issue.errors.flat().flatMap(deep)] : [issue.message]
  return error?.issues.flatMap(deep) ?? []
}

describe('sentences of the validator', () => {
  const endpoints = Object.entries(contract).flatMap(([domain, calls]) =>
    Object.entries(calls as Record<string, Endpoint>).map(([name, endpoint]) => ({
      name: `${domain}.${name}`,
      endpoint,
    })),
  )

  test.each(endpoints)('$name never shows a raw message', ({ endpoint }) => {
    const raw = new Set<string>()
    for (const schema of [endpoint.params, endpoint.query, endpoint.body] as (z.ZodType | undefined)[]) {
      if (!schema) continue
      const fields = 'shape' in schema ? Object.keys(schema.shape as object) : []
      const tries = WRONG.flatMap((value) => [value, Object.fromEntries(fields.map((field) => [field, value]))])
      for (const message of tries.flatMap((value) => messagesOf(schema.safeParse(value).error))) {
        if (/^(Invalid|Too |Unrecognized|Expected)|\b(expected|received)\b/.test(message)) raw.add(message)
      }
    }
    expect([...raw]).toEqual([])
  })
})
