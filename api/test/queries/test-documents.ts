import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connection.ts'
import { normalized, type Recorded } from './test-recording.ts'

const WIDTH = 140
const MAX_CAUSES = 3
const CLAUSES =
  /^(?:with (?:recursive )?\w+ (?:\([^)]*\) )?as|select|from|where|left join|join|cross join|order by|group by|having|limit|union|returning|on conflict|set|values|for (?:no key )?update|for (?:key )?share)\b/i
/** A clause word that goes on with the line. */
const CONTINUES = /\b(?:left|cross|inner|distinct|extract\s?\(\w+)$/i

/** Texts, names, words and brackets, each with the space before it. */
const tokensOf = (text: string) => text.match(/\s*(?:'(?:[^']|'')*'|[()]|(?:"[^"]*"|[^\s()'"])+)/g) ?? []

/** Begins a line for each clause, indented by its brackets, and breaks lines that are too long. */
function layOut(statement: string): string {
  const lines: string[] = []
  let rest = normalized(statement)
  let [line, depth] = ['', 0]
  const breakLine = (indent: number) => {
    if (line.trim()) lines.push(line)
    line = '  '.repeat(indent)
  }
  for (const token of tokensOf(rest)) {
    const isClause = CLAUSES.test(rest.trimStart()) && !CONTINUES.test(line)
    rest = rest.slice(token.length)
    if (token.trim() === ')') depth = Math.max(0, depth - 1)
    if (isClause) breakLine(depth)
    else if (line.length + token.length > WIDTH) breakLine(depth + 1)
    line += line.trim() ? token : token.trimStart()
    if (token.trim() === '(') depth++
  }
  breakLine(0)
  return lines.join('\n')
}

const indentOf = (line: string) => line.length - line.trimStart().length

/** PostgreSQL indents each step by six; two are enough, and its arrows say the same again. */
function indentByTwo(plan: readonly string[]): string[] {
  const open: number[] = []
  return plan.map((line) => {
    while (open.length > 0 && indentOf(line) <= (open.at(-1) as number)) open.pop()
    const depth = open.length
    open.push(indentOf(line))
    return '  '.repeat(depth) + line.trimStart().replace(/^->\s+/, '→ ')
  })
}

/** PostgreSQL numbers the aliases of partitions: `on play_<day> y_9`. */
function withoutAliasNumbers(branch: string): string {
  const [, alias] = / on \w+_<day> (\w+?)_\d+$/m.exec(branch) ?? []
  return alias ? branch.replaceAll(new RegExp(`\\b${alias}_\\d+\\b`, 'g'), alias) : branch
}

/** The partitions of a table are planned alike: the first of equal branches stands for all. */
function mergePartitions(plan: readonly string[]): string[] {
  const merged: string[] = []
  let last = ''
  for (let at = 0, end = 0; at < plan.length; at = end) {
    const line = plan[at] as string
    end = at + 1
    while (end < plan.length && indentOf(plan[end] as string) > indentOf(line)) end++
    const branch = withoutAliasNumbers(plan.slice(at, end).join('\n'))
    const isOfPartition = line.trimStart().startsWith('→') && branch.includes('_<day>')
    const isAppend = /→ (?:Merge )?Append/.test(branch)
    if (isOfPartition && !isAppend) {
      if (branch !== last) merged.push(...branch.split('\n'))
      last = branch
    } else {
      merged.push(line)
      last = ''
      end = at + 1
    }
  }
  return merged
}

/**
 * The plan for any values. Sequential scans are off: one that is left ("Disabled: true") means that no index fits.
 */
async function planOf(db: Db, text: string): Promise<string> {
  if (/^(?:\/\*.*?\*\/\s*)?copy\b/i.test(text)) return 'COPY has no plan.'
  try {
    const { rows } = await db.connection().execute(async (one) => {
      await sql`select set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false),
                       set_config('max_parallel_workers_per_gather', '0', false)`.execute(one)
      return sql.raw<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`).execute(one)
    })
    const lines = rows.map((row) => row['QUERY PLAN'].replace(/\s+$/, ''))
    return mergePartitions(indentByTwo(lines.map(hideDays))).join('\n')
  } catch (error) {
    return `PostgreSQL cannot plan it without its values: ${hideDays((error as Error).message)}.`
  }
}

const LITERALS =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|'\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?\+00)?'/g

const hideDays = (line: string) => line.replace(LITERALS, '…').replace(/\b([a-z]\w*?)_\d{8}(?!\d)/g, '$1_<day>')

function describeCauses(causes: ReadonlySet<string>): string {
  const sorted = [...causes].toSorted()
  const more = sorted.length - MAX_CAUSES
  return `${sorted.slice(0, MAX_CAUSES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** One Markdown file for each neighborhood: name to content. */
export async function documentsOf(db: Db, statements: ReadonlyMap<string, Recorded>): Promise<Record<string, string>> {
  const documents: Record<string, string> = {}
  const sorted = [...statements].toSorted(([a, { owner: one }], [b, { owner: other }]) =>
    one === other ? (a < b ? -1 : 1) : one < other ? -1 : 1,
  )
  let lastOwner = ''
  for (const [, { owner, text, causes }] of sorted) {
    const neighborhood = owner.split('/')[0] ?? ''
    documents[`${neighborhood}.md`] ??= `# Statements of ${neighborhood}\n\nWritten by \`npm run db:queries\`.\n`
    const heading = owner === lastOwner ? '' : `\n## ${owner}\n`
    lastOwner = owner
    const plan = await planOf(db, text)
    documents[`${neighborhood}.md`] +=
      `${heading}\n${describeCauses(causes)}:\n\n\`\`\`sql\n${layOut(text)}\n\`\`\`\n\n\`\`\`text\n${plan}\n\`\`\`\n`
  }
  return documents
}
