import { parseAst } from 'vite'

interface Syntax {
  type: string
  value?: unknown
  name?: { name?: string }
}
const SEEN = ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'alt', 'placeholder', 'label']
const hasLetter = (text: string) => /\p{L}/u.test(text)

/** The strings that an expression can be: of both branches of a choice, and the fixed parts of a template. */
function stringsIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(stringsIn)
  if (typeof part !== 'object' || part === null) return []
  const syntax = part as Syntax & { cooked?: string }
  if (syntax.type === 'Literal') return typeof syntax.value === 'string' ? [syntax.value] : []
  if (syntax.type === 'TemplateElement') return [(syntax.value as { cooked: string }).cooked]
  // What a call or a comparison gets is not shown; pages within are looked at by themselves.
  if (['CallExpression', 'BinaryExpression', 'MemberExpression', 'JSXElement', 'JSXFragment'].includes(syntax.type))
    return []
  if (syntax.type === 'ConditionalExpression') {
    const { consequent, alternate } = part as Record<string, unknown>
    return stringsIn([consequent, alternate])
  }
  return Object.values(syntax).flatMap(stringsIn)
}

/** Texts that stand in a page itself: between its tags, and in attributes that people see or hear. */
function literalsIn(part: unknown, isChild = false): string[] {
  if (Array.isArray(part)) return part.flatMap((each) => literalsIn(each, isChild))
  if (typeof part !== 'object' || part === null) return []
  const syntax = part as Syntax & Record<string, unknown>
  if (syntax.type === 'JSXText') return [String(syntax.value).trim()].filter(hasLetter)
  const own =
    (syntax.type === 'JSXExpressionContainer' && isChild) ||
    (syntax.type === 'JSXAttribute' && SEEN.includes(syntax.name?.name ?? ''))
      ? stringsIn(syntax['expression'] ?? syntax.value).filter(hasLetter)
      : []
  const inner = Object.entries(syntax).flatMap(([name, each]) => literalsIn(each, name === 'children'))
  return [...own, ...inner]
}
/** Texts that stand in the source of a page instead of coming from its words. */
export const textsInPage = (source: string) => literalsIn(parseAst(source, { lang: 'tsx' }))
