/** A statement in the source that writes a table. */
export interface TableWrite {
  /** Undefined where the statement names its table by an expression. */
  table: string | undefined
  statement: string
}

const NAME = String.raw`(?:"?public"?\.)?"?([a-z_][a-z0-9_]*)"?`

/** Each finds the table that it writes. Statements span lines, so white space is any. */
const patterns: readonly [statement: string, RegExp][] = [
  ['insert', new RegExp(String.raw`\binsert\s+into\s+${NAME}`, 'gi')],
  [
    'update',
    new RegExp(String.raw`\bupdate\s+(?:only\s+)?(?!set\b)${NAME}(?:\s+(?:as\s+)?(?!set\b)[a-z_]+)?\s+set\b`, 'gi'),
  ],
  ['delete', new RegExp(String.raw`\bdelete\s+from\s+(?:only\s+)?${NAME}`, 'gi')],
  ['merge', new RegExp(String.raw`\bmerge\s+into\s+(?:only\s+)?${NAME}`, 'gi')],
  ['truncate', new RegExp(String.raw`\btruncate\s+(?:table\s+)?(?:only\s+)?${NAME}`, 'gi')],
  ['copy', new RegExp(String.raw`\bcopy\s+${NAME}\s*(?:\([^)]*\))?\s+from\b`, 'gi')],
  ['copy', new RegExp(String.raw`\bcopyInto\(\s*[\w.]+,\s*['"\`]${NAME}`, 'g')],
  [
    'builder',
    new RegExp(String.raw`\b(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(\s*['"\`]${NAME}`, 'g'),
  ],
]

/** Statements whose table is an expression: the source does not show what they write. */
const dynamic: readonly RegExp[] = [
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+\$\{/gi,
  /\bcopy\s+\$\{[^}]*\}[^`]*\bfrom\b/gi,
  /\b(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(\s*[^'"`\s]/g,
]

const withoutComments = (source: string) => source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')

/** Every write to a table in a source file: SQL in any string or template, Kysely's builder, and COPY. */
export function tableWritesIn(source: string): TableWrite[] {
  const text = withoutComments(source)
  return [
    ...patterns.flatMap(([statement, pattern]) =>
      [...text.matchAll(pattern)].map((found) => ({ statement, table: found[1]?.toLowerCase() })),
    ),
    ...dynamic.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(() => ({ statement: 'dynamic', table: undefined })),
    ),
  ]
}

/** The `records()` that a file declares, by the name of their variable. They can write their table, and many never do. */
export const recordsIn = (source: string): { name: string; table: string }[] =>
  [...withoutComments(source).matchAll(/\b(\w+)\s*[:=]\s*records<\s*'(\w+)'/g)].map(([, name = '', table = '']) => ({
    name,
    table,
  }))

export const writesWithRecords = (source: string, name: string): boolean =>
  new RegExp(String.raw`\b${name}\s*\.(?:create|update|remove|removeUnless|restore)\(`).test(withoutComments(source))
